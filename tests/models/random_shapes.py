#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares open-shape models with ONNX Runtime at random shapes in random order.

    random_shapes.py --bin-dir DIR --model NET.onnx --shape "x:1~4,3,32~640,32~640" --step 32

Compiles the network once, loads it once, and runs every shape. Reports the largest relative error,
the slowest first call of a shape and the median of later calls.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime as ort

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import acl_model  # noqa: E402

NUMPY_TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32,
               "tensor(bool)": np.bool_, "tensor(float16)": np.float16}


def parse_shapes(text):
    """{name: [(low, high), ...]} in the order of the text."""
    shapes = {}
    for item in text.split(";"):
        name, dims = item.rsplit(":", 1)
        shapes[name] = [tuple(map(int, (dim.split("~") * 2)[:2])) for dim in dims.split(",") if dim]
    return shapes


def draw(shapes, ties, step, rng):
    """Dims by input; dims named alike in `ties` ("a.1=b.0") are equal."""
    drawn = {}
    for name, ranges in shapes.items():
        drawn[name] = [low if low == high else int(rng.integers(low // step, high // step + 1)) * step
                       if low >= step else int(rng.integers(low, high + 1)) for low, high in ranges]
    for tie in ties:
        (to, to_axis), (source, axis) = (part.rsplit(".", 1) for part in tie.split("="))
        drawn[to][int(to_axis)] = drawn[source][int(axis)]
    return drawn


def make(dtype, shape, high, rng):
    if np.issubdtype(dtype, np.floating):
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, high, shape).astype(dtype)


def worst_error(actual, expected):
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return float("inf")
    if actual.size == 0:
        return 0.0
    if not np.issubdtype(expected.dtype, np.floating):
        return 0.0 if np.array_equal(actual, expected) else float("inf")
    scale = max(float(np.max(np.abs(expected))), 1e-6)
    return float(np.max(np.abs(actual.astype(np.float64) - expected))) / scale


def compile_model(options, folder):
    out = pathlib.Path(folder) / "open"
    command = [options.bin_dir / "atc", "--framework=5", f"--model={options.model.resolve()}",
               f"--output={out}", "--soc_version=native", "--tune=off"]
    if options.range:
        command.append(f"--input_shape={options.shape}")
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    return out.with_suffix(".om")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True)
    parser.add_argument("--lib-dir", type=pathlib.Path, help="default: ../lib64 of the binaries")
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--shape", required=True)
    parser.add_argument("--range", action="store_true", help="compile for this range only")
    parser.add_argument("--tie", action="append", default=[])
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--high", type=int, default=100, help="limit of integer inputs")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    shapes = parse_shapes(options.shape)
    witness = ort.InferenceSession(str(options.model), providers=["CPUExecutionProvider"])
    with tempfile.TemporaryDirectory() as folder:
        om = compile_model(options, folder)
        library = acl_model.Library(options.lib_dir or options.bin_dir.parent / "lib64")
        model = acl_model.Model(library, om)
        worst, first, later = 0.0, [], []
        for number in range(options.count):
            dims = draw(shapes, options.tie, options.step, rng)
            arrays = {i.name: make(NUMPY_TYPES[i.type], dims[i.name], options.high, rng)
                      for i in witness.get_inputs()}
            expected = witness.run(None, arrays)
            times = []
            for _ in range(2):
                start = time.perf_counter()
                actual = model.run(list(arrays.values()))
                times.append(time.perf_counter() - start)
            error = max(map(worst_error, actual, expected))
            worst = max(worst, error)
            first.append(times[0])
            later.append(times[1])
            if not error <= options.tolerance:
                print(f"shape {number} {dims}: error {error:.3g}")
        model.unload()
    print(f"{options.count} shapes, worst error {worst:.3g}; first call of a shape: median "
          f"{np.median(first) * 1e3:.2f} ms, most {max(first) * 1e3:.2f} ms; later: median "
          f"{np.median(later) * 1e3:.2f} ms")
    return 0 if worst <= options.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
