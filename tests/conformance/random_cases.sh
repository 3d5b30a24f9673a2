#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares random models of one operator with ONNX Runtime; prints those that differ and fails.
# Usage: random_cases.sh <conformance-runner> <cases of each family> [seed]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cases=$(mktemp -d)
trap 'rm -rf "$cases"' EXIT
"$root/.venv/bin/python" -W ignore "$root/tests/conformance/random_cases.py" "$cases" \
  --count "$2" --seed "${3:-1}"
"$1" "$cases" 2>/dev/null >"$cases/results.tsv"
if awk -F '\t' '$3 != "passed" { print; bad = 1 } END { exit !bad }' "$cases/results.tsv"; then
  exit 1
fi
