#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long suite: everything test.sh leaves out. Usage: scripts/test_long.sh [part ...]
# Parts: clang asan tsan long models fuzz. Default: all of them. README says what is in which.
set -euo pipefail
cd "$(dirname "$0")/.."
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(clang asan tsan long models fuzz)
scripts/install_deps.sh --dev
export CCACHE_BASEDIR="$PWD"

# Builds a preset quietly and runs its default suite.
preset_suite() {
  cmake --preset "$1" "${@:2}" >/dev/null
  cmake --build --preset "$1" | grep -E 'error|FAILED' || true
  ctest --test-dir "build/$1" --output-on-failure --no-tests=error -LE 'long|peer|fuzz' | tail -n 12
}

run_part() {
  case "$1" in
    clang)
      CC=clang-16 CXX=clang++-16 cmake --preset release -B build/clang >/dev/null
      cmake --build build/clang | grep -E 'error|FAILED' || true
      ctest --test-dir build/clang --output-on-failure -LE 'long|peer|fuzz' | tail -n 12 ;;
    asan | tsan) preset_suite "$1" ;;
    long)
      cmake --preset release >/dev/null && cmake --build --preset release >/dev/null
      ctest --test-dir build/release --output-on-failure -L long | tail -n 12 ;;
    models)
      scripts/setup_python.sh && scripts/fetch_models.sh --all
      .venv/bin/python scripts/models/make_all.py
      .venv/bin/python tests/models/compare_with_onnxruntime.py --bin-dir build/release/stage/bin
      .venv/bin/python tests/models/compare_with_onnxruntime.py --bin-dir build/release/stage/bin \
        --passes-off ;;
    fuzz) scripts/fuzz.sh "${CAIRN_FUZZ_SECONDS:-900}" ;;
    *) echo "test_long: unknown part '$1' (clang asan tsan long models fuzz)" >&2; return 2 ;;
  esac
}

failed=0
for part in "${parts[@]}"; do
  echo "test_long: $part"
  if (set -euo pipefail; run_part "$part"); then
    echo "test_long: $part passed"
  else
    echo "test_long: $part FAILED" >&2
    failed=$((failed + 1))
  fi
done
echo "$((${#parts[@]} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
