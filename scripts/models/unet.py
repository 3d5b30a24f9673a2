#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a U-Net for 256x256 pictures: five levels, transposed convolutions, skip connections."""
import numpy as np

import cli
import layers
from graph_builder import GraphBuilder
from samples import calibration_images

WIDTHS = (32, 64, 128, 256, 512)


def double_conv(b, x, module, channels):
    with b.scope(module):
        for index in (0, 3):
            x = layers.conv_batch_norm(b, x, channels, 3, padding=1, fold=True,
                                       names=(f"{module}.{index}", f"{module}.{index + 1}"))
            x = b.node("Relu", x)
        return x


def up_conv(b, x, channels):
    """Transposed convolution that doubles the picture."""
    in_channels = b.values[x].shape[1]
    weight = b.rng.standard_normal((in_channels, channels, 2, 2)) * np.sqrt(1 / in_channels)
    bias = b.rng.normal(0, 0.1, channels)
    return b.node("ConvTranspose", x, b.weight("weight", weight.astype(np.float32)),
                  b.weight("bias", bias.astype(np.float32)), kernel_shape=[2, 2], strides=[2, 2],
                  dilations=[1, 1], group=1, pads=[0, 0, 0, 0])


def unet(opset=17, seed=0):
    """Returns the model: `input` [1,3,256,256] -> `output` [1,2,256,256]."""
    b = GraphBuilder("unet", opset, seed)
    shape = [1, 3, 256, 256]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6))
    skips = []
    for level, width in enumerate(WIDTHS):
        if skips:
            x = b.node("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
        x = double_conv(b, x, f"down{level}", width)
        skips.append(x)
    skips.pop()
    for level in reversed(range(len(skips))):
        with b.scope(f"up{level}"):
            x = up_conv(b, x, WIDTHS[level])
        x = b.node("Concat", skips[level], x, axis=1)
        x = double_conv(b, x, f"merge{level}", WIDTHS[level])
    with b.scope("head"):
        x = layers.conv(b, x, 2, 1)
        b.output(b.node("Sigmoid", x, output="output"), [1, 2, 256, 256])
    return b.build()


if __name__ == "__main__":
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(unet(args.opset, args.seed), args.output)
