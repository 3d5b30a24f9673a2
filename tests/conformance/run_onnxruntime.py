# SPDX-License-Identifier: Apache-2.0
"""Runs exported backend cases with ONNX Runtime; lines as those of conformance-runner.

usage: run_onnxruntime.py <folder> [<part of a case's name>]
"""
import os
import pathlib
import signal
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnx.backend.test.runner import Runner

SECONDS = 60
# Element types that numpy itself lacks travel as OrtValues of their bytes.
FOREIGN = {"bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
           "float8_e8m0fnu", "int4", "uint4", "float4_e2m1fn", "int2", "uint2"}


def read_value(path, info):
    data = path.read_bytes()
    if info.type.HasField("sequence_type"):
        proto = onnx.SequenceProto.FromString(data)
        return numpy_helper.to_list(proto)
    if info.type.HasField("optional_type"):
        proto = onnx.OptionalProto.FromString(data)
        return numpy_helper.to_optional(proto)
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def read_values(folder, prefix, infos):
    values = []
    for i, info in enumerate(infos):
        path = folder / f"{prefix}_{i}.pb"
        if path.exists():
            values.append(read_value(path, info))
    return values


def as_ort_value(value, info):
    number = info.type.tensor_type.elem_type
    if value.dtype.name in FOREIGN:
        bits = value.view(np.uint16 if value.dtype.itemsize == 2 else np.uint8)
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(
            np.ascontiguousarray(bits), number)
    return onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(value))


def run_model(session, graph, inputs):
    feed = dict(zip([i.name for i in graph.input], inputs))
    wanted = {i.name for i in session.get_inputs()}
    feed = {name: value for name, value in feed.items() if name in wanted}
    foreign = any(isinstance(v, np.ndarray) and v.dtype.name in FOREIGN for v in feed.values())
    if not foreign:
        return session.run(None, feed)
    infos = {i.name: i for i in graph.input}
    values = {name: as_ort_value(value, infos[name]) for name, value in feed.items()}
    return [value.numpy() for value in session.run_with_ort_values(None, values)]


def run_case(folder):
    model = onnx.load(folder / "model.onnx")
    rtol, atol = (float(x) for x in (folder / "tolerance").read_text().split())
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options,
                                               providers=["CPUExecutionProvider"])
    except Exception as error:  # pylint: disable=broad-except
        return "unsupported", str(error)
    try:
        for data in sorted(folder.glob("test_data_set_*")):
            inputs = read_values(data, "input", model.graph.input)
            expected = read_values(data, "output", model.graph.output)
            outputs = run_model(session, model.graph, inputs)
            compare(expected, outputs, rtol, atol)
    except Exception as error:  # pylint: disable=broad-except
        return "failed", str(error)
    return "passed", ""


def compare(expected, outputs, rtol, atol):
    for want, got in zip(expected, outputs):
        if want is None or got is None:
            if want is not got:
                raise AssertionError(f"{got} instead of {want}")
        elif isinstance(want, list):
            compare(want, got, rtol, atol)
        else:
            got = np.asarray(got)
            if want.dtype.name in FOREIGN and got.dtype != want.dtype:
                got = got.view(want.dtype)
            Runner.assert_similar_outputs([want], [got], rtol, atol)


def main():
    root = pathlib.Path(sys.argv[1])
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    for folder in sorted(root.iterdir()):
        if part not in folder.name or not (folder / "model.onnx").exists():
            continue
        sys.stdout.flush()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            outcome, reason = run_case(folder)
            os.write(writer, f"{outcome}\t{' '.join(reason.split())}"[:4000].encode())
            os._exit(0)
        os.close(writer)
        text = b""
        while chunk := os.read(reader, 65536):
            text += chunk
        os.close(reader)
        _, status = os.waitpid(child, 0)
        outcome, _, reason = text.decode(errors="replace").partition("\t")
        if status != 0:
            outcome, reason = "crashed", f"signal {status & 127}"
        print(f"{folder.name}\tonnxruntime\t{outcome}\t\t{reason}")


if __name__ == "__main__":
    main()
