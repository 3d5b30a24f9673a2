# SPDX-License-Identifier: Apache-2.0
"""Writes the backend cases of the installed onnx package into folders.

usage: export_cases.py <folder>

Each case becomes <folder>/<name>/ with model.onnx, test_data_set_0/{input,output}_0.pb, ... and a
file `tolerance` with the relative and absolute error that the case allows; kinds.txt says which
group each case belongs to.
"""
import contextlib
import io
import pathlib
import shutil
import sys

import onnx
from onnx import numpy_helper

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")


def value_bytes(value, info):
    """The serialised value of a graph input or output."""
    kind = info.type
    if kind.HasField("sequence_type"):
        return numpy_helper.from_list(value, info.name).SerializeToString()
    if kind.HasField("optional_type"):
        return numpy_helper.from_optional(value, info.name).SerializeToString()
    if isinstance(value, onnx.TensorProto):
        return value.SerializeToString()
    return numpy_helper.from_array(value, info.name).SerializeToString()


def write_generated(case, folder):
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data = folder / f"test_data_set_{number}"
        data.mkdir()
        graph = case.model.graph
        for prefix, values, infos in (("input", inputs, graph.input),
                                      ("output", outputs, graph.output)):
            for i, (value, info) in enumerate(zip(values, infos)):
                (data / f"{prefix}_{i}.pb").write_bytes(value_bytes(value, info))


def load(kind):
    # The generators print what they do.
    with contextlib.redirect_stdout(io.StringIO()):
        from onnx.backend.test.loader import load_model_tests
        return load_model_tests(kind=kind)


def main():
    target = pathlib.Path(sys.argv[1])
    shutil.rmtree(target, ignore_errors=True)
    kinds = []
    for kind in KINDS:
        for case in load(kind):
            folder = target / case.name
            if case.model is None:
                shutil.copytree(case.model_dir, folder)
            else:
                folder.mkdir(parents=True)
                write_generated(case, folder)
            (folder / "tolerance").write_text(f"{case.rtol} {case.atol}\n")
            kinds.append(f"{case.name} {kind}\n")
    (target / "kinds.txt").write_text("".join(kinds))
    print(f"{len(kinds)} cases of onnx {onnx.__version__}")


if __name__ == "__main__":
    main()
