#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: compare.sh SCRIPT [argument ...]. Runs a Python script of this folder, or exits with 77 (skipped)
# when prepare.sh could not fetch its needs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ ! -e "$root/build/models/.ready" ]; then
  echo "skipped: tests/models/prepare.sh could not fetch the networks"
  exit 77
fi
exec "$root/.venv/bin/python" "$here/$1" "${@:2}"
