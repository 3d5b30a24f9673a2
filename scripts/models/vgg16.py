#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes VGG-16 as torchvision's export has it, with seeded weights (528 MB)."""
import cli
import layers
from graph_builder import GraphBuilder
from samples import calibration_images

POOL = "pool"
FEATURES = [64, 64, POOL, 128, 128, POOL, 256, 256, 256, POOL, 512, 512, 512, POOL, 512, 512, 512,
            POOL]


def vgg16(opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder("vgg16", opset, seed)
    shape = [1, 3, 224, 224]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6))
    module = 0
    with b.scope("features"):
        for channels in FEATURES:
            with b.scope(f"features.{module}"):
                if channels == POOL:
                    x = b.node("MaxPool", x, ceil_mode=0, kernel_shape=[2, 2], pads=[0] * 4,
                               strides=[2, 2])
                else:
                    x = layers.conv(b, x, channels, 3, padding=1)
            module += 1
            if channels != POOL:
                with b.scope(f"features.{module}"):
                    x = b.node("Relu", x)
                module += 1
    x = b.node("Flatten", x, axis=1)
    with b.scope("classifier"):
        for module in (0, 3):
            with b.scope(f"classifier.{module}"):
                x = layers.gemm(b, x, 4096)
            with b.scope(f"classifier.{module + 1}"):
                x = b.node("Relu", x)
        with b.scope("classifier.6"):
            x = layers.gemm(b, x, 1000, output="output")
    b.output(x, [1, 1000])
    return b.build()


def main():
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(vgg16(args.opset, args.seed), args.output)


if __name__ == "__main__":
    main()
