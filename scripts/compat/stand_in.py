# SPDX-License-Identifier: Apache-2.0
"""Stand-in models, images and checks for public programs whose documentation asks for downloads.

Each model has the interface of the documented one (names, shapes, types) and small fixed weights; the
checks compare what a program printed or wrote with ONNX Runtime or NumPy.
"""
import argparse
import re
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def classifier(path, name, dims, classes, nhwc=False, dtype="float32"):
    """A strided convolution, ReLU, global average, dense layer and Softmax over `classes`."""
    rng = np.random.default_rng(7)
    constants = {
        "kernel": rng.normal(0, 0.2, (16, 3, 7, 7)).astype(np.float32),
        "dense": rng.normal(0, 0.5, (16, classes)).astype(np.float32),
    }
    nodes, x = [], name
    if dtype == "float16":
        nodes.append(helper.make_node("Cast", [x], ["as_f32"], to=TensorProto.FLOAT))
        x = "as_f32"
    if nhwc:
        nodes.append(helper.make_node("Transpose", [x], ["nchw"], perm=[0, 3, 1, 2]))
        x = "nchw"
    nodes += [
        helper.make_node("Conv", [x, "kernel"], ["c"], strides=[4, 4], kernel_shape=[7, 7]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"], axis=1),
        helper.make_node("MatMul", ["f", "dense"], ["m"]),
        helper.make_node("Softmax", ["m"], ["prob"], axis=1),
    ]
    element = TensorProto.FLOAT16 if dtype == "float16" else TensorProto.FLOAT
    graph = helper.make_graph(
        nodes, "stand_in",
        [helper.make_tensor_value_info(name, element, dims)],
        [helper.make_tensor_value_info("prob", TensorProto.FLOAT, [dims[0], classes])],
        [numpy_helper.from_array(value, key) for key, value in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, path)


def image(path, dims, dtype, seed):
    """A smooth pattern with noise, as raw bytes, in 0..255 for uint8 and 0..1 otherwise."""
    rng = np.random.default_rng(seed)
    values = rng.random(dims) * np.linspace(0.2, 1, dims[-1])
    if dtype == "uint8":
        values = values * 255
    values.astype(dtype).tofile(path)


def picture(path, width, height, seed):
    """A portable pixmap, which OpenCV reads whatever the name says."""
    rng = np.random.default_rng(seed)
    pixels = (rng.random((height, width, 3)) * 255).astype(np.uint8)
    Path(path).write_bytes(b"P6 %d %d 255\n" % (width, height) + pixels.tobytes())


def run_onnx(model, inputs):
    import onnxruntime
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    feeds = {}
    for node, path in zip(session.get_inputs(), inputs):
        element = np.float16 if "float16" in node.type else np.float32
        data = np.fromfile(path, element)
        dims = [d if isinstance(d, int) else 1 for d in node.shape]
        feeds[node.name] = data.reshape(dims)
    return session.run(None, feeds)


def check_top(log, model, inputs, softmax=False):
    """The log has, per input and in order, the five best classes as ONNX Runtime finds them."""
    text = Path(log).read_text(errors="replace")
    printed = [int(i) for i in re.findall(r"top ?\d+: ?index\[(\d+)\]", text)]
    expected = []
    for path in inputs:
        expected += list(np.argsort(-run_onnx(model, [path])[0].ravel(), kind="stable")[:5])
    if printed[:len(expected)] != expected:
        sys.exit(f"printed classes {printed}, expected {expected}")


def check_bytes(path, expected, dtype, tolerance):
    got = np.fromfile(path, dtype).astype(np.float64)
    want = np.fromfile(expected, dtype).astype(np.float64)
    worst = float(np.max(np.abs(got - want))) if got.shape == want.shape else float("inf")
    if not worst <= tolerance:
        sys.exit(f"{path} differs from {expected} by {worst}, allowed {tolerance}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    p = commands.add_parser("classifier")
    p.add_argument("path")
    p.add_argument("name")
    p.add_argument("dims", help="comma-separated; letters are symbols")
    p.add_argument("classes", type=int)
    p.add_argument("--nhwc", action="store_true")
    p.add_argument("--dtype", default="float32")
    p = commands.add_parser("image")
    p.add_argument("path")
    p.add_argument("dims")
    p.add_argument("dtype")
    p.add_argument("seed", type=int)
    p = commands.add_parser("picture")
    p.add_argument("path")
    p.add_argument("width", type=int)
    p.add_argument("height", type=int)
    p.add_argument("seed", type=int)
    p = commands.add_parser("check-top")
    p.add_argument("log")
    p.add_argument("model")
    p.add_argument("inputs", nargs="+")
    p = commands.add_parser("check-bytes")
    p.add_argument("path")
    p.add_argument("expected")
    p.add_argument("dtype")
    p.add_argument("tolerance", type=float)
    a = vars(parser.parse_args())
    command = a.pop("command")
    if "dims" in a:
        a["dims"] = [int(d) if d.isdigit() else d for d in a["dims"].split(",")]
    {"classifier": classifier, "image": image, "picture": picture, "check-top": check_top,
     "check-bytes": check_bytes}[command](**a)


if __name__ == "__main__":
    main()
