#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a small object detector the way some exporters do: correct, and hard on the hardware.

Its blocks filter the rows of the image and then its columns; the columns are filtered as rows of the
transposed image, so the data change their layout several times a block, and no compiler may leave that out.
Its head decodes every anchor box by operators of its own. fix_export.py repairs both.

Usage: make_detector.py OUTPUT.onnx [--size 256] [--anchors 16]
"""
import argparse

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 13
CLASSES = 3
BOX_VALUES = 5 + CLASSES
# Channels and number of blocks at 1/2, 1/4, 1/8 and 1/16 of the image.
STAGES = [(16, 3), (24, 3), (32, 3), (48, 3)]


class Detector:
    """Nodes and constants under construction; values go by name."""

    def __init__(self, size, anchors):
        self.size, self.anchors = size, anchors
        self.rng = np.random.default_rng(7)
        self.nodes, self.constants = [], []

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def weights(self, name, *shape):
        fan_in = int(np.prod(shape[1:]))
        return self.constant(name, self.rng.normal(0, (2 / fan_in) ** 0.5, shape).astype(np.float32))

    def add(self, op, name, inputs, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [name + "_out"], name=name, **attributes))
        return name + "_out"

    def conv(self, name, x, in_channels, out_channels, kernel, stride=1, group=1):
        height, width = kernel
        weights = self.weights(name + ".weight", out_channels, in_channels // group, height, width)
        bias = self.constant(name + ".bias", self.rng.normal(0, 0.1, out_channels).astype(np.float32))
        pads = [height // 2, width // 2] * 2
        return self.add("Conv", name, [x, weights, bias], kernel_shape=[height, width],
                        strides=[stride, stride], pads=pads, group=group)

    def block(self, name, x, channels):
        """Rows, then columns as rows of the transposed image."""
        y = self.conv(name + "/rows", x, channels, channels, (1, 5), group=channels)
        y = self.add("Transpose", name + "/turn", [y], perm=[0, 1, 3, 2])
        y = self.conv(name + "/columns", y, channels, channels, (1, 5), group=channels)
        y = self.add("Transpose", name + "/turn_back", [y], perm=[0, 1, 3, 2])
        return self.add("Relu", name + "/relu", [y])

    def head(self, name, x, channels, side):
        """Boxes of one scale: every anchor is cut out and decoded on its own."""
        raw = self.conv(name + "/conv", x, channels, self.anchors * BOX_VALUES, (1, 1))
        stride = self.size / side
        rows, columns = np.mgrid[0:side, 0:side].astype(np.float32)
        boxes = []
        for anchor in range(self.anchors):
            at = f"{name}/anchor{anchor}"
            bounds = [self.constant(f"{at}.{what}", np.array([value], np.int64))
                      for what, value in (("begin", anchor * BOX_VALUES), ("end", (anchor + 1) * BOX_VALUES),
                                          ("axis", 1))]
            y = self.add("Slice", at + "/slice", [raw, *bounds])
            y = self.add("Sigmoid", at + "/sigmoid", [y])
            # x and y: (2 s - 0.5 + cell) * stride; width and height: (2 s)^2 * size; scores: s.
            square = np.zeros((1, BOX_VALUES, 1, 1), np.float32)
            linear = np.ones((1, BOX_VALUES, 1, 1), np.float32)
            shift = np.zeros((1, BOX_VALUES, side, side), np.float32)
            square[0, 2:4] = 4 * stride * (1 + anchor)
            linear[0, 0:2], linear[0, 2:4] = 2 * stride, 0
            shift[0, 0], shift[0, 1] = (columns - 0.5) * stride, (rows - 0.5) * stride
            z = self.add("Mul", at + "/square", [y, self.constant(at + ".square", square)])
            z = self.add("Add", at + "/slope", [z, self.constant(at + ".linear", linear)])
            z = self.add("Mul", at + "/scale", [z, y])
            boxes.append(self.add("Add", at + "/shift", [z, self.constant(at + ".shift", shift)]))
        return self.add("Concat", name + "/concat", boxes, axis=1)

    def build(self):
        x, channels, side = "images", 3, self.size
        outputs = []
        for number, (width, blocks) in enumerate(STAGES):
            side //= 2
            x = self.conv(f"stage{number}/down", x, channels, width, (3, 3), stride=2)
            x = self.add("Relu", f"stage{number}/down_relu", [x])
            channels = width
            for block in range(blocks):
                x = self.block(f"stage{number}/block{block}", x, channels)
            if number >= 2:
                y = self.conv(f"head{number}/pool", x, channels, channels, (3, 3), stride=2,
                              group=channels)
                outputs.append((self.head(f"head{number}", y, channels, side // 2), side // 2))
        graph = helper.make_graph(
            self.nodes, "detector",
            [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, self.size, self.size])],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT,
                                           [1, self.anchors * BOX_VALUES, cells, cells])
             for name, cells in outputs], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model)
        return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--size", type=int, default=256, help="side of the image, a multiple of 32")
    parser.add_argument("--anchors", type=int, default=16, help="boxes of each cell")
    arguments = parser.parse_args()
    onnx.save(Detector(arguments.size, arguments.anchors).build(), arguments.output)


if __name__ == "__main__":
    main()
