#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs compare_with_onnxruntime.py, or exits with 77 (skipped) when prepare.sh could not fetch its needs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ ! -e "$root/build/models/.ready" ]; then
  echo "skipped: tests/models/prepare.sh could not fetch the networks"
  exit 77
fi
exec "$root/.venv/bin/python" "$here/compare_with_onnxruntime.py" "$@"
