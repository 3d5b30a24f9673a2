#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ResNet-50 or ResNet-18 as torchvision's export has it, with seeded, calibrated weights."""
import argparse
import functools

import cli
import layers
from graph_builder import GraphBuilder
from samples import calibration_images

BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3)}
RESIDUAL_GAIN = 0.5  # of a branch's last norm: keeps the sum over many blocks in range


def basic_block(b, x, conv_norm, channels, stride):
    y = conv_norm(b, x, channels, 3, stride, 1, names=("conv1", "bn1"))
    y = relu(b, y)
    return conv_norm(b, y, channels, 3, 1, 1, names=("conv2", "bn2"), gain=RESIDUAL_GAIN)


def bottleneck(b, x, conv_norm, channels, stride):
    y = relu(b, conv_norm(b, x, channels, 1, names=("conv1", "bn1")))
    y = relu(b, conv_norm(b, y, channels, 3, stride, 1, names=("conv2", "bn2")))
    return conv_norm(b, y, 4 * channels, 1, names=("conv3", "bn3"), gain=RESIDUAL_GAIN)


def relu(b, x):
    with b.scope("relu"):
        return b.node("Relu", x)


def residual_block(b, x, conv_norm, branch, channels, stride):
    y = branch(b, x, conv_norm, channels, stride)
    if b.values[x].shape != b.values[y].shape:
        with b.scope("downsample"):
            x = conv_norm(b, x, b.values[y].shape[1], 1, stride,
                          names=("downsample.0", "downsample.1"))
    return relu(b, b.node("Add", y, x))


def resnet(depth, fold_bn=True, opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder(f"resnet{depth}", opset, seed)
    conv_norm = functools.partial(layers.conv_batch_norm, fold=fold_bn)
    branch = bottleneck if depth >= 50 else basic_block
    shape = [1, 3, 224, 224]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6))
    x = relu(b, conv_norm(b, x, 64, 7, 2, 3, names=("conv1", "bn1")))
    with b.scope("maxpool"):
        x = b.node("MaxPool", x, ceil_mode=0, kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
    for stage, count in enumerate(BLOCKS[depth]):
        for block in range(count):
            stride = 2 if stage > 0 and block == 0 else 1
            with b.scope(f"layer{stage + 1}", f"layer{stage + 1}.{block}"):
                x = residual_block(b, x, conv_norm, branch, 64 << stage, stride)
    with b.scope("avgpool"):
        x = b.node("GlobalAveragePool", x)
    x = b.node("Flatten", x, axis=1)
    with b.scope("fc"):
        x = layers.gemm(b, x, 1000, output="output")
    b.output(x, [1, 1000])
    return b.build()


def main():
    parser = cli.parser(__doc__, opset=17)
    parser.add_argument("--depth", type=int, choices=BLOCKS, default=50)
    parser.add_argument("--fold-bn", action=argparse.BooleanOptionalAction, default=True,
                        help="fold the batch norms into the convolutions, as an export does")
    args = parser.parse_args()
    cli.save(resnet(args.depth, args.fold_bn, args.opset, args.seed), args.output)


if __name__ == "__main__":
    main()
