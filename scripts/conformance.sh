#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the backend cases of the pinned onnx package through compiler and runtime and through ONNX
# Runtime, and writes docs/conformance.md. Usage: scripts/conformance.sh [part of a case's name]
# With a part, the cases that do not pass are printed and the document stays as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup_python.sh
cmake --build --preset release --target conformance-runner >/dev/null
python=.venv/bin/python
runner=build/release/tests/conformance/conformance-runner
work=build/conformance
mkdir -p "$work"
version=$("$python" -c 'import onnx; print(onnx.__version__)')
if [ "$(cat "$work/cases/version" 2>/dev/null)" != "$version" ]; then
  "$python" -W ignore tests/conformance/export_cases.py "$work/cases"
  echo "$version" >"$work/cases/version"
fi

if [ $# -gt 0 ]; then
  "$runner" "$work/cases" "$1" 2>/dev/null | awk -F '\t' '$3 != "passed"'
  exit
fi
"$runner" "$work/cases" >"$work/cairn.tsv" 2>"$work/cairn.log"
"$python" tests/conformance/run_onnxruntime.py "$work/cases" >"$work/onnxruntime.tsv" \
  2>"$work/onnxruntime.log"
"$python" tests/conformance/report.py "$work/cases" tests/conformance/exclusions.txt \
  docs/conformance.md "$work/cairn.tsv" "$work/onnxruntime.tsv"
