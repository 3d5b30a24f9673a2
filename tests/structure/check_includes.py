#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a file under src/ includes a layer that the table in docs/architecture.md forbids."""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
# Layers that string others together may reach everything their parts may.
CLOSED_UNDER_PARTS = {"compiler"}


def allowed_edges(table_text):
    """Returns {layer: set of layers it may include} from the Markdown table."""
    edges = {}
    for line in table_text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        match = re.fullmatch(r"`([\w/]+)`", cells[0]) if len(cells) == 3 else None
        if match:
            edges[match.group(1)] = set(re.findall(r"`([\w/]+)`", cells[2]))
    for layer in CLOSED_UNDER_PARTS & edges.keys():
        reached = set(edges[layer])
        for part in list(reached):
            reached |= edges.get(part, set())
        edges[layer] = reached
    return edges


def layer_of(path, layers):
    """The layer whose folder holds `path` (relative to src/), longest match first."""
    for layer in sorted(layers, key=len, reverse=True):
        if str(path).startswith(layer + "/"):
            return layer
    return None


def violations(root, edges):
    source = root / "src"
    found = []
    for path in sorted(source.rglob("*")):
        if path.suffix not in {".h", ".cpp", ".def", ".inc"}:
            continue
        layer = layer_of(path.relative_to(source), edges)
        if layer is None:
            continue  # src/devices/device_list.cpp: the list that joins device kinds.
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            target = layer_of(match.group(1), edges) if match else None
            if target and target not in {layer, "base"} and target not in edges[layer]:
                found.append(f"{path.relative_to(root)}:{number}: {layer} must not include {target}")
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    edges = allowed_edges((root / "docs" / "architecture.md").read_text(encoding="utf-8"))
    if len(edges) < 15:
        sys.exit("docs/architecture.md: the table of layers was not found")
    found = violations(root, edges)
    print("\n".join(found) if found else "include rules hold")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
