#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Opens offline models with the reader of the Netron viewer (PyPI package, pinned; needs node).
# Usage: scripts/check_viewer.sh <file.om ...>
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
version=9.3.3
folder="$root/build/netron-$version"
if [ ! -f "$folder/netron/om.js" ]; then
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder" \
    "netron==$version"
fi
node "$root/tests/modeldef/netron_check.mjs" "$folder/netron" "$@"
