#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The include checker finds a planted forbidden edge and accepts an allowed one."""

import pathlib
import tempfile
import unittest

import check_includes

TABLE = "| `ir` | x | – |\n| `ops` | x | `ir` |\n| `kernels` | x | – |\n"


class CheckIncludes(unittest.TestCase):
    def check(self, layer, include):
        edges = check_includes.allowed_edges(TABLE)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src" / layer).mkdir(parents=True)
            (root / "src" / layer / "a.cpp").write_text(f'#include "{include}"\n')
            return check_includes.violations(root, edges)

    def test_allowed_edges_pass(self):
        self.assertEqual(self.check("ops", "ir/graph.h"), [])
        self.assertEqual(self.check("ops", "base/status.h"), [])
        self.assertEqual(self.check("kernels", "kernels/isa.h"), [])

    def test_forbidden_edges_are_named(self):
        self.assertEqual(self.check("kernels", "ir/graph.h"),
                         ["src/kernels/a.cpp:1: kernels must not include ir"])


if __name__ == "__main__":
    unittest.main()
