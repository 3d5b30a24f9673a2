#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes EfficientNet-B0 as torchvision's export has it: SiLU as Sigmoid and Mul."""
import cli
import squeeze
from graph_builder import GraphBuilder
from samples import calibration_images

# expansion, kernel, first stride, output channels, repeats
STAGES = [(1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3),
          (6, 5, 2, 192, 4), (6, 3, 1, 320, 1)]
LAST_CHANNELS = 1280


def mb_conv(b, x, expansion, kernel, stride, channels):
    in_channels = b.values[x].shape[1]
    hidden = in_channels * expansion
    y, child = x, 0
    with b.scope("block"):
        if expansion > 1:
            y = squeeze.conv_norm_act(b, y, "block.0", hidden, 1, activate=squeeze.silu)
            child = 1
        y = squeeze.conv_norm_act(b, y, f"block.{child}", hidden, kernel, stride, hidden,
                                  squeeze.silu)
        with b.scope(f"block.{child + 1}"):
            y = squeeze.squeeze_excitation(b, y, in_channels // 4, squeeze.silu, squeeze.sigmoid)
        y = squeeze.conv_norm_act(b, y, f"block.{child + 2}", channels, 1)
    return b.node("Add", y, x) if stride == 1 and in_channels == channels else y


def efficientnet_b0(opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder("efficientnet_b0", opset, seed)
    shape = [1, 3, 224, 224]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6))
    with b.scope("features"):
        x = squeeze.conv_norm_act(b, x, "features.0", 32, 3, 2, activate=squeeze.silu)
        for stage, (expansion, kernel, first_stride, channels, repeats) in enumerate(STAGES, 1):
            for repeat in range(repeats):
                with b.scope(f"features.{stage}", f"features.{stage}.{repeat}"):
                    stride = first_stride if repeat == 0 else 1
                    x = mb_conv(b, x, expansion, kernel, stride, channels)
        x = squeeze.conv_norm_act(b, x, "features.8", LAST_CHANNELS, 1, activate=squeeze.silu)
    b.output(squeeze.classifier(b, x, LAST_CHANNELS), [1, 1000])
    return b.build()


if __name__ == "__main__":
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(efficientnet_b0(args.opset, args.seed), args.output)
