#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes .venv/ with the pinned Python packages of the tests (--bench adds those of the benchmarks).
# Usage: scripts/setup_python.sh [--bench]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

requirements=(-r scripts/requirements.txt)
stamp=.venv/.requirements
case "${1:-}" in
  "") ;;
  --bench) requirements+=(-r scripts/requirements-bench.txt); stamp=.venv/.requirements-bench ;;
  *) echo "usage: scripts/setup_python.sh [--bench]" >&2; exit 2 ;;
esac

wanted=$(cat scripts/requirements*.txt | sha256sum)
if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
  exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ ! -x .venv/bin/python ]; then
  python3 -m venv .venv >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "setup_python: python3 -m venv failed (scripts/install_deps.sh installs python3-venv)" >&2
    exit 1
  }
fi
.venv/bin/pip install --quiet --disable-pip-version-check --retries 2 "${requirements[@]}" >"$log" 2>&1 || {
  why=$(grep -m1 ERROR "$log" || tail -n 1 "$log")
  echo "setup_python: pip could not install ${requirements[*]}: $why" >&2
  exit 1
}
if [ "${1:-}" = --bench ]; then
  .venv/bin/pip install --quiet --disable-pip-version-check --retries 2 --no-deps \
    -r scripts/requirements-bench-nodeps.txt >"$log" 2>&1 || {
    echo "setup_python: pip could not install pnnx: $(tail -n 1 "$log")" >&2
    exit 1
  }
fi
echo "$wanted" >"$stamp"
