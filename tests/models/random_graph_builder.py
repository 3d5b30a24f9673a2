# SPDX-License-Identifier: Apache-2.0
"""Builds small random ONNX graphs whose shapes are valid by construction."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

ONNX_TYPES = {"float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE,
              "float16": TensorProto.FLOAT16, "int64": TensorProto.INT64,
              "int32": TensorProto.INT32, "uint8": TensorProto.UINT8, "bool": TensorProto.BOOL}
FLOATS = ("float32", "float16", "float64")
CHANNELS = (1, 2, 3, 4, 5, 8, 16, 17, 33, 100)
EXTENTS = (1, 2, 3, 5, 7, 8, 13)
OPSET = 18
# Operators that move values and compute nothing: their results are equal to the last bit, so that
# a discontinuous operator behind them (ArgMax, Less) has one right answer.
MOVES = {"Concat", "Split", "Slice", "Transpose", "Reshape", "Squeeze", "Unsqueeze", "Gather", "Pad",
         "Expand", "DepthToSpace", "SpaceToDepth", "Where", "MaxPool", "Max", "Min", "Relu", "Neg"}


class Value:
    """A tensor of the graph: its name, element type (a numpy name) and shape; exact: not rounded."""

    def __init__(self, name, dtype, shape, exact=True):
        self.name, self.dtype, self.shape = name, dtype, tuple(int(d) for d in shape)
        self.exact = exact

    @property
    def rank(self):
        return len(self.shape)

    def info(self):
        return helper.make_tensor_value_info(self.name, ONNX_TYPES[self.dtype], self.shape)


class Builder:
    """A graph under construction; every step adds one or a few nodes on values it picks."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.inputs, self.values, self.nodes, self.initialisers = [], [], [], []
        self._count = 0

    def chance(self, probability):
        return self.rng.random() < probability

    def choose(self, items):
        return items[int(self.rng.integers(len(items)))]

    def name(self, stem):
        self._count += 1
        return f"{stem}_{self._count}"

    def random_array(self, dtype, shape, scale=1.0):
        if dtype == "bool":
            return self.rng.random(shape) < 0.5
        if dtype in FLOATS:
            return np.asarray(self.rng.standard_normal(shape) * scale).astype(dtype)
        return self.rng.integers(0 if dtype == "uint8" else -5, 6, shape).astype(dtype)

    def add_input(self, dtype, shape):
        value = Value(self.name("in"), dtype, shape)
        self.inputs.append(value)
        self.values.append(value)

    def constant(self, array):
        """Adds an initialiser and returns it as a value that steps do not pick by themselves."""
        array = np.asarray(array)
        value = Value(self.name("const"), array.dtype.name, array.shape)
        self.initialisers.append(numpy_helper.from_array(array, value.name))
        return value

    def integers(self, *numbers):
        return self.constant(np.array(numbers, np.int64))

    def pick(self, dtypes=FLOATS, ranks=None, nonempty=False, exact=False):
        """Returns a value, a recent one with preference, or None where nothing fits."""
        fitting = [v for v in self.values
                   if v.dtype in dtypes and (ranks is None or v.rank in ranks)
                   and not (nonempty and 0 in v.shape) and (v.exact or not exact)]
        if not fitting:
            return None
        return fitting[-1] if self.chance(0.5) else self.choose(fitting)

    def node(self, op, inputs, shape, dtype, **attributes):
        """Adds a node of one output."""
        return self.node_of(op, inputs, [shape], dtype, **attributes)[0]

    def node_of(self, op, inputs, shapes, dtype, **attributes):
        exact = (op in MOVES or dtype not in FLOATS) and all(v.exact for v in inputs if v)
        outputs = [Value(self.name(op.lower()), dtype, shape, exact) for shape in shapes]
        names = [v.name if v is not None else "" for v in inputs]
        self.nodes.append(helper.make_node(op, names, [v.name for v in outputs],
                                           name="" if self.chance(0.1) else self.name("node"),
                                           **attributes))
        self.values.extend(outputs)
        return outputs

    def outputs(self):
        """Returns the values nobody reads, a few others, and at times an input or a constant; none
        that is empty, because AscendCL has no buffers of zero bytes."""
        used = {name for node in self.nodes for name in node.input}
        made = [v for v in self.values if v not in self.inputs and 0 not in v.shape]
        chosen = [v for v in made if v.name not in used or self.chance(0.15)]
        if self.chance(0.1):
            chosen.append(self.choose(self.inputs))
        if self.chance(0.1):
            chosen.append(self.constant(self.random_array("float32", (2, 3))))
        self.rng.shuffle(chosen)
        return chosen

    def model(self):
        graph = helper.make_graph(self.nodes, "random", [v.info() for v in self.inputs],
                                  [v.info() for v in self.outputs()], self.initialisers)
        return helper.make_model(graph, ir_version=8,
                                 opset_imports=[helper.make_opsetid("", OPSET)])
