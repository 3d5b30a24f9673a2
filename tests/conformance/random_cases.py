# SPDX-License-Identifier: Apache-2.0
"""Writes random valid models of one operator as backend cases; ONNX Runtime gives the results.

usage: random_cases.py <folder> [--count N] [--seed S] [--family NAME]

Shapes include rank 0, empty axes and broadcasting, axes are negative at times, and elements include
NaN, infinities and extreme integers where the operator defines them. What ONNX Runtime refuses is
left out. The folder has the form of export_cases.py, so that conformance-runner judges it.
"""
import argparse
import pathlib
import random
import shutil

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

OPSET = 21
FLOATS = ("float32", "float64", "float16")
INTS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
TOLERANCE = {"float16": (5e-3, 5e-3), "float32": (2e-4, 1e-5), "float64": (1e-6, 1e-9)}
SPECIALS = [np.nan, np.inf, -np.inf, -0.0, 0.0]


class Case:
    """A node with its operands: `inputs` are arrays or None."""

    def __init__(self, op, inputs, attrs=None, outputs=1, domain=""):
        self.op, self.inputs, self.attrs = op, inputs, attrs or {}
        self.outputs, self.domain = outputs, domain


class Make:
    """Random operands from one seeded generator."""

    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.numpy = np.random.default_rng(seed)

    def dims(self, low=0, high=4, least=0):
        rank = self.pick.randint(low, high)
        return [self.pick.choice([least, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17]) if self.pick.random() < .8
                else self.pick.randint(1, 6) for _ in range(rank)]

    def array(self, shape, dtype="float32", special=0.0, low=None, high=None):
        if dtype == "bool":
            return self.numpy.integers(0, 2, shape).astype(bool)
        kind = np.dtype(dtype)
        if kind.kind in "iu":
            info = np.iinfo(kind)
            a = max(info.min, -100) if low is None else low
            b = min(info.max, 100) if high is None else high
            values = np.asarray(self.numpy.integers(a, b + 1, shape)).astype(kind)
            if special and values.size and self.pick.random() < special:
                values.reshape(-1)[self.pick.randrange(values.size)] = self.pick.choice(
                    [info.min, info.max])
            return values
        values = np.asarray(self.numpy.standard_normal(shape)).astype(kind)
        if low is not None:
            values = np.asarray(low + (high - low) * self.numpy.random(shape)).astype(kind)
        if special and values.size and self.pick.random() < special:
            for _ in range(3):
                values.reshape(-1)[self.pick.randrange(values.size)] = self.pick.choice(SPECIALS)
        return values

    def axis(self, rank):
        return self.pick.randint(-rank, rank - 1)

    def broadcast(self, shape):
        """A shape that broadcasts against `shape`."""
        other = [1 if self.pick.random() < .3 else d for d in shape]
        return other[self.pick.randint(0, len(other)):] if self.pick.random() < .4 else other

    def axes(self, rank):
        chosen = self.pick.sample(range(rank), self.pick.randint(1, rank)) if rank else []
        return np.array([a - rank if self.pick.random() < .3 else a for a in chosen], np.int64)


UNARY = {
    "Abs": FLOATS + INTS, "Neg": FLOATS + ("int8", "int32", "int64"), "Exp": FLOATS,
    "Log": FLOATS, "Sqrt": FLOATS, "Reciprocal": FLOATS, "Floor": FLOATS, "Ceil": FLOATS,
    "Round": FLOATS, "Sign": FLOATS + INTS, "Sin": ("float32", "float64"), "Cos": ("float32",),
    "Tan": ("float32",), "Asin": ("float32",), "Acos": ("float32",), "Atan": ("float32",),
    "Sinh": ("float32",), "Cosh": ("float32",), "Asinh": ("float32",), "Atanh": ("float32",),
    "Tanh": FLOATS, "Sigmoid": FLOATS, "Erf": ("float32",), "Relu": FLOATS + ("int8", "int32"),
    "Softplus": ("float32", "float64"), "Softsign": ("float32", "float64"),
    "Elu": ("float32", "float64"), "Selu": ("float32", "float64"), "Celu": ("float32",),
    "LeakyRelu": FLOATS, "HardSigmoid": FLOATS, "HardSwish": ("float32",), "Mish": ("float32",),
    "Gelu": ("float32",), "ThresholdedRelu": ("float32",), "Identity": FLOATS + INTS + ("bool",),
    "IsNaN": FLOATS, "IsInf": ("float32", "float64"), "Not": ("bool",)}
BINARY = {
    "Add": FLOATS + INTS, "Sub": FLOATS + INTS, "Mul": FLOATS + INTS, "Div": FLOATS,
    "Pow": ("float32", "float64"), "Equal": FLOATS + INTS + ("bool",), "Less": FLOATS + INTS,
    "Greater": FLOATS + INTS, "LessOrEqual": FLOATS + INTS, "GreaterOrEqual": FLOATS + INTS,
    "And": ("bool",), "Or": ("bool",), "Xor": ("bool",), "BitwiseAnd": INTS, "BitwiseOr": INTS,
    "BitwiseXor": INTS, "PRelu": ("float32", "float64")}


def elementwise(m):
    if m.pick.random() < .4:
        op = m.pick.choice(sorted(UNARY))
        return Case(op, [m.array(m.dims(), m.pick.choice(UNARY[op]), .5)])
    if m.pick.random() < .2:
        op = m.pick.choice(["Max", "Min", "Sum", "Mean"])
        shape = m.dims(0, 3, 1)
        dtype = m.pick.choice(("float32", "float64"))
        return Case(op, [m.array(m.broadcast(shape), dtype)
                         for _ in range(m.pick.randint(1, 4))])
    if m.pick.random() < .2:
        shape, dtype = m.dims(), m.pick.choice(FLOATS[:2] + INTS)
        return Case("Where", [m.array(m.broadcast(shape), "bool"), m.array(shape, dtype),
                              m.array(m.broadcast(shape), dtype)])
    op = m.pick.choice(sorted(BINARY))
    dtype, shape = m.pick.choice(BINARY[op]), m.dims()
    other = m.broadcast(shape)
    a, b = m.array(shape, dtype, .3), m.array(other, dtype, .3)
    return Case(op, [a, b] if op == "PRelu" or m.pick.random() < .6 else [b, a])


def cast(m):
    source, target = m.pick.choice(FLOATS + INTS + ("bool",)), m.pick.choice(FLOATS + INTS)
    wide = np.dtype(target).kind == "f" or np.dtype(source).kind == "b"
    values = m.array(m.dims(), source, .4 if wide else 0) if wide else \
        m.array(m.dims(), source, low=0, high=100)
    return Case("Cast", [values], {"to": helper.np_dtype_to_tensor_dtype(np.dtype(target))})


def reduce(m):
    op = m.pick.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
                        "ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceSumSquare",
                        "ReduceLogSum", "ArgMax", "ArgMin", "CumSum", "TopK"])
    shape = m.dims(1, 4, 1)
    if op in ("ArgMax", "ArgMin"):
        return Case(op, [m.array(shape, m.pick.choice(("float32", "int32", "int8", "uint8")))],
                    {"axis": m.axis(len(shape)), "keepdims": m.pick.randint(0, 1),
                     "select_last_index": m.pick.randint(0, 1)})
    if op == "CumSum":
        dtype = m.pick.choice(("float32", "float64", "int32", "int64"))
        return Case(op, [m.array(shape, dtype), np.array(m.axis(len(shape)), np.int64)],
                    {"exclusive": m.pick.randint(0, 1), "reverse": m.pick.randint(0, 1)})
    if op == "TopK":
        axis = m.axis(len(shape))
        k = np.array([m.pick.randint(0, shape[axis])], np.int64)
        dtype = m.pick.choice(("float32", "float64", "int32", "int64"))
        return Case(op, [m.array(shape, dtype), k],
                    {"axis": axis, "largest": m.pick.randint(0, 1)}, outputs=2)
    dtype = m.pick.choice(("float32", "float64"))
    if op in ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean"):
        dtype = m.pick.choice(("float32", "float64", "int32"))
    values = m.array(shape, dtype, low=.1, high=2) if op == "ReduceLogSum" else \
        m.array(shape, dtype) if np.dtype(dtype).kind == "f" else m.array(shape, dtype, low=0, high=4)
    axes = m.axes(len(shape)) if m.pick.random() < .8 else None
    return Case(op, [values, axes],
                {"keepdims": m.pick.randint(0, 1), "noop_with_empty_axes": m.pick.randint(0, 1)})


def movement(m):
    op = m.pick.choice(["Transpose", "Concat", "Split", "Slice", "Pad", "Tile", "Expand", "Squeeze",
                        "Unsqueeze", "Reshape", "Flatten", "Gather", "GatherElements", "GatherND",
                        "ScatterElements", "ScatterND", "DepthToSpace", "SpaceToDepth", "Trilu",
                        "OneHot", "ReverseSequence", "Compress", "NonZero", "Unique"])
    dtype = m.pick.choice(("float32", "float64", "int64", "int32", "uint8", "bool"))
    shape = m.dims(1, 4, 1)
    x, rank = m.array(shape, dtype), len(shape)
    axis = m.axis(rank)
    size = shape[axis]
    index = lambda dims: m.array(dims, m.pick.choice(("int32", "int64")), low=-size, high=size - 1)
    if op == "Transpose":
        return Case(op, [x], {"perm": m.pick.sample(range(rank), rank)})
    if op == "Concat":
        parts = []
        for _ in range(m.pick.randint(1, 4)):
            part = list(shape)
            part[axis] = m.pick.randint(0, 5)
            parts.append(m.array(part, dtype))
        return Case(op, parts, {"axis": axis})
    if op == "Split":
        parts = m.pick.randint(1, min(size, 4))
        sizes = [size // parts] * parts
        sizes[0] += size - sum(sizes)
        return Case(op, [x, np.array(sizes, np.int64)], {"axis": axis}, outputs=parts)
    if op == "Slice":
        axes = m.axes(rank)
        bound = lambda: np.array([m.pick.randint(-10, 10) for _ in axes], np.int64)
        steps = np.array([m.pick.choice([-2, -1, 1, 1, 2, 3]) for _ in axes], np.int64)
        return Case(op, [x, bound(), bound(), axes, steps])
    if op == "Pad":
        x = m.array(shape, m.pick.choice(("float32", "float64", "int32", "int64")))
        mode = m.pick.choice(["constant", "edge", "reflect", "wrap"])
        most = 2 if mode == "constant" else 1
        pads = np.array([m.pick.randint(0, min(most, d - 1)) for d in shape * 2], np.int64)
        return Case(op, [x, pads], {"mode": mode})
    if op == "Tile":
        return Case(op, [x, np.array([m.pick.randint(0, 3) for _ in shape], np.int64)])
    if op == "Expand":
        return Case(op, [m.array(m.broadcast(shape), dtype), np.array(shape, np.int64)])
    if op == "Squeeze":
        x = m.array([1] + shape, dtype)
        return Case(op, [x, np.array([m.pick.choice([0, -rank - 1])], np.int64)])
    if op == "Unsqueeze":
        return Case(op, [x, np.array([m.pick.randint(-rank - 1, rank)], np.int64)])
    if op == "Reshape":
        target = [-1] if m.pick.random() < .3 else m.pick.sample(shape, rank)
        return Case(op, [x, np.array(target, np.int64)])
    if op == "Flatten":
        return Case(op, [x], {"axis": m.pick.randint(-rank, rank)})
    if op == "Gather":
        return Case(op, [x, index(m.dims(0, 2))], {"axis": axis})
    if op in ("GatherElements", "ScatterElements"):
        dims = [m.pick.randint(1, d) for d in shape]
        dims[axis] = m.pick.randint(1, size) if op[0] == "S" else m.pick.randint(1, 5)
        if op == "GatherElements":
            return Case(op, [x, index(dims)], {"axis": axis})
        order = np.argsort(m.numpy.random(dims[:axis % rank] + [size] + dims[axis % rank + 1:]),
                           axis=axis)
        rows = np.take(order, range(dims[axis]), axis=axis).astype(np.int64)
        return Case(op, [x, rows, m.array(dims, dtype)], {"axis": axis})
    if op in ("GatherND", "ScatterND"):
        depth, count = m.pick.randint(1, rank), m.pick.randint(1, 4)
        rows = [[m.pick.randint(-d, d - 1) for d in shape[:depth]] for _ in range(count)]
        if op == "GatherND":
            return Case(op, [x, np.array(rows, np.int64)])
        rows = [list(r) for r in {tuple(v % d for v, d in zip(r, shape)) for r in rows}]
        return Case(op, [x, np.array(rows, np.int64),
                         m.array([len(rows)] + shape[depth:], dtype)])
    if op in ("DepthToSpace", "SpaceToDepth"):
        block = m.pick.randint(1, 3)
        n, c, h, w = (m.pick.randint(1, 4) for _ in range(4))
        if op == "SpaceToDepth":
            return Case(op, [m.array([n, c, h * block, w * block])], {"blocksize": block})
        return Case(op, [m.array([n, c * block * block, h, w])],
                    {"blocksize": block, "mode": m.pick.choice(["DCR", "CRD"])})
    if op == "Trilu":
        x = m.array(m.dims(2, 4), m.pick.choice(("float32", "int64")))
        return Case(op, [x, np.array(m.pick.randint(-3, 3), np.int64)],
                    {"upper": m.pick.randint(0, 1)})
    if op == "OneHot":
        depth = m.pick.randint(1, 6)
        return Case(op, [m.array(m.dims(0, 3), "int64", low=-depth, high=depth - 1),
                         np.array(depth, np.int64), m.array([2], "float32")],
                    {"axis": m.pick.choice([-1, 0])})
    if op == "ReverseSequence":
        t, b = m.pick.randint(1, 6), m.pick.randint(1, 4)
        return Case(op, [m.array([t, b, 3]), m.array([b], "int64", low=0, high=t)],
                    {"time_axis": 0, "batch_axis": 1})
    if op == "Compress":
        return Case(op, [x, m.array([size], "bool")], {"axis": axis})
    if op == "NonZero":
        return Case(op, [m.array(shape, m.pick.choice(("float32", "int32", "bool")), low=0, high=1)])
    x = m.array(shape, m.pick.choice(("float32", "int64")), low=0, high=3)
    if x.dtype == np.float32:
        x = np.floor(x)
    attrs = {"sorted": m.pick.randint(0, 1)}
    if m.pick.random() < .5:
        attrs["axis"] = axis
    return Case(op, [x], attrs, outputs=4)


def windows(m, rank, attrs):
    kernel = [m.pick.randint(1, 4) for _ in range(rank)]
    strides = [m.pick.randint(1, 3) for _ in range(rank)]
    dilations = [m.pick.choice([1, 1, 2]) for _ in range(rank)]
    pads = [m.pick.randint(0, (k - 1) // 2 + (k > 1) - 1) if k > 1 else 0 for k in kernel] * 2
    attrs.update(kernel_shape=kernel, strides=strides)
    if "dilations" in attrs:
        attrs["dilations"] = dilations
    if m.pick.random() < .2:
        attrs["auto_pad"] = m.pick.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
        if "dilations" in attrs:
            attrs["dilations"] = [1] * rank
        attrs.pop("ceil_mode", None)  # See "Where the two differ" in docs/conformance.md.
    else:
        attrs["pads"] = pads
    return [m.pick.randint(7, 12) for _ in range(rank)]


def convolution(m):
    op = m.pick.choice(["Conv", "Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool",
                        "GlobalAveragePool", "GlobalMaxPool", "ConvInteger", "QLinearConv"])
    rank = m.pick.randint(1, 3) if op not in ("ConvInteger", "QLinearConv") else 2
    group = m.pick.choice([1, 1, 2, 3])
    n, c, out = m.pick.randint(1, 2), group * m.pick.randint(1, 5), group * m.pick.randint(1, 9)
    if op.startswith("Global"):
        return Case(op, [m.array([n, c] + m.dims(rank, rank, 1))])
    if "Pool" in op:
        attrs = {"ceil_mode": m.pick.randint(0, 1)}
        if op != "LpPool":
            attrs["dilations"] = None
        if op == "AveragePool":
            attrs["count_include_pad"] = m.pick.randint(0, 1)
        spatial = windows(m, rank, attrs)
        outputs = 2 if op == "MaxPool" and m.pick.random() < .5 else 1
        return Case(op, [m.array([n, c] + spatial)], attrs, outputs=outputs)
    attrs = {"group": group, "dilations": None}
    spatial = windows(m, rank, attrs)
    kernel = attrs["kernel_shape"]
    bias = m.array([out]) if m.pick.random() < .5 else None
    if op == "Conv":
        return Case(op, [m.array([n, c] + spatial), m.array([out, c // group] + kernel), bias],
                    attrs)
    if op == "ConvTranspose":
        attrs.pop("auto_pad", None)
        return Case(op, [m.array([n, c] + spatial), m.array([c, out // group] + kernel), bias],
                    attrs)
    x, w = m.array([n, c] + spatial, "uint8", low=0, high=255), \
        m.array([out, c // group] + kernel, "int8", low=-64, high=64)
    zero = np.array(m.pick.randint(0, 255), np.uint8)
    if op == "ConvInteger":
        return Case(op, [x, w.astype(np.uint8), zero], attrs)
    scale = lambda: np.array(m.pick.uniform(.01, .1), np.float32)
    return Case(op, [x, scale(), zero, w, scale(), np.array(0, np.int8),
                     np.array(m.pick.uniform(.5, 2), np.float32), np.array(128, np.uint8)], attrs)


def product(m):
    op = m.pick.choice(["MatMul", "MatMul", "Gemm", "Einsum", "MatMulInteger", "QLinearMatMul"])
    rows, inner, columns = (m.pick.choice([1, 2, 3, 5, 8, 16, 17, 33]) for _ in range(3))
    batch = m.dims(0, 2, 1)
    if op == "MatMul":
        dtype = m.pick.choice(("float32", "float64", "int32"))
        a, b = m.broadcast(batch) + [rows, inner], batch + [inner, columns]
        if m.pick.random() < .1:
            a = [inner]
        if m.pick.random() < .1:
            b = [inner]
        return Case(op, [m.array(a, dtype), m.array(b, dtype)])
    if op == "Gemm":
        ta, tb = m.pick.randint(0, 1), m.pick.randint(0, 1)
        a = m.array([inner, rows] if ta else [rows, inner])
        b = m.array([columns, inner] if tb else [inner, columns])
        c = m.array(m.broadcast([rows, columns])) if m.pick.random() < .7 else None
        return Case(op, [a, b, c], {"transA": ta, "transB": tb, "alpha": m.pick.uniform(-2, 2),
                                    "beta": m.pick.uniform(-2, 2)})
    if op == "Einsum":
        equation, shapes = m.pick.choice([
            ("ij,jk->ik", [[rows, inner], [inner, columns]]), ("ij->ji", [[rows, inner]]),
            ("bij,bjk->bik", [[2, rows, inner], [2, inner, columns]]), ("ii->i", [[rows, rows]]),
            ("ij->", [[rows, inner]]), ("...ij,...jk->...ik", [[2, rows, inner], [inner, columns]]),
            ("bhid,bhjd->bhij", [[1, 2, rows, 4], [1, 2, columns, 4]]), ("i,j->ij",
                                                                         [[rows], [inner]])])
        return Case(op, [m.array(s) for s in shapes], {"equation": equation})
    a = m.array(batch + [rows, inner], "uint8", low=0, high=255)
    b = m.array([inner, columns], m.pick.choice(("uint8", "int8")))
    zero = np.array(m.pick.randint(0, 255), np.uint8)
    if op == "MatMulInteger":
        return Case(op, [a, b, zero, np.array(3, b.dtype)])
    scale = lambda: np.array(m.pick.uniform(.01, .1), np.float32)
    return Case(op, [a, scale(), zero, b, scale(), np.array(3, b.dtype),
                     np.array(m.pick.uniform(.5, 2), np.float32), np.array(128, np.uint8)])


def network(m):
    op = m.pick.choice(["Softmax", "LogSoftmax", "Hardmax", "LayerNormalization",
                        "InstanceNormalization", "BatchNormalization", "LRN", "LpNormalization",
                        "Resize", "GridSample", "RMSNormalization", "Clip", "DFT", "STFT", "Range",
                        "GroupNormalization", "MeanVarianceNormalization"])
    shape = m.dims(1, 4, 1)
    x, axis = m.array(shape), m.axis(len(shape))
    if op in ("Softmax", "LogSoftmax", "Hardmax"):
        return Case(op, [x], {"axis": axis})
    if op == "LpNormalization":
        return Case(op, [x], {"axis": axis, "p": m.pick.randint(1, 2)})
    if op in ("LayerNormalization", "RMSNormalization"):
        tail = shape[axis % len(shape):]
        return Case(op, [x, m.array(tail)] + ([m.array(tail)] if op[0] == "L" else []),
                    {"axis": axis, "epsilon": 1e-3})
    channels = m.pick.randint(1, 6)
    x = m.array([2, channels] + m.dims(1, 3, 1))
    vector = lambda: m.array([channels])
    if op == "InstanceNormalization":
        return Case(op, [x, vector(), vector()], {"epsilon": 1e-2})
    if op == "BatchNormalization":
        return Case(op, [x, vector(), vector(), vector(), m.array([channels], low=.1, high=2)])
    if op == "GroupNormalization":
        group = m.pick.choice([g for g in range(1, channels + 1) if channels % g == 0])
        return Case(op, [x, vector(), vector()], {"num_groups": group, "epsilon": 1e-2})
    if op == "LRN":
        return Case(op, [m.array([1, channels, 3, 4])], {"size": m.pick.choice([1, 3, 5])})
    if op == "MeanVarianceNormalization":
        return Case(op, [m.array([2, channels, 4, 5])])
    if op == "Resize":
        mode = m.pick.choice(["nearest", "linear", "cubic"])
        transform = m.pick.choice(["half_pixel", "align_corners", "asymmetric",
                                   "pytorch_half_pixel"])
        # With aligned corners, only scales that give whole sizes mean the same to both.
        factor = (lambda: m.pick.choice([1, 2, 3])) if transform == "align_corners" else \
            (lambda: m.pick.uniform(.4, 3))
        scales = np.array([1, 1, factor(), factor()], np.float32)
        return Case(op, [m.array([1, channels, 6, 7]), None, scales],
                    {"mode": mode, "coordinate_transformation_mode": transform})
    if op == "GridSample":
        mode = m.pick.choice(["linear", "nearest", "cubic"])
        return Case(op, [m.array([1, channels, 5, 6]), m.array([1, 3, 4, 2], low=-1.3, high=1.3)],
                    {"mode": mode, "align_corners": m.pick.randint(0, 1),
                     "padding_mode": "zeros" if mode == "cubic" else m.pick.choice(
                         ["zeros", "border", "reflection"])})
    if op == "Clip":
        return Case(op, [m.array(shape, "float32", .5), np.array(-.5, np.float32),
                         np.array(1, np.float32)])
    if op == "DFT":
        n = m.pick.choice([1, 2, 3, 5, 8, 15, 16, 31, 64, 97])
        onesided = m.pick.randint(0, 1)
        return Case(op, [m.array([2, n, 1 if onesided else m.pick.randint(1, 2)])],
                    {"onesided": onesided, "inverse": 0 if onesided else m.pick.randint(0, 1)})
    if op == "STFT":
        length = m.pick.choice([4, 7, 8, 16])
        return Case(op, [m.array([1, 40, 1]), np.array(m.pick.randint(1, 8), np.int64),
                         m.array([length]), np.array(length, np.int64)])
    start, step = m.pick.randint(-9, 9), m.pick.choice([-3, -1, 1, 2])
    return Case("Range", [np.array(start, np.int64),
                          np.array(start + step * m.pick.randint(0, 9), np.int64),
                          np.array(step, np.int64)])


def quantised(m):
    dtype = m.pick.choice(("uint8", "int8"))
    info = np.iinfo(dtype)
    zero = lambda: np.array(m.pick.randint(info.min, info.max), dtype)
    scale = lambda: np.array(m.pick.uniform(.01, .1), np.float32)
    full = lambda shape: m.array(shape, dtype, low=info.min, high=info.max)
    shape = m.dims(1, 4, 1)
    op = m.pick.choice(["QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearAdd",
                        "QLinearMul", "QLinearSigmoid", "QLinearLeakyRelu", "QLinearConcat",
                        "QLinearGlobalAveragePool", "QLinearAveragePool", "QLinearSoftmax",
                        "QLinearWhere", "DynamicQuantizeMatMul", "MatMulIntegerToFloat", "QGemm"])
    ms = {"domain": "com.microsoft"}
    if op == "QuantizeLinear":
        return Case(op, [m.array(shape, special=.2) * 3, scale(), zero()])
    if op == "DequantizeLinear":
        return Case(op, [full(shape), scale(), zero()])
    if op == "DynamicQuantizeLinear":
        return Case(op, [m.array(shape)], outputs=3)
    if op in ("QLinearAdd", "QLinearMul"):
        return Case(op, [full(shape), scale(), zero(), full(m.broadcast(shape)), scale(), zero(),
                         scale() * 10, zero()], **ms)
    if op in ("QLinearSigmoid", "QLinearLeakyRelu"):
        return Case(op, [full(shape), scale(), zero(), scale(), zero()], **ms)
    if op == "QLinearSoftmax":
        return Case(op, [full(shape), scale(), zero(), np.array(1 / 256, np.float32), zero()],
                    {"axis": m.axis(len(shape)), "opset": 13}, **ms)
    if op == "QLinearConcat":
        parts = [v for _ in range(m.pick.randint(1, 3)) for v in (full(shape), scale(), zero())]
        return Case(op, [scale(), zero()] + parts, {"axis": m.axis(len(shape))}, **ms)
    if op == "QLinearWhere":
        return Case(op, [m.array(m.broadcast(shape), "bool"), full(shape), scale(), zero(),
                         full(m.broadcast(shape)), scale(), zero(), scale(), zero()], **ms)
    image = [1, m.pick.randint(1, 9), m.pick.randint(3, 8), m.pick.randint(3, 8)]
    if op == "QLinearGlobalAveragePool":
        return Case(op, [full(image), scale(), zero(), scale(), zero()], **ms)
    if op == "QLinearAveragePool":
        return Case(op, [full(image), scale(), zero(), scale(), zero()],
                    {"kernel_shape": [2, 3], "strides": [m.pick.randint(1, 2)] * 2}, **ms)
    rows, inner, columns = (m.pick.choice([1, 2, 5, 8, 17]) for _ in range(3))
    b = m.array([inner, columns], m.pick.choice(("uint8", "int8")))
    bias = m.array([columns]) if m.pick.random() < .5 else None
    if op == "DynamicQuantizeMatMul":
        return Case(op, [m.array([rows, inner]), b, scale(), np.array(3, b.dtype), bias], **ms)
    a = m.array([rows, inner], "uint8", low=0, high=255)
    if op == "MatMulIntegerToFloat":
        return Case(op, [a, b, scale(), scale(), np.array(7, np.uint8), np.array(3, b.dtype), bias],
                    **ms)
    return Case("QGemm", [a, scale(), np.array(7, np.uint8), b, scale(), np.array(3, b.dtype),
                          m.array([columns], "int32"), scale() * 20, np.array(128, np.uint8)], **ms)


FAMILIES = {f.__name__: f for f in
            (elementwise, cast, reduce, movement, convolution, product, network, quantised)}


def model_of(case):
    names = ["" if v is None else f"x{i}" for i, v in enumerate(case.inputs)]
    while names and not names[-1]:
        names.pop()
    attrs = {k: v for k, v in case.attrs.items() if v is not None}
    outputs = [f"y{i}" for i in range(case.outputs)]
    node = helper.make_node(case.op, names, outputs, domain=case.domain, **attrs)
    inputs = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape)
              for n, v in zip(names, case.inputs) if n]
    graph = helper.make_graph([node], "random", inputs,
                              [onnx.ValueInfoProto(name=n) for n in outputs])
    opset = 23 if case.op == "RMSNormalization" else OPSET
    imports = [helper.make_opsetid("", opset)]
    if case.domain:
        imports.append(helper.make_opsetid(case.domain, 1))
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def run(model, case):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    feed = {f"x{i}": v for i, v in enumerate(case.inputs) if v is not None}
    return session.run(None, feed)


def write(folder, model, case, results):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    del model.graph.output[:]
    for i, value in enumerate(results):
        model.graph.output.append(helper.make_tensor_value_info(
            f"y{i}", helper.np_dtype_to_tensor_dtype(value.dtype), value.shape))
        (data / f"output_{i}.pb").write_bytes(numpy_helper.from_array(value).SerializeToString())
    for i, value in enumerate(v for v in case.inputs if v is not None):
        (data / f"input_{i}.pb").write_bytes(numpy_helper.from_array(value).SerializeToString())
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    relative, absolute = 0.0, 0.0
    for value in results:
        bound = TOLERANCE.get(value.dtype.name, (0, 0))
        relative, absolute = max(relative, bound[0]), max(absolute, bound[1])
    if case.op in ("DFT", "STFT"):
        absolute = 1e-3  # Of values around 10, in float32 arithmetic.
    # A value half way between two steps may round either way in float arithmetic.
    if case.op.startswith(("QLinear", "QGemm", "Quantize")):
        absolute = max(absolute, 1.0)
    (folder / "tolerance").write_text(f"{relative} {absolute}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=sorted(FAMILIES))
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    families = [arguments.family] if arguments.family else sorted(FAMILIES)
    written = refused = 0
    for family in families:
        for i in range(arguments.count):
            case = FAMILIES[family](Make(arguments.seed * 1_000_003 + i))
            try:
                model = model_of(case)
                results = run(model, case)
            except Exception:  # pylint: disable=broad-except
                refused += 1
                continue
            write(arguments.folder / f"{family}_{i}_{case.op}", model, case, results)
            written += 1
    print(f"{written} cases, {refused} refused by ONNX Runtime")


if __name__ == "__main__":
    main()
