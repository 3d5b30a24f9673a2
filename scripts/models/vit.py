#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ViT-B/16 for 224x224 pictures: patches by a convolution, a class token, twelve encoder layers."""
import numpy as np

import cli
import layers
import transformer
from graph_builder import GraphBuilder
from samples import calibration_images

WIDTH, HEADS, HIDDEN, LAYERS, PATCH = 768, 12, 3072, 12, 16
PATCHES = (224 // PATCH) ** 2


def patch_tokens(b, x):
    """[1, 3, 224, 224] -> [1, 1 + patches, width], with class token and positions."""
    weight = layers.conv_weight(b, 3, WIDTH, PATCH, 1)
    bias = b.rng.normal(0, 0.1, WIDTH).astype(np.float32)
    with b.scope("conv_proj"):
        x = b.node("Conv", x, b.weight("weight", weight), b.weight("bias", bias),
                   **layers.conv_attributes(PATCH, PATCH, 0, 1))
    x = b.node("Reshape", x, b.constant([1, WIDTH, PATCHES]))
    x = b.node("Transpose", x, perm=[0, 2, 1])
    token = b.weight("class_token", b.rng.standard_normal((1, 1, WIDTH)).astype(np.float32))
    x = b.node("Concat", token, x, axis=1)
    positions = b.rng.normal(0, 0.3, (1, 1 + PATCHES, WIDTH)).astype(np.float32)
    return b.node("Add", x, b.weight("pos_embedding", positions))


def vit_b16(opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder("vit_b_16", opset, seed)
    shape = [1, 3, 224, 224]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6)[:1])
    x = patch_tokens(b, x)
    with b.scope("encoder"):
        for i in range(LAYERS):
            with b.scope(f"encoder_layer_{i}"):
                x = transformer.encoder_layer(b, x, HEADS, HIDDEN, epsilon=1e-6)
        x = transformer.layer_norm(b, x, "ln", 1e-6)
    x = b.node("Gather", x, b.constant(0), axis=1)
    with b.scope("heads", "heads.head"):
        x = layers.gemm(b, x, 1000, output="output")
    b.output(x, [1, 1000])
    return b.build()


if __name__ == "__main__":
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(vit_b16(args.opset, args.seed), args.output)
