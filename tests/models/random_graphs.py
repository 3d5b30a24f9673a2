#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares atc + msame with ONNX Runtime on small random graphs.

Graph number N is the same on every machine. A failure prints the number, what differs and the
command that repeats it; --keep leaves its model and inputs.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort

from random_graph_builder import Builder
from random_graph_steps import grow

TIMEOUT_S = 120
TOLERANCE = {"float32": 2e-4, "float64": 2e-4, "float16": 1e-2}
# Measurements would make the plan, and so a failure, depend on the moment: plans come from the cost model.
VARIANTS = {"native": ["--soc_version=native", "--tune=off"],
            "O0": ["--soc_version=native", "--tune=off", "--oo_level=O0"],
            "v3": ["--soc_version=Cairn-x86-64-v3"]}


class Failure(Exception):
    """A graph that could not be compiled or run, or whose result is wrong."""


def call(command, folder, cores):
    """Runs a command; raises Failure with its last lines unless it succeeds without complaint."""
    environment = dict(os.environ, CAIRN_NUM_CORES=str(cores))
    done = subprocess.run([str(c) for c in command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          timeout=TIMEOUT_S, env=environment)
    if done.returncode != 0 or "[ERROR]" in done.stdout:
        tail = "\n    ".join(done.stdout.strip().splitlines()[-6:])
        raise Failure(f"{pathlib.Path(command[0]).name} exited with {done.returncode}:\n    {tail}")


def witness(model, inputs):
    """Returns the outputs of ONNX Runtime in graph order, or None where it refuses the model."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = ort.InferenceSession(model.SerializeToString(), options,
                                       providers=["CPUExecutionProvider"])
        return [np.asarray(array) for array in session.run(None, inputs)]
    except Exception:  # each refusal has its own exception class, all direct subclasses
        return None


def read_output(folder, index, like):
    found = list(folder.glob(f"results/*/model_output_{index}.bin"))
    if len(found) != 1 or found[0].stat().st_size != like.nbytes:
        sizes = [f.stat().st_size for f in found]
        raise Failure(f"output {index}: files of {sizes} bytes, expected one of {like.nbytes}")
    return np.fromfile(found[0], like.dtype).reshape(like.shape)


def tolerance(model, array):
    types = {v.type.tensor_type.elem_type for v in model.graph.input}
    casts = {a.i for n in model.graph.node if n.op_type == "Cast" for a in n.attribute}
    half = onnx.TensorProto.FLOAT16 in types | casts
    return TOLERANCE["float16"] if half else TOLERANCE.get(array.dtype.name, 0.0)


def check(index, name, mine, theirs, allowed):
    if theirs.dtype.kind != "f":
        wrong = int((mine != theirs).sum())
        if wrong:
            raise Failure(f"output {index} {name}: {wrong} of {mine.size} values differ")
        return
    mine, theirs = mine.astype(np.float64), theirs.astype(np.float64)
    finite = np.isfinite(theirs)
    if not np.array_equal(mine[~finite], theirs[~finite], equal_nan=True):
        raise Failure(f"output {index} {name}: infinities or NaN differ")
    if not finite.any():
        return
    scale = max(np.abs(theirs[finite]).max(), 0.1)  # sums cancel to nearly nothing
    error = np.abs(mine[finite] - theirs[finite]).max() / scale
    if not error <= allowed:
        raise Failure(f"output {index} {name}{list(theirs.shape)}: error {error:.2e} of scale")


def compile_and_run(model, inputs, expected, variant, bin_dir, folder):
    """Raises Failure unless every output agrees."""
    call([bin_dir / "atc", "--model=model.onnx", "--framework=5", "--output=model",
          *VARIANTS[variant]], folder, 2)
    files = []
    for index, array in enumerate(inputs.values()):
        files.append(f"input_{index}.bin")
        array.tofile(folder / files[-1])
    (folder / "results").mkdir()
    call([bin_dir / "msame", "--model", "model.om", "--input", ",".join(files), "--output",
          "results", "--outfmt", "BIN"], folder, 2)
    for index, array in enumerate(expected):
        name = model.graph.output[index].name
        if array.size:
            check(index, name, read_output(folder, index, array), array, tolerance(model, array))


def build(number):
    """Returns graph number N, and its inputs."""
    builder = Builder(number)
    grow(builder, int(builder.rng.integers(2, 25)))
    model = builder.model()
    inputs = {v.name: builder.random_array(v.dtype, v.shape) for v in builder.inputs}
    return model, {name: np.asarray(array) for name, array in inputs.items()}


def try_graph(number, variant, args):
    """Returns "ok", "refused" (by ONNX Runtime) or what is wrong."""
    model, inputs = build(number)
    expected = witness(model, inputs)
    if expected is None:
        return "refused"
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep / f"{number}_{variant}" if args.keep else pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(model, folder / "model.onnx")
        try:
            compile_and_run(model, inputs, expected, variant, args.bin_dir.resolve(), folder)
        except (Failure, subprocess.TimeoutExpired) as failure:
            return str(failure)
    return "ok"


def parse_arguments():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--variants", nargs="+", default=["native"], choices=list(VARIANTS))
    parser.add_argument("--bin-dir", type=pathlib.Path,
                        default=root / "build" / "release" / "stage" / "bin")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder that keeps every model")
    return parser.parse_args()


def main():
    args = parse_arguments()
    cases = list(itertools.product(range(args.first, args.first + args.count), args.variants))
    counts = {"ok": 0, "refused": 0, "failed": 0}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        verdicts = pool.map(lambda case: try_graph(*case, args), cases)
        for (number, variant), verdict in zip(cases, verdicts):
            counts[verdict if verdict in counts else "failed"] += 1
            if verdict not in counts:
                print(f"graph {number} ({variant}): {verdict}\n    repeat: random_graphs.py "
                      f"--first {number} --count 1 --variants {variant}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(0 if counts["failed"] == 0 and counts["ok"] > len(cases) // 2 else 1)


if __name__ == "__main__":
    main()
