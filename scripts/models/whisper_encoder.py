#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the encoder of Whisper-tiny: two one-dimensional convolutions over 3000 frames, four layers."""
import numpy as np

import cli
import transformer
from graph_builder import GraphBuilder

WIDTH, HEADS, HIDDEN, LAYERS, MELS, FRAMES = 384, 6, 1536, 4, 80, 3000


def conv1d(b, x, stride):
    channels = b.values[x].shape[1]
    weight = b.rng.standard_normal((WIDTH, channels, 3)) * np.sqrt(2 / (3 * channels))
    bias = b.rng.normal(0, 0.1, WIDTH).astype(np.float32)
    return b.node("Conv", x, b.weight("weight", weight.astype(np.float32)), b.weight("bias", bias),
                  kernel_shape=[3], strides=[stride], pads=[1, 1], dilations=[1], group=1)


def whisper_tiny_encoder(opset=17, seed=0):
    """Returns the model: `input_features` [1,80,3000] -> `last_hidden_state` [1,1500,384]."""
    b = GraphBuilder("whisper_tiny_encoder", opset, seed)
    shape = [1, MELS, FRAMES]
    x = b.input("input_features", shape, b.rng.uniform(-1, 1, shape).astype(np.float32))
    for index, stride in (1, 1), (2, 2):
        with b.scope(f"conv{index}"):
            x = transformer.gelu(b, conv1d(b, x, stride))
    x = b.node("Transpose", x, perm=[0, 2, 1])
    positions = b.rng.normal(0, 0.3, (FRAMES // 2, WIDTH)).astype(np.float32)
    x = b.node("Add", x, b.weight("embed_positions.weight", positions))
    for i in range(LAYERS):
        with b.scope("layers", f"layers.{i}"):
            x = transformer.encoder_layer(b, x, HEADS, HIDDEN, key_bias=False)
    transformer.layer_norm(b, x, "layer_norm", output="last_hidden_state")
    b.output("last_hidden_state", [1, FRAMES // 2, WIDTH])
    return b.build()


if __name__ == "__main__":
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(whisper_tiny_encoder(args.opset, args.seed), args.output)
