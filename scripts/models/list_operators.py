#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the ONNX operators of model files, each with the opsets and the models that have it.

Usage: list_operators.py MODEL.onnx...
"""
import collections
import pathlib
import sys

import onnx


def nodes(graph):
    """Yields all nodes, those of subgraphs included."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from nodes(attribute.g)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    opsets, models = collections.defaultdict(set), collections.defaultdict(list)
    for path in sys.argv[1:]:
        model = onnx.load(path, load_external_data=False)
        versions = {entry.domain: entry.version for entry in model.opset_import}
        for op in {(node.domain, node.op_type) for node in nodes(model.graph)}:
            opsets[op].add(versions[op[0]])
            models[op].append(pathlib.Path(path).stem)
    for op in sorted(opsets):
        name = "::".join(part for part in op if part)
        versions = ", ".join(map(str, sorted(opsets[op])))
        where = models[op] if len(models[op]) <= 4 else [f"{len(models[op])} models"]
        print(f"| {name} | {versions} | {', '.join(where)} |")
    print(f"{len(opsets)} operators", file=sys.stderr)


if __name__ == "__main__":
    main()
