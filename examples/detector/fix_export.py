#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites an exported ONNX model so that it does the same with fewer and better operators.

* Transpose (height and width), Conv, Transpose back => Conv with transposed kernels. The data keep their
  layout.
* Concat of Slices of one tensor that go through equal chains of element-wise operators with constants
  => the chain once, on the whole tensor, with the constants concatenated.

Usage: fix_export.py INPUT.onnx OUTPUT.onnx
"""
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

TURN = [0, 1, 3, 2]
UNARY = {"Sigmoid", "Relu", "Exp", "Tanh", "Neg", "Sqrt"}
BINARY = {"Add", "Mul", "Sub", "Div"}


class Model:
    """A graph with its producers, readers and constants at hand."""

    def __init__(self, model):
        self.model, self.graph = model, model.graph
        self.refresh()

    def refresh(self):
        self.constants = {c.name: numpy_helper.to_array(c) for c in self.graph.initializer}
        self.producer = {out: node for node in self.graph.node for out in node.output}
        self.readers = {}
        for node in self.graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        self.outputs = {output.name for output in self.graph.output}

    def only_reader(self, node):
        readers = self.readers.get(node.output[0], [])
        return readers[0] if len(readers) == 1 and node.output[0] not in self.outputs else None

    def new_constant(self, name, array):
        self.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def replace(self, removed, added):
        """Puts `added` where the last of `removed` was."""
        gone = {node.output[0] for node in removed}
        nodes = list(self.graph.node)
        at = max(i for i, node in enumerate(nodes) if node.output[0] in gone)
        kept = [node for node in nodes[:at] if node.output[0] not in gone] + added + nodes[at + 1:]
        del self.graph.node[:]
        self.graph.node.extend(kept)
        self.refresh()


def perm(node):
    return next((list(a.ints) for a in node.attribute if a.name == "perm"), None)


def axis(node):
    return next((a.i for a in node.attribute if a.name == "axis"), None)


def turned_conv(model, node):
    """`node`, a Conv, for images whose height and width are exchanged; None when it cannot be turned."""
    weights = model.constants.get(node.input[1])
    if weights is None or weights.ndim != 4 or any(a.name == "auto_pad" for a in node.attribute):
        return None
    turned = onnx.NodeProto()
    turned.CopyFrom(node)
    turned.input[1] = model.new_constant(node.input[1] + "_turned", weights.swapaxes(2, 3))
    for attribute in turned.attribute:
        if attribute.name in ("kernel_shape", "strides", "dilations"):
            attribute.ints[:] = attribute.ints[::-1]
        elif attribute.name == "pads":
            top, left, bottom, right = attribute.ints
            attribute.ints[:] = [left, top, right, bottom]
    return turned


def turn_convolutions(model):
    """Returns how many convolutions on turned images became convolutions with turned kernels."""
    count = 0
    for first in list(model.graph.node):
        conv = model.only_reader(first) if first.op_type == "Transpose" and perm(first) == TURN else None
        back = model.only_reader(conv) if conv is not None and conv.op_type == "Conv" else None
        if back is None or back.op_type != "Transpose" or perm(back) != TURN:
            continue
        turned = turned_conv(model, conv)
        if turned is None:
            continue
        turned.input[0], turned.output[0] = first.input[0], back.output[0]
        model.replace([first, conv, back], [turned])
        count += 1
    return count


def branch_of(model, name):
    """The Slice behind a value and the element-wise nodes on the way, first one first."""
    nodes, base = [], None
    while True:
        node = model.producer.get(name)
        if node is None:
            return None
        if node.op_type == "Slice":
            return node, nodes[::-1]
        if node.op_type in UNARY:
            following = [node.input[0]]
        elif node.op_type in BINARY:
            following = [value for value in node.input if value not in model.constants]
        else:
            return None
        nodes.append(node)
        # Two inputs that are no constants: one is an earlier value of the same chain.
        name = following[0]
        if len(following) == 2:
            base = following[1]
        if base is not None and name == base:
            base = None


def same_form(a, b):
    return [n.op_type for n in a] == [n.op_type for n in b]


def batch_branches(model):
    """Returns how many groups of equal branches became one."""
    count = 0
    for concat in [node for node in model.graph.node if node.op_type == "Concat"]:
        branches = [branch_of(model, name) for name in concat.input]
        if len(branches) < 2 or None in branches or not all(same_form(branches[0][1], b[1]) for b in branches):
            continue
        slices = [branch[0] for branch in branches]
        bounds = [tuple(int(model.constants[value][0]) for value in node.input[1:4]) for node in slices
                  if len(node.input) == 4 and all(value in model.constants for value in node.input[1:])]
        joined = all(a[1] == b[0] for a, b in zip(bounds, bounds[1:]))
        source = slices[0].input[0]
        if len(bounds) != len(slices) or not joined or bounds[0][0] != 0 or axis(concat) != bounds[0][2]:
            continue
        if any(node.input[0] != source for node in slices):
            continue
        renamed = {slices[0].output[0]: source}
        added = []
        for position, node in enumerate(branches[0][1]):
            inputs = []
            for slot, value in enumerate(node.input):
                if value not in model.constants:
                    inputs.append(renamed[value])
                    continue
                parts = [model.constants[branch[1][position].input[slot]] for branch in branches]
                widths = [end - begin for begin, end, _ in bounds]
                parts = [np.broadcast_to(part, [*part.shape[:1], width, *part.shape[2:]]) if part.ndim == 4
                         else np.full((1, width, 1, 1), part, part.dtype) for part, width in zip(parts, widths)]
                inputs.append(model.new_constant(f"{node.name}_all.{slot}", np.concatenate(parts, axis=1)))
            last = position == len(branches[0][1]) - 1
            output = concat.output[0] if last else f"{node.name}_all_out"
            renamed[node.output[0]] = output
            added.append(helper.make_node(node.op_type, inputs, [output], name=f"{node.name}_all"))
        removed = [concat, *slices, *(node for branch in branches for node in branch[1])]
        model.replace(removed, added)
        count += 1
    return count


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    model = Model(onnx.load(sys.argv[1]))
    turned, groups = turn_convolutions(model), batch_branches(model)
    used = {name for node in model.graph.node for name in node.input}
    kept = [constant for constant in model.graph.initializer if constant.name in used]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    onnx.checker.check_model(model.model)
    onnx.save(model.model, sys.argv[2])
    print(f"{turned} convolutions turned, {groups} groups of equal branches became one each")


if __name__ == "__main__":
    main()
