#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The engines that bench/compare.py measures against, one class each, and the process around one.

A class has `name`, `version()`, `__init__(path, inputs, threads)` which loads the model for those
inputs, and `run()`, one inference, which returns the outputs. An engine with a file format of its own
has `convert(path, inputs, folder)` too: it returns the converted file, whose making is not part of loading.

As a program, this file runs one engine under the protocol that cairn-bench --interactive also speaks:
a line {"load_ms": L} once the model is loaded, then for each line `run N` on standard input a line
{"ms": [N times]}, until the input ends. Outputs of the other engines are compared with those of ONNX
Runtime first: who computes something else is not measured.

Usage: engines.py ENGINE ENTRY_OF_MODELS_JSON MODELS_DIR THREADS
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

MAX_ERROR = 1e-2  # of the largest output; other roundings stay far below

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts" / "models"))
import model_list  # noqa: E402


class OnnxRuntime:
    name = "onnxruntime"

    @staticmethod
    def version():
        import onnxruntime
        return onnxruntime.__version__

    def __init__(self, path, inputs, threads):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path), options,
                                                     providers=["CPUExecutionProvider"])
        self._inputs = inputs

    def run(self):
        return self._session.run(None, self._inputs)


class OpenVino:
    """float32 throughout: on some CPUs OpenVINO would choose bfloat16 by itself."""
    name = "openvino"

    @staticmethod
    def version():
        import openvino
        return openvino.__version__.split("-")[0]

    def __init__(self, path, inputs, threads):
        import openvino
        core = openvino.Core()
        model = core.read_model(str(path))
        model.reshape({name: list(array.shape) for name, array in inputs.items()})
        compiled = core.compile_model(model, "CPU", {
            "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32"})
        self._request = compiled.create_infer_request()
        self._inputs = list(inputs.values())

    def run(self):
        self._request.infer(self._inputs)
        return [tensor.data for tensor in self._request.output_tensors]


class Ncnn:
    """pnnx converts, float32 throughout. A mat has no batch axis: only batch 1."""
    name = "ncnn"

    @staticmethod
    def version():
        import ncnn
        return ncnn.__version__

    @staticmethod
    def convert(path, inputs, folder):
        if any(array.shape[:1] != (1,) for array in inputs.values()):
            raise Unsupported("ncnn has no batches")
        import pnnx
        program = pathlib.Path(pnnx.__file__).parent / "pnnx"
        shutil.copy(path, folder / "model.onnx")
        types = {"float32": "f32", "int64": "i64", "int32": "i32"}
        shapes = ",".join(f"[{','.join(map(str, array.shape))}]{types[array.dtype.name]}"
                          for array in inputs.values())
        call([program, "model.onnx", f"inputshape={shapes}", "fp16=0"], folder)
        param = folder / "model.ncnn.param"
        if not param.exists():
            raise Unsupported("pnnx cannot convert the model")
        left = re.findall(r"^(pnnx\.\S+|aten::\S+|onnx::\S+|prim::\S+)", param.read_text(), re.M)
        if left:
            raise Unsupported(f"pnnx leaves {', '.join(sorted(set(left)))}")
        return param

    def __init__(self, path, inputs, threads):
        import ncnn
        self._net = ncnn.Net()
        options = self._net.opt
        options.num_threads = threads
        for name in dir(options):
            if name.startswith(("use_fp16", "use_bf16", "use_int8", "use_vulkan")):
                setattr(options, name, False)
        if (self._net.load_param(str(path)) or
                self._net.load_model(str(path.with_suffix(".bin")))):
            raise Unsupported("ncnn cannot load the model")
        self._inputs = [ncnn.Mat(np.ascontiguousarray(
            array[0].astype(np.int32) if array.dtype == np.int64 else array[0])).clone()
            for array in inputs.values()]

    def run(self):
        extractor = self._net.create_extractor()
        for name, mat in zip(self._net.input_names(), self._inputs):
            extractor.input(name, mat)
        outputs = []
        for name in self._net.output_names():
            status, mat = extractor.extract(name)
            if status:
                raise Unsupported(f"ncnn stops with {status} at {name}")
            outputs.append(np.array(mat)[None])
        return outputs


class Mnn:
    """float32 throughout (precision "high")."""
    name = "mnn"

    @staticmethod
    def version():
        import MNN
        return MNN.version()

    @staticmethod
    def convert(path, _inputs, folder):
        converted = folder / "model.mnn"
        call([sys.executable, "-c", "import sys; from MNN.tools import mnnconvert; mnnconvert.main()",
              "-f", "ONNX", "--modelFile", str(path), "--MNNModel", str(converted),
              "--bizCode", "cairn"], folder)
        if not converted.exists():
            raise Unsupported("mnnconvert cannot convert the model")
        return converted

    def __init__(self, path, inputs, threads):
        import MNN
        self._mnn = MNN
        self._net = MNN.Interpreter(str(path))
        self._session = self._net.createSession(
            {"backend": "CPU", "numThread": threads, "precision": "high", "memory": "normal"})
        tensors = self._net.getSessionInputAll(self._session)
        if set(tensors) != set(inputs):
            raise Unsupported(f"MNN has inputs {sorted(tensors)}")
        for name, array in inputs.items():
            self._net.resizeTensor(tensors[name], array.shape)
        self._net.resizeSession(self._session)
        self._inputs = []
        for name, array in inputs.items():
            if array.dtype == np.int64:
                array = array.astype(np.int32)
            kind = MNN.Halide_Type_Int if array.dtype == np.int32 else MNN.Halide_Type_Float
            host = MNN.Tensor(array.shape, kind, array, MNN.Tensor_DimensionType_Caffe)
            self._inputs.append((tensors[name], host))

    def run(self):
        for tensor, host in self._inputs:
            tensor.copyFrom(host)
        self._net.runSession(self._session)
        outputs = []
        for tensor in self._net.getSessionOutputAll(self._session).values():
            shape = tensor.getShape()
            host = self._mnn.Tensor(shape, tensor.getDataType(),
                                    np.zeros(shape, np.float32),
                                    self._mnn.Tensor_DimensionType_Caffe)
            tensor.copyToHostTensor(host)
            outputs.append(np.array(host.getNumpyData()).reshape(shape))
        return outputs


ENGINES = {engine.name: engine for engine in (OnnxRuntime, OpenVino, Ncnn, Mnn)}


class Unsupported(Exception):
    """A model that an engine cannot run, with the reason."""


def call(command, folder):
    """Runs a converter, whose success its file shows."""
    subprocess.run([str(part) for part in command], cwd=folder, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=600, check=False)


def check_outputs(outputs, path, inputs):
    """The outputs, in any order, must be those of ONNX Runtime."""
    expected = OnnxRuntime(path, inputs, 1).run()
    if len(outputs) != len(expected):
        raise Unsupported(f"{len(outputs)} outputs instead of {len(expected)}")
    for theirs in expected:
        scale = np.abs(theirs).max() or 1.0
        errors = [np.abs(mine.reshape(theirs.shape) - theirs).max() / scale
                  for mine in outputs if mine.size == theirs.size]
        if not errors or not min(errors) <= MAX_ERROR:
            raise Unsupported(f"the outputs are not those of ONNX Runtime (error {errors})")


def model_inputs(model):
    """Returns the seeded inputs of a model, with the element types that the file states."""
    import onnx
    graph = onnx.load(str(model.path), load_external_data=False).graph
    dtypes = {value.name: onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
              for value in graph.input if value.name in model.inputs}
    return model.make_inputs(dtypes)


def timed_ms(action):
    start = time.perf_counter()
    result = action()
    return (time.perf_counter() - start) * 1e3, result


def answer(**content):
    print(json.dumps(content), flush=True)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    engine_name, model_name, models_dir, threads = sys.argv[1:]
    model, = model_list.load_models(models_dir, [model_name])
    inputs = model_inputs(model)
    engine_class = ENGINES[engine_name]
    engine_class.version()  # importing the library is no part of loading a model
    try:
        with tempfile.TemporaryDirectory() as folder:
            convert = getattr(engine_class, "convert", lambda path, _inputs, _folder: path)
            path = convert(model.path.resolve(), inputs, pathlib.Path(folder))
            if engine_class is not OnnxRuntime:
                check_outputs(engine_class(path, inputs, int(threads)).run(), model.path, inputs)
            load_ms, engine = timed_ms(lambda: engine_class(path, inputs, int(threads)))
    except Unsupported as unsupported:
        sys.exit(f"cannot run {model_name}: {unsupported}")
    answer(load_ms=load_ms)
    for line in sys.stdin:
        _, count = line.split()
        answer(ms=[timed_ms(engine.run)[0] for _ in range(int(count))])


if __name__ == "__main__":
    main()
