#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every target for a time and keeps what reaches new code in tests/fuzz/corpus.
# Usage: scripts/fuzz.sh [seconds per target, default 60] [target ...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
scripts/install_deps.sh --dev
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz >/dev/null
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do targets+=("$(basename "$source" _fuzz.cpp)"); done
fi
failed=0
for target in "${targets[@]}"; do
  seeds="tests/fuzz/corpus/$target"
  grown="build/fuzz/corpus/$target"
  findings="build/fuzz/findings/$target"
  mkdir -p "$grown" "$findings"
  echo "fuzz: $target for $seconds s"
  "build/fuzz/tests/fuzz/${target}_fuzz" "$grown" "$seeds" -max_total_time="$seconds" \
      -timeout=20 -rss_limit_mb=4096 -max_len=65536 -artifact_prefix="$findings/" \
      -print_final_stats=1 2>&1 | tail -n 12 || failed=$((failed + 1))
  if compgen -G "$findings/*" >/dev/null; then
    echo "fuzz: $target has findings in $findings" >&2
    failed=$((failed + 1))
  fi
done
[ "$failed" -eq 0 ]
