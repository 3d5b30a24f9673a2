#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes MobileNetV2 as torchvision's export has it: ReLU6 is Clip with its bounds as inputs."""
import argparse

import cli
import layers
from graph_builder import GraphBuilder
from samples import calibration_images

# expansion, output channels, repeats, first stride
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
          (6, 320, 1, 1)]
LAST_CHANNELS = 1280


def conv_relu6(b, x, module, fold, channels, kernel, stride=1, groups=1):
    """torchvision's Conv2dNormActivation `module`: children 0 (conv), 1 (norm), 2 (ReLU6)."""
    with b.scope(module):
        x = layers.conv_batch_norm(b, x, channels, kernel, stride, kernel // 2, groups, fold=fold,
                                   names=(f"{module}.0", f"{module}.1"))
        with b.scope(f"{module}.2"):
            return b.node("Clip", x, b.constant(0.0, "float32"), b.constant(6.0, "float32"))


def inverted_residual(b, x, fold, expansion, channels, stride):
    in_channels = b.values[x].shape[1]
    hidden = in_channels * expansion
    y = x
    with b.scope("conv"):
        child = 0
        if expansion > 1:
            y = conv_relu6(b, y, "conv.0", fold, hidden, 1)
            child = 1
        y = conv_relu6(b, y, f"conv.{child}", fold, hidden, 3, stride, hidden)
        y = layers.conv_batch_norm(b, y, channels, 1, fold=fold,
                                   names=(f"conv.{child + 1}", f"conv.{child + 2}"))
    return b.node("Add", x, y) if stride == 1 and in_channels == channels else y


def mobilenetv2(fold_bn=True, opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder("mobilenetv2", opset, seed)
    shape = [1, 3, 224, 224]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6))
    with b.scope("features"):
        x = conv_relu6(b, x, "features.0", fold_bn, 32, 3, 2)
        block = 1
        for expansion, channels, repeats, first_stride in STAGES:
            for repeat in range(repeats):
                with b.scope(f"features.{block}"):
                    stride = first_stride if repeat == 0 else 1
                    x = inverted_residual(b, x, fold_bn, expansion, channels, stride)
                block += 1
        x = conv_relu6(b, x, f"features.{block}", fold_bn, LAST_CHANNELS, 1)
    x = b.node("GlobalAveragePool", x)
    x = b.node("Flatten", x, axis=1)
    with b.scope("classifier", "classifier.1"):
        x = layers.gemm(b, x, 1000, output="output")
    b.output(x, [1, 1000])
    return b.build()


def main():
    parser = cli.parser(__doc__, opset=17)
    parser.add_argument("--fold-bn", action=argparse.BooleanOptionalAction, default=True,
                        help="fold the batch norms into the convolutions, as an export does")
    args = parser.parse_args()
    cli.save(mobilenetv2(args.fold_bn, args.opset, args.seed), args.output)


if __name__ == "__main__":
    main()
