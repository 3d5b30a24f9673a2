# SPDX-License-Identifier: Apache-2.0
"""The steps of the random graphs: each adds nodes to a Builder, or nothing where no value fits."""
import numpy as np

from random_graph_builder import CHANNELS, EXTENTS, FLOATS, ONNX_TYPES

NUMBERS = FLOATS + ("int64", "int32")
ALL = NUMBERS + ("bool",)
MAX_ELEMENTS = 40000


def size(shape):
    return int(np.prod(shape, dtype=np.int64))


def window(b, x, spatial):
    """Returns kernel, strides, dilations, pads and the output extents, or None."""
    kernel = [int(b.choose((1, 1, 2, 3, 3, 5))) for _ in spatial]
    strides = [int(b.choose((1, 1, 2, 3))) for _ in spatial]
    dilations = [int(b.choose((1, 1, 1, 2))) for _ in spatial]
    reach = [(k - 1) * d for k, d in zip(kernel, dilations)]
    begin = [int(b.rng.integers(0, k // 2 + 1)) for k in kernel]
    end = [int(b.rng.integers(0, k // 2 + 1)) for k in kernel]
    room = [n + p + q - r - 1 for n, p, q, r in zip(spatial, begin, end, reach)]
    if min(room) < 0:
        return None
    return kernel, strides, dilations, begin + end, [r // s + 1 for r, s in zip(room, strides)]


def conv(b):
    x = b.pick(("float32",), (3, 4), nonempty=True)
    found = window(b, x, x.shape[2:]) if x else None
    if not found:
        return
    kernel, strides, dilations, pads, extents = found
    channels = x.shape[1]
    group = b.choose([g for g in (1, 1, 2, 5, channels) if channels % g == 0])
    out = int(b.choose((1, 2, 3, 8, 17))) * group
    if size([x.shape[0], out, *extents]) > MAX_ELEMENTS:
        return
    fan_in = channels // group * size(kernel)
    weights = b.constant(b.random_array("float32", [out, channels // group, *kernel],
                                        fan_in**-0.5))
    bias = [b.constant(b.random_array("float32", [out]))] if b.chance(0.5) else []
    y = b.node("Conv", [x, weights, *bias], [x.shape[0], out, *extents], "float32", group=group,
               kernel_shape=kernel, strides=strides, dilations=dilations, pads=pads)
    if b.chance(0.4):
        batch_normalisation(b, y)
    if b.chance(0.4):
        activation(b)


def batch_normalisation(b, x=None):
    x = x or b.pick(("float32",), (2, 3, 4))
    if not x:
        return
    parts = [b.random_array("float32", [x.shape[1]]) for _ in range(3)]
    variance = b.rng.random(x.shape[1]).astype(np.float32) + 0.5
    b.node("BatchNormalization", [x, *map(b.constant, [*parts, variance])], x.shape, "float32")


def conv_transpose(b):
    x = b.pick(("float32",), (4,), nonempty=True)
    if not x or size(x.shape) > 4000:
        return
    k, s, out = int(b.choose((1, 2, 3, 4))), int(b.choose((1, 2, 3))), int(b.choose((1, 3, 8)))
    pad = int(b.rng.integers(0, (k + 1) // 2))
    extents = [(n - 1) * s + k - 2 * pad for n in x.shape[2:]]
    if min(extents) <= 0:
        return
    weights = b.constant(b.random_array("float32", [x.shape[1], out, k, k], 0.3))
    b.node("ConvTranspose", [x, weights], [x.shape[0], out, *extents], "float32",
           kernel_shape=[k, k], strides=[s, s], pads=[pad] * 4)


def pool(b):
    x = b.pick(("float32",), (3, 4), nonempty=True)
    found = window(b, x, x.shape[2:]) if x else None
    if not found:
        return
    kernel, strides, dilations, pads, extents = found
    half = len(kernel)
    only_padding = any(p >= k for p, k in zip(pads, kernel * 2)) or max(pads) > 0 < max(dilations) - 1
    if only_padding:  # a window without elements has no maximum
        return
    attributes = {"kernel_shape": kernel, "strides": strides, "pads": pads}
    if b.chance(0.5) and all(d == 1 for d in dilations):
        b.node("AveragePool", [x], [*x.shape[:2], *extents], "float32",
               count_include_pad=int(b.chance(0.5)), **attributes)
    else:
        b.node("MaxPool", [x], [*x.shape[:2], *extents[:half]], "float32",
               dilations=dilations, **attributes)


def global_pool(b):
    x = b.pick(("float32",), (3, 4), nonempty=True)
    if x:
        b.node(b.choose(("GlobalAveragePool", "GlobalMaxPool")), [x],
               [*x.shape[:2]] + [1] * (x.rank - 2), "float32")


def activation(b):
    op = b.choose(("Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "HardSwish", "Elu",
                   "Softplus", "Erf", "Neg", "Abs", "Exp", "Clip"))
    x = b.pick(("float32",) if op in ("HardSwish", "Softplus", "Elu", "Exp") else FLOATS[:2])
    if not x:
        return
    if op == "Exp":
        x = b.node("Tanh", [x], x.shape, x.dtype)
    bounds = []
    if op == "Clip":
        bounds = [b.constant(np.array(v, x.dtype)) if b.chance(0.8) else None for v in (-0.5, 1.5)]
    b.node(op, [x, *bounds], x.shape, x.dtype)


def silu(b):
    x = b.pick(("float32",))
    if x:
        gate = b.node("Sigmoid", [x], x.shape, x.dtype)
        b.node("Mul", [x, gate] if b.chance(0.5) else [gate, x], x.shape, x.dtype)


def gelu(b):
    x = b.pick(("float32",))
    if not x:
        return
    scaled = b.node("Div", [x, b.constant(np.float32(2**0.5))], x.shape, x.dtype)
    plus = b.node("Add", [b.node("Erf", [scaled], x.shape, x.dtype), b.constant(np.float32(1))],
                  x.shape, x.dtype)
    half = b.node("Mul", [x, plus], x.shape, x.dtype)
    b.node("Mul", [half, b.constant(np.float32(0.5))], x.shape, x.dtype)


def partner(b, x):
    """A second operand: a value of the graph, or a constant that broadcasts."""
    same = [v for v in b.values if v.dtype == x.dtype and broadcast(v.shape, x.shape)]
    if same and b.chance(0.6):
        return b.choose(same)
    shape = [d if b.chance(0.6) else 1 for d in x.shape]
    shape = shape[int(b.rng.integers(0, x.rank + 1)):]
    return b.constant(b.random_array(x.dtype, shape))


def broadcast(left, right):
    try:
        shape = np.broadcast_shapes(left, right)
    except ValueError:
        return None
    return shape if size(shape) <= MAX_ELEMENTS else None


def binary(b):
    x = b.pick(NUMBERS)
    if not x:
        return
    y = partner(b, x)
    operands = [x, y] if b.chance(0.5) else [y, x]
    op = b.choose(("Add", "Add", "Mul", "Mul", "Sub", "Max", "Min"))
    b.node(op, operands, broadcast(x.shape, y.shape), x.dtype)


def divide(b):
    x = b.pick(FLOATS)
    if x:
        divisor = b.rng.random([d if b.chance(0.5) else 1 for d in x.shape]) + 0.5
        b.node("Div", [x, b.constant(divisor.astype(x.dtype))], x.shape, x.dtype)


def compare(b):
    x = b.pick(("float32", "int64"), exact=True)
    y = partner(b, x) if x else None
    if not y or not y.exact:
        return
    shape = broadcast(x.shape, y.shape)
    mask = b.node(b.choose(("Less", "Greater", "Equal", "LessOrEqual")), [x, y], shape, "bool")
    if b.chance(0.3):
        mask = b.node("Not", [mask], shape, "bool")
    if b.chance(0.7):
        b.node("Where", [mask, x, y], shape, x.dtype)


def cast(b):
    x = b.pick(ALL)
    if x:
        targets = ALL if x.dtype not in FLOATS else FLOATS
        dtype = b.choose(targets)
        b.node("Cast", [x], x.shape, dtype, to=ONNX_TYPES[dtype])


def concat(b):
    x = b.pick(ALL)
    if not x or x.rank == 0:
        return
    axis = int(b.rng.integers(x.rank))
    parts = [v for v in b.values if v.dtype == x.dtype and v.rank == x.rank
             and all(i == axis or p == q for i, (p, q) in enumerate(zip(v.shape, x.shape)))]
    operands = [b.choose(parts) for _ in range(int(b.rng.integers(1, 4)))]
    shape = list(x.shape)
    shape[axis] = sum(v.shape[axis] for v in operands)
    if size(shape) <= MAX_ELEMENTS:
        b.node("Concat", operands, shape, x.dtype, axis=axis - x.rank if b.chance(0.3) else axis)


def split(b):
    x = b.pick(ALL)
    axes = [i for i, d in enumerate(x.shape) if d > 1] if x else []
    if not axes:
        return
    axis = b.choose(axes)
    first = int(b.rng.integers(1, x.shape[axis]))
    lengths = (first, x.shape[axis] - first)
    shapes = [[n if i == axis else d for i, d in enumerate(x.shape)] for n in lengths]
    b.node_of("Split", [x, b.integers(*lengths)], shapes, x.dtype, axis=axis)


def slice_(b):
    x = b.pick(ALL)
    axes = [i for i, d in enumerate(x.shape) if d > 0] if x else []
    if not axes:
        return
    axis = b.choose(axes)
    extent = x.shape[axis]
    start, end = int(b.rng.integers(-extent, extent)), int(b.rng.integers(-extent - 2, extent + 3))
    step = int(b.choose((1, 1, 2, 3, -1, -2)))
    shape = list(x.shape)
    shape[axis] = len(range(extent)[start:end:step])
    if step < 0:
        end = end if end >= -extent else -2**40
        shape[axis] = len(range(extent)[start:(end if end > -2**40 else None):step])
    if shape[axis] == 0 and b.chance(0.9):
        return
    b.node("Slice", [x, *(b.integers(v) for v in (start, end, axis, step))], shape, x.dtype)


def transpose(b):
    x = b.pick(ALL)
    if x and x.rank > 1:
        perm = [int(i) for i in b.rng.permutation(x.rank)]
        b.node("Transpose", [x], [x.shape[i] for i in perm], x.dtype, perm=perm)


def reshape(b):
    x = b.pick(ALL, nonempty=True)
    if not x:
        return
    factors, rest = [], size(x.shape)
    while rest > 1 and len(factors) < 4:
        divisors = [d for d in (1, 2, 3, 5, 7, 8, rest) if rest % d == 0]
        factors.append(int(b.choose(divisors)))
        rest //= factors[-1]
    shape = factors + ([rest] if rest > 1 or b.chance(0.2) else [])
    written = list(shape)
    if written and b.chance(0.5):
        written[int(b.rng.integers(len(written)))] = -1
    b.node("Reshape", [x, b.constant(np.array(written, np.int64))], shape, x.dtype)


def squeeze(b):
    x = b.pick(ALL)
    if not x:
        return
    if 1 in x.shape and b.chance(0.5):
        axis = x.shape.index(1)
        b.node("Squeeze", [x, b.integers(axis)], x.shape[:axis] + x.shape[axis + 1:], x.dtype)
    elif x.rank < 5:
        axis = int(b.rng.integers(x.rank + 1))
        b.node("Unsqueeze", [x, b.integers(axis)], x.shape[:axis] + (1,) + x.shape[axis:], x.dtype)


def matmul(b):
    x = b.pick(("float32",), (1, 2, 3, 4), nonempty=True)
    if not x:
        return
    columns = int(b.choose((1, 3, 16, 17, 64)))
    if size(x.shape[:-1]) * columns > MAX_ELEMENTS or x.shape[-1] > 2000:
        return
    weights = b.constant(b.random_array("float32", [x.shape[-1], columns], x.shape[-1]**-0.5))
    y = b.node("MatMul", [x, weights], [*x.shape[:-1], columns], "float32")
    if b.chance(0.5):
        y = b.node("Add", [y, b.constant(b.random_array("float32", [columns]))], y.shape, y.dtype)
    if b.chance(0.3):
        activation(b)


def gram(b):
    """x times its own transpose: both operands are activations."""
    x = b.pick(("float32",), (2, 3, 4), nonempty=True)
    if not x or size(x.shape[:-1]) * x.shape[-2] > MAX_ELEMENTS:
        return
    perm = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    turned = b.node("Transpose", [x], [x.shape[i] for i in perm], "float32", perm=perm)
    y = b.node("MatMul", [x, turned], [*x.shape[:-1], x.shape[-2]], "float32")
    scale = np.float32(1 / max(1, x.shape[-1]))
    y = b.node("Mul", [y, b.constant(scale)], y.shape, y.dtype)
    if b.chance(0.5):
        y = b.node("Softmax", [y], y.shape, y.dtype, axis=-1)
        b.node("MatMul", [y, x], x.shape, "float32")


def gemm(b):
    x = b.pick(("float32",), (2,), nonempty=True)
    if not x or max(x.shape) > 2000:
        return
    trans_a, trans_b, out = int(b.chance(0.3)), int(b.chance(0.5)), int(b.choose((1, 5, 16, 33)))
    rows, inner = x.shape[::-1] if trans_a else x.shape
    weights = b.random_array("float32", [out, inner] if trans_b else [inner, out], inner**-0.5)
    addend = [b.constant(b.random_array("float32", b.choose(([out], [1], [], [rows, 1]))))]
    b.node("Gemm", [x, b.constant(weights), *(addend if b.chance(0.7) else [])], [rows, out],
           "float32", transA=trans_a, transB=trans_b, alpha=float(b.choose((1.0, 0.5))))


def softmax(b):
    x = b.pick(("float32",), nonempty=True)
    if x and x.rank:
        axis = int(b.rng.integers(-x.rank, x.rank))
        b.node(b.choose(("Softmax", "LogSoftmax")), [x], x.shape, x.dtype, axis=axis)


def layer_normalisation(b):
    x = b.pick(("float32",), (2, 3, 4), nonempty=True)
    if not x or x.shape[-1] < 2:
        return
    scale, bias = (b.constant(b.random_array("float32", x.shape[-1:])) for _ in range(2))
    if b.chance(0.5):
        b.node("LayerNormalization", [x, scale, bias], x.shape, "float32", axis=-1, epsilon=1e-3)
        return
    rows = [*x.shape[:-1], 1]
    mean = b.node("ReduceMean", [x, b.integers(-1)], rows, "float32")
    centred = b.node("Sub", [x, mean], x.shape, "float32")
    squares = b.node("Pow", [centred, b.constant(np.float32(2))], x.shape, "float32")
    variance = b.node("ReduceMean", [squares, b.integers(-1)], rows, "float32")
    shifted = b.node("Add", [variance, b.constant(np.float32(1e-3))], rows, "float32")
    root = b.node("Sqrt", [shifted], rows, "float32")
    normal = b.node("Div", [centred, root], x.shape, "float32")
    scaled = b.node("Mul", [normal, scale], x.shape, "float32")
    b.node("Add", [scaled, bias], x.shape, "float32")


def resize(b):
    x = b.pick(("float32",), (4,), nonempty=True)
    if not x:
        return
    factor = int(b.choose((2, 3)))
    shape = [*x.shape[:2], *(d * factor for d in x.shape[2:])]
    if size(shape) > MAX_ELEMENTS:
        return
    scales = b.constant(np.array([1, 1, factor, factor], np.float32))
    mode, where = b.choose((("nearest", "asymmetric"), ("nearest", "half_pixel"),
                            ("linear", "half_pixel"), ("linear", "align_corners"),
                            ("linear", "pytorch_half_pixel"), ("cubic", "half_pixel")))
    extra = {"nearest_mode": "floor"} if mode == "nearest" else {}
    b.node("Resize", [x, None, scales], shape, "float32", mode=mode,
           coordinate_transformation_mode=where, **extra)


def pad(b):
    x = b.pick(("float32", "int64"), (1, 2, 3, 4), nonempty=True)
    if not x:
        return
    mode = b.choose(("constant", "constant", "edge", "reflect"))
    begin, end = ([int(b.rng.integers(0, min(3, d) if mode == "reflect" else 3)) if b.chance(0.5)
                   else 0 for d in x.shape] for _ in range(2))
    shape = [d + p + q for d, p, q in zip(x.shape, begin, end)]
    if size(shape) > MAX_ELEMENTS:
        return
    fill = [b.constant(np.array(2, x.dtype))] if mode == "constant" and b.chance(0.5) else []
    b.node("Pad", [x, b.integers(*begin, *end), *fill], shape, x.dtype, mode=mode)


def gather(b):
    x = b.pick(ALL, nonempty=True)
    if not x or x.rank == 0:
        return
    axis = int(b.rng.integers(x.rank))
    count = b.choose(((), (1,), (3,), (2, 2)))
    indices = b.rng.integers(-x.shape[axis], x.shape[axis], count).astype(np.int64)
    shape = [*x.shape[:axis], *count, *x.shape[axis + 1:]]
    if size(shape) <= MAX_ELEMENTS:
        b.node("Gather", [x, b.constant(indices)], shape, x.dtype, axis=axis)


def reduce(b):
    op = b.choose(("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceL2"))
    x = b.pick(("float32",), nonempty=True)
    if not x or x.rank == 0:
        return
    axes = sorted(int(i) for i in b.rng.permutation(x.rank)[:int(b.rng.integers(1, x.rank + 1))])
    keep = b.chance(0.5)
    shape = [1 if i in axes else d for i, d in enumerate(x.shape) if keep or i not in axes]
    written = [a - x.rank if b.chance(0.3) else a for a in axes]
    b.node(op, [x, b.integers(*written)], shape, x.dtype, keepdims=int(keep))


def arg_max(b):
    x = b.pick(("float32",), nonempty=True, exact=True)
    if x and x.rank:
        axis, keep = int(b.rng.integers(x.rank)), b.chance(0.5)
        shape = [1 if i == axis else d for i, d in enumerate(x.shape) if keep or i != axis]
        b.node(b.choose(("ArgMax", "ArgMin")), [x], shape, "int64", axis=axis, keepdims=int(keep))


def expand(b):
    x = b.pick(ALL)
    if not x:
        return
    shape = [int(b.choose((1, 2, 3))) if d == 1 else d for d in x.shape]
    if b.chance(0.4):
        shape = [2, *shape]
    if size(shape) <= MAX_ELEMENTS:
        b.node("Expand", [x, b.integers(*shape) if shape else
                          b.constant(np.zeros([0], np.int64))], shape, x.dtype)


def shuffle_channels(b):
    x = b.pick(("float32",), (4,), nonempty=True)
    if not x:
        return
    n, c, h, w = x.shape
    if c % 4 == 0 and b.chance(0.5):
        b.node("DepthToSpace", [x], [n, c // 4, 2 * h, 2 * w], "float32", blocksize=2,
               mode=b.choose(("DCR", "CRD")))
    elif h % 2 == 0 and w % 2 == 0:
        b.node("SpaceToDepth", [x], [n, 4 * c, h // 2, w // 2], "float32", blocksize=2)


def residual(b):
    """A block that the fusion of epilogues looks for: conv, add of an old value, relu."""
    x = b.pick(("float32",), (4,), nonempty=True)
    if not x or x.shape[1] > 40:
        return
    c = x.shape[1]
    weights = b.constant(b.random_array("float32", [c, c, 3, 3], (9 * c)**-0.5))
    y = b.node("Conv", [x, weights], x.shape, "float32", pads=[1, 1, 1, 1])
    y = b.node("Add", [y, x] if b.chance(0.5) else [x, y], x.shape, "float32")
    if b.chance(0.7):
        b.node("Relu", [y], x.shape, "float32")


STEPS = (conv, conv, conv, batch_normalisation, conv_transpose, pool, global_pool, activation,
         activation, silu, gelu, binary, binary, binary, divide, compare, cast, concat, concat,
         split, split, slice_, transpose, transpose, reshape, squeeze, matmul, gram, gemm, softmax,
         layer_normalisation, resize, pad, gather, reduce, arg_max, expand, shuffle_channels,
         residual)


def first_inputs(b):
    picture = [int(b.choose((1, 1, 2))), int(b.choose(CHANNELS)), int(b.choose(EXTENTS)),
               int(b.choose(EXTENTS))]
    b.add_input("float32", picture)
    if b.chance(0.5):
        b.add_input("float32", [int(b.choose(EXTENTS)) for _ in range(int(b.rng.integers(0, 4)))])
    if b.chance(0.4):
        b.add_input(b.choose(("int64", "int32", "bool", "float16", "float64")),
                    [int(b.choose((1, 2, 3, 5))) for _ in range(int(b.rng.integers(0, 3)))])


def grow(b, steps):
    """Fills the builder with inputs and that many steps."""
    first_inputs(b)
    while len(b.nodes) < steps:
        b.choose(STEPS)(b)
