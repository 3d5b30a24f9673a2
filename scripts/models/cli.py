# SPDX-License-Identifier: Apache-2.0
"""The command line that all model scripts share."""
import argparse

import onnx


def parser(description, opset):
    """Returns a parser that knows OUTPUT, --opset and --seed."""
    result = argparse.ArgumentParser(description=description)
    result.add_argument("output", help="the .onnx file to write")
    result.add_argument("--opset", type=int, default=opset)
    result.add_argument("--seed", type=int, default=0)
    return result


def save(model, path):
    onnx.save(model, path)
    print(f"{path}: {len(model.graph.node)} nodes, {model.ByteSize() / 1e6:.1f} MB")
