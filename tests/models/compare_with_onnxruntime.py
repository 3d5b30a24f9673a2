#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares atc + msame with ONNX Runtime on the networks of models.json.

Each network is compiled for its input shapes, run once on seeded inputs, and every output compared:
the largest error relative to the largest value, and the root mean square of the error relative to
that of the output, must both stay within the network's tolerance.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime as ort

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "models"))
import model_list  # noqa: E402

ATC_TIMEOUT_S, MSAME_TIMEOUT_S = 600, 300
NUMPY_TYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64,
               "tensor(float16)": np.float16, "tensor(int64)": np.int64,
               "tensor(int32)": np.int32, "tensor(uint8)": np.uint8, "tensor(bool)": np.bool_}


class Failure(Exception):
    """A network that could not be run, with the reason."""


class OnnxRuntime:
    """The witness: one session on the CPU."""

    def __init__(self, path, optimise):
        options = ort.SessionOptions()
        options.log_severity_level = 3
        if not optimise:
            options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        self._session = ort.InferenceSession(str(path), options,
                                             providers=["CPUExecutionProvider"])

    def input_types(self):
        return {i.name: NUMPY_TYPES[i.type] for i in self._session.get_inputs()}

    def run(self, inputs):
        names = [output.name for output in self._session.get_outputs()]
        return dict(zip(names, self._session.run(names, inputs)))


class Cairn:
    """atc and msame of one build, on files in a temporary folder."""

    def __init__(self, bin_dir, soc_version, atc_options, passes_off):
        self._bin_dir = bin_dir
        self._soc_version = soc_version
        self._atc_options = atc_options + (["--oo_level=O0"] if passes_off else [])
        self._passes_off = passes_off

    def run(self, model, inputs, expected):
        """Returns the outputs by name; `expected` gives their order, types and shapes."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            om = folder / f"{model.name}.om"
            self._compile(model, om)
            files = []
            for index, array in enumerate(inputs.values()):
                files.append(folder / f"input_{index}.bin")
                array.tofile(files[-1])
            results = folder / "results"
            results.mkdir()
            self._call(["msame", "--model", om, "--input", ",".join(map(str, files)),
                        "--output", results, "--outfmt", "BIN"], folder, MSAME_TIMEOUT_S)
            return {name: self._read(results, f"{model.name}_output_{index}.bin", array)
                    for index, (name, array) in enumerate(expected.items())}

    def _compile(self, model, om):
        text = self._call(["atc", f"--model={model.path.resolve()}", "--framework=5",
                           f"--output={om.with_suffix('')}", f"--soc_version={self._soc_version}",
                           "--tune=off", "--log=info", f"--input_shape={model.shapes_option()}",
                           *self._atc_options], om.parent, ATC_TIMEOUT_S)
        if not om.exists():
            raise Failure(f"atc succeeded, but there is no {om.name}")
        conversions = re.search(r"layouts: (\d+) TransData", text)
        if not conversions:
            raise Failure("atc does not say how many layout conversions there are")
        # Without passes, nodes that keep a network in one layout are missing.
        if model.no_conversions and not self._passes_off and int(conversions[1]) > 0:
            raise Failure(f"{conversions[1]} layout conversions, expected none")

    def _call(self, command, folder, timeout_s):
        program = self._bin_dir / command[0]
        try:
            done = subprocess.run([program, *map(str, command[1:])], cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  errors="replace", timeout=timeout_s)
        except subprocess.TimeoutExpired:
            raise Failure(f"{command[0]} took longer than {timeout_s} s") from None
        except OSError as error:
            raise Failure(f"{command[0]} cannot be started: {error}") from None
        if done.returncode != 0 or "[ERROR]" in done.stdout:
            tail = "\n    ".join(done.stdout.strip().splitlines()[-8:])
            raise Failure(f"{command[0]} exited with {done.returncode}:\n    {tail}")
        return done.stdout

    @staticmethod
    def _read(results, name, like):
        """msame writes to <output>/<time>/."""
        found = list(results.glob(f"*/{name}"))
        if len(found) != 1:
            raise Failure(f"msame wrote {len(found)} files {name}, expected 1")
        size = found[0].stat().st_size
        if size != like.nbytes:
            raise Failure(f"{name}: {size} bytes, expected {like.nbytes} ({like.dtype} "
                          f"{list(like.shape)})")
        return np.fromfile(found[0], like.dtype).reshape(like.shape)


class UnoptimisedWitness:
    """ONNX Runtime without graph optimisation in the place of Cairn: shows how much rounding alone
    moves the outputs, and that a tolerance is not below that."""

    def run(self, model, inputs, _expected):
        return OnnxRuntime(model.path, optimise=False).run(inputs)


def split_parts(name, array, parts):
    """Yields (label, part): the whole output, or its pieces where the list names boundaries."""
    if name not in parts:
        yield name, array
        return
    axis, at = parts[name]["axis"], parts[name]["at"]
    for index, piece in enumerate(np.split(array, at, axis)):
        yield f"{name}[part {index}]", piece


def errors(actual, expected):
    """Returns (largest error, relative to the largest value; rms of the error relative to rms)."""
    if expected.size == 0:
        return 0.0, 0.0
    expected = expected.astype(np.float64)
    difference = actual.astype(np.float64) - expected
    if not np.isfinite(difference).all():
        return np.inf, np.inf
    scale = np.abs(expected).max() or 1.0
    rms = np.sqrt((expected**2).mean()) or 1.0
    return np.abs(difference).max() / scale, np.sqrt((difference**2).mean()) / rms


def compare(model, engine, optimise, seed):
    """Prints a line per output; returns whether all are within the tolerance."""
    if not model.path.exists():
        raise Failure(f"no {model.path} (scripts/models/make_all.py and "
                      "scripts/fetch_models.sh --all write the models)")
    start = time.time()
    witness = OnnxRuntime(model.path, optimise)
    types = witness.input_types()
    if list(types) != list(model.inputs):
        raise Failure(f"models.json lists inputs {list(model.inputs)}, the model has {list(types)}")
    inputs = model.make_inputs(types, seed)
    expected = witness.run(inputs)
    actual = engine.run(model, inputs, expected)
    good = True
    for name, array in expected.items():
        pairs = zip(split_parts(name, actual[name], model.parts),
                    split_parts(name, array, model.parts))
        for (label, mine), (_, theirs) in pairs:
            largest, rms = errors(mine, theirs)
            within = max(largest, rms) <= model.tolerance
            good = good and within
            verdict = "ok" if within else "WRONG"
            print(f"{model.name:30.30} {label:24.24} {largest:9.2e} {rms:9.2e} "
                  f"{model.tolerance:8.0e}  {verdict}  {time.time() - start:.1f} s", flush=True)
    return good


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="entries of models.json; default: by --tags")
    parser.add_argument("--tags", nargs="+", default=["default"])
    parser.add_argument("--models-dir", default=ROOT / "build" / "models", type=pathlib.Path)
    parser.add_argument("--bin-dir", default=ROOT / "build" / "release" / "stage" / "bin",
                        type=pathlib.Path)
    parser.add_argument("--soc-version", default="native")
    parser.add_argument("--passes-off", action="store_true", help="compile with --oo_level=O0")
    parser.add_argument("--atc-option", action="append", default=[], help="passed on to atc")
    parser.add_argument("--ort-unoptimised", action="store_true",
                        help="ONNX Runtime without its graph optimisation as the witness")
    parser.add_argument("--self-check", action="store_true",
                        help="compare ONNX Runtime with its unoptimised self; needs no build")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main():
    args = parse_arguments()
    engine = (UnoptimisedWitness() if args.self_check
              else Cairn(args.bin_dir.resolve(), args.soc_version, args.atc_option, args.passes_off))
    print(f"{'model':30} {'output':24} {'max/scale':>9} {'rms/rms':>9} {'allowed':>8}")
    passed = failed = 0
    for model in model_list.load_models(args.models_dir, args.names, args.tags):
        try:
            good = compare(model, engine, not args.ort_unoptimised, args.seed)
        except Failure as failure:
            print(f"{model.name:30.30} FAILED: {failure}", flush=True)
            good = False
        passed += good
        failed += not good
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 and passed > 0 else 1)


if __name__ == "__main__":
    main()
