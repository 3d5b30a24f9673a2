#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds, runs the default test suite; the last line is "N passed, N failed".
# Usage: ./test.sh [ctest options]        e.g. ./test.sh -R base
set -euo pipefail
cd "$(dirname "$0")"

scripts/install_deps.sh
export CCACHE_BASEDIR="$PWD"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "test: building"
if ! { cmake --preset release && cmake --build --preset release; } >"$log" 2>&1; then
  grep -E -A 8 'error|FAILED|CMake Error' "$log" | head -60 >&2 || tail -n 40 "$log" >&2
  echo "test: the build failed; the whole log: cmake --build --preset release" >&2
  exit 1
fi

echo "test: running"
status=0
ctest --test-dir build/release --output-on-failure --no-tests=error -j"$(nproc)" \
      -LE 'long|peer|fuzz' "$@" >"$log" 2>&1 || status=$?
if [ "$status" -ne 0 ]; then cat "$log"; fi
# ctest: "97% tests passed, 2 tests failed out of 60"
summary=$(grep -E 'tests passed, [0-9]+ tests failed out of' "$log" | tail -n 1 || true)
failed=$(sed -E 's/.*passed, ([0-9]+) tests failed.*/\1/' <<<"$summary")
total=$(sed -E 's/.*out of ([0-9]+).*/\1/' <<<"$summary")
if [ -z "$summary" ]; then
  cat "$log" >&2
  echo "test: no test ran" >&2
  exit 1
fi
echo "$((total - failed)) passed, $failed failed"
exit "$status"
