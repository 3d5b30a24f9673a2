#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long suite: everything test.sh leaves out. Usage: scripts/test_long.sh [part ...]
# Parts: clang asan tsan models fuzz. Default: all of them. README says what is in which.
set -euo pipefail
cd "$(dirname "$0")/.."
all_parts=(clang asan tsan models fuzz)
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=("${all_parts[@]}")
export CCACHE_BASEDIR="$PWD"

# Runs a command with its output in a log: quiet when it succeeds, else the end of the log.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    echo "test_long: failed: $*" >&2
    grep -E -A 8 'error:|FAILED|CMake Error' "$log" | head -n 60 >&2 || true
    tail -n 40 "$log" >&2
  fi
  rm -f "$log"
  return "$status"
}

# build_tree <folder> <preset> [configure options ...]
build_tree() {
  quietly cmake --preset "$2" -B "$1" "${@:3}"
  quietly cmake --build "$1"
}

# run_tests <build folder> <ctest selection ...>: prints the summary, and what failed in full.
run_tests() {
  local log="$1/test_long.log" status=0
  ctest --test-dir "$1" --output-on-failure --no-tests=error "${@:2}" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then cat "$log" >&2; else tail -n 12 "$log"; fi
  return "$status"
}

run_part() {
  # The networks are compared with an optimised build: instrumented, they take hours.
  local default_suite=(-LE 'long|peer|fuzz|models')
  case "$1" in
    clang)
      CC=clang-16 CXX=clang++-16 build_tree build/clang release
      run_tests build/clang "${default_suite[@]}" ;;
    asan | tsan)
      # An allocation that cannot be met throws, as it does without instruments.
      export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1
      build_tree "build/$1" "$1"
      run_tests "build/$1" "${default_suite[@]}" ;;
    models)
      build_tree build/release release
      scripts/setup_python.sh
      scripts/fetch_models.sh --all
      scripts/fetch_public_om.sh || echo "test_long: no files of the original tool chain to read"
      .venv/bin/python scripts/models/make_all.py --bench
      .venv/bin/python tests/models/compare_with_onnxruntime.py --tags default long
      .venv/bin/python tests/models/compare_with_onnxruntime.py --tags default long --passes-off
      run_tests build/release -L long ;;
    fuzz) scripts/fuzz.sh "${CAIRN_FUZZ_SECONDS:-900}" ;;
    *) echo "test_long: unknown part '$1' (${all_parts[*]})" >&2; return 2 ;;
  esac
}

# One part runs in this shell, outside any condition: there `set -e` stops it at the first failure.
if [ ${#parts[@]} -eq 1 ]; then
  scripts/install_deps.sh --dev
  run_part "${parts[0]}"
  exit
fi

failed=0
for part in "${parts[@]}"; do
  echo "test_long: $part"
  if scripts/test_long.sh "$part"; then
    echo "test_long: $part passed"
  else
    echo "test_long: $part FAILED" >&2
    failed=$((failed + 1))
  fi
done
echo "$((${#parts[@]} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
