#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ShuffleNetV2 x1.0 as torchvision's export has it: channels are shuffled by Reshape, Transpose, Reshape."""
import cli
import layers
from graph_builder import GraphBuilder
from samples import calibration_images

STAGES = [(4, 116), (8, 232), (4, 464)]  # repeats, channels
FIRST_CHANNELS, LAST_CHANNELS = 24, 1024


def conv_norm(b, x, branch, index, channels, kernel, stride=1, groups=1, relu=True):
    """Children `index` (convolution) and `index` + 1 (norm) of a branch, and a ReLU."""
    x = layers.conv_batch_norm(b, x, channels, kernel, stride, kernel // 2, groups, fold=True,
                               names=(f"{branch}.{index}", f"{branch}.{index + 1}"))
    return b.node("Relu", x) if relu else x


def main_branch(b, x, channels, stride):
    with b.scope("branch2"):
        x = conv_norm(b, x, "branch2", 0, channels, 1)
        x = conv_norm(b, x, "branch2", 3, channels, 3, stride, channels, relu=False)
        return conv_norm(b, x, "branch2", 5, channels, 1)


def shuffle(b, x):
    _, channels, height, width = b.values[x].shape
    x = b.node("Reshape", x, b.constant([1, 2, channels // 2, height, width]))
    x = b.node("Transpose", x, perm=[0, 2, 1, 3, 4])
    return b.node("Reshape", x, b.constant([1, channels, height, width]))


def unit(b, x, channels, stride):
    half = channels // 2
    if stride == 1:
        kept, x = b.node("Split", x, b.constant([half, half]), outputs=2, axis=1)
        return shuffle(b, b.node("Concat", kept, main_branch(b, x, half, 1), axis=1))
    with b.scope("branch1"):
        y = conv_norm(b, x, "branch1", 0, b.values[x].shape[1], 3, 2, b.values[x].shape[1],
                      relu=False)
        y = conv_norm(b, y, "branch1", 2, half, 1)
    return shuffle(b, b.node("Concat", y, main_branch(b, x, half, 2), axis=1))


def shufflenetv2(opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder("shufflenetv2", opset, seed)
    shape = [1, 3, 224, 224]  # no larger batch: the shuffles state their shapes
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6)[:1])
    with b.scope("conv1"):
        x = conv_norm(b, x, "conv1", 0, FIRST_CHANNELS, 3, 2)
    x = b.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for stage, (repeats, channels) in enumerate(STAGES, 2):
        for repeat in range(repeats):
            with b.scope(f"stage{stage}", f"stage{stage}.{repeat}"):
                x = unit(b, x, channels, 2 if repeat == 0 else 1)
    with b.scope("conv5"):
        x = conv_norm(b, x, "conv5", 0, LAST_CHANNELS, 1)
    x = b.node("ReduceMean", x, axes=[2, 3], keepdims=0)
    with b.scope("fc"):
        x = layers.gemm(b, x, 1000, output="output")
    b.output(x, [1, 1000])
    return b.build()


if __name__ == "__main__":
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(shufflenetv2(args.opset, args.seed), args.output)
