#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The engines that bench/compare.py measures against, one class each, and the process around one.

A class has `name`, `version()`, `__init__(path, inputs, threads)` which loads the model for those
inputs, and `run()`, one inference. As a program, this file runs one engine under the protocol that
cairn-bench --interactive also speaks: a line {"load_ms": L} once the model is loaded, then for each
line `run N` on standard input a line {"ms": [N times]}, until the input ends.

Usage: engines.py ENGINE ENTRY_OF_MODELS_JSON MODELS_DIR THREADS
"""
import json
import pathlib
import sys
import time

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
        self._session.run(None, self._inputs)


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


ENGINES = {engine.name: engine for engine in (OnnxRuntime, OpenVino)}


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
    ENGINES[engine_name].version()  # importing the library is no part of loading a model
    load_ms, engine = timed_ms(
        lambda: ENGINES[engine_name](model.path, inputs, int(threads)))
    answer(load_ms=load_ms)
    for line in sys.stdin:
        _, count = line.split()
        answer(ms=[timed_ms(engine.run)[0] for _ in range(int(count))])


if __name__ == "__main__":
    main()
