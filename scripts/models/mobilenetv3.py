#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes MobileNetV3-Large as torchvision's export has it: HardSwish and HardSigmoid are nodes."""
import cli
import squeeze
from graph_builder import GraphBuilder
from samples import calibration_images

# kernel, expanded channels, output channels, squeeze-and-excitation, hard swish, stride
BLOCKS = [(3, 16, 16, False, False, 1), (3, 64, 24, False, False, 2), (3, 72, 24, False, False, 1),
          (5, 72, 40, True, False, 2), (5, 120, 40, True, False, 1), (5, 120, 40, True, False, 1),
          (3, 240, 80, False, True, 2), (3, 200, 80, False, True, 1), (3, 184, 80, False, True, 1),
          (3, 184, 80, False, True, 1), (3, 480, 112, True, True, 1), (3, 672, 112, True, True, 1),
          (5, 672, 160, True, True, 2), (5, 960, 160, True, True, 1), (5, 960, 160, True, True, 1)]
LAST_CHANNELS, HIDDEN = 960, 1280


def round_to_8(channels):
    rounded = max(8, (channels + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * channels else rounded


def bottleneck(b, x, kernel, expanded, channels, excite, swish, stride):
    in_channels = b.values[x].shape[1]
    activate = squeeze.hard_swish if swish else squeeze.relu
    y, child = x, 0
    with b.scope("block"):
        if expanded != in_channels:
            y = squeeze.conv_norm_act(b, y, "block.0", expanded, 1, activate=activate)
            child = 1
        y = squeeze.conv_norm_act(b, y, f"block.{child}", expanded, kernel, stride, expanded,
                                  activate)
        if excite:
            child += 1
            with b.scope(f"block.{child}"):
                y = squeeze.squeeze_excitation(b, y, round_to_8(expanded // 4), squeeze.relu,
                                               squeeze.hard_sigmoid)
        y = squeeze.conv_norm_act(b, y, f"block.{child + 1}", channels, 1)
    return b.node("Add", y, x) if stride == 1 and in_channels == channels else y


def mobilenetv3_large(opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder("mobilenetv3_large", opset, seed)
    shape = [1, 3, 224, 224]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6))
    with b.scope("features"):
        x = squeeze.conv_norm_act(b, x, "features.0", 16, 3, 2, activate=squeeze.hard_swish)
        for index, block in enumerate(BLOCKS, 1):
            with b.scope(f"features.{index}"):
                x = bottleneck(b, x, *block)
        x = squeeze.conv_norm_act(b, x, f"features.{len(BLOCKS) + 1}", LAST_CHANNELS, 1,
                                  activate=squeeze.hard_swish)
    b.output(squeeze.classifier(b, x, LAST_CHANNELS, hidden=HIDDEN, activate=squeeze.hard_swish),
             [1, 1000])
    return b.build()


if __name__ == "__main__":
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(mobilenetv3_large(args.opset, args.seed), args.output)
