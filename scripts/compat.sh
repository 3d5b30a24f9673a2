#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds folders with public AscendCL programs, unmodified and with their own build files, against an
# install tree, runs them and prints a table.
# Usage: scripts/compat.sh [--install TREE] [--work FOLDER] [--soc NAME] FOLDER...
# FOLDER holds CMakeLists.txt or src/CMakeLists.txt. A program whose folder name has a recipe in
# scripts/compat/ gets the model and data its documentation asks for and has its output checked; others
# run without arguments and count as passed with exit status 0. Logs: WORK/<name>/{build,run}.log.
set -uo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
install="$root/build/release/stage"
work="${TMPDIR:-/tmp}/cairn-compat"
export COMPAT_SOC=native
folders=()
while [ $# -gt 0 ]; do
  case "$1" in
    --install) install="$(cd "$2" && pwd)"; shift 2 ;;
    --work) work="$2"; shift 2 ;;
    --soc) COMPAT_SOC="$2"; shift 2 ;;
    *) folders+=("$(cd "$1" && pwd)"); shift ;;
  esac
done
if [ ${#folders[@]} -eq 0 ]; then
  sed -n '3,9s/^# //p' "${BASH_SOURCE[0]}"
  exit 2
fi
[ -f "$install/set_env.sh" ] || { echo "$install holds no installation; build the preset \"release\" first" >&2; exit 2; }
. "$install/set_env.sh"
# Names that build files of public programs read.
export INSTALL_DIR="$install" CANN_PATH="$install" ASCEND_INSTALL_PATH="$install"
export ASCEND_CANN_PACKAGE_PATH="$install" CPU_ARCH="$(uname -m)"
export THIRDPART_PATH="${THIRDPART_PATH:-$work/thirdparty}"
# Where Debian keeps OpenCV; programs include <opencv2/...>.
export CPLUS_INCLUDE_PATH="/usr/include/opencv4${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}"
export COMPAT_PYTHON="$root/.venv/bin/python3" COMPAT_SCRIPTS="$root/scripts/compat"
[ -x "$COMPAT_PYTHON" ] || COMPAT_PYTHON=python3

# Builds $1 in $2, where relative output folders of the build file (../../../out) lead.
build() {
  local source="$1"
  [ -f "$1/CMakeLists.txt" ] && grep -q add_executable "$1/CMakeLists.txt" || source="$1/src"
  cmake -S "$source" -B "$2/build/intermediates/host" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER=g++ -DCMAKE_SKIP_RPATH=TRUE \
    -DASCEND_CANN_PACKAGE_PATH="$install" -DASCEND_PATH="$install" &&
    cmake --build "$2/build/intermediates/host" -j "$(nproc)"
}

# The programs that the build left under $1.
programs() {
  find "$1" -type f -perm -u+x -not -path '*/CMakeFiles/*' -newer "$1/.started" \
    -exec sh -c 'head -c 4 "$1" | grep -q ELF' sh {} \; -not -name '*.so*' -print
}

default_run() {
  local program
  for program in $(programs "$1"); do
    echo "+ $program"
    (cd "$(dirname "$program")" && timeout 120 "$program") || return 1
  done
}

row() { printf '| %-44s | %-6s | %-6s | %s |\n' "$@"; }

failures=0
row program builds runs remarks
row --- --- --- ---
for folder in "${folders[@]}"; do
  name="$(basename "$folder")"
  place="$work/$name"
  rm -rf "$place"
  mkdir -p "$place"
  cp -r "$folder/." "$place/"
  rm -rf "$place/build" "$place/out"
  mkdir -p "$place/out"
  touch "$place/.started"
  if ! build "$folder" "$place" > "$place/build.log" 2>&1; then
    row "$name" no - "$(grep -m1 -E 'rror' "$place/build.log" | cut -c1-90)"
    failures=$((failures + 1))
    continue
  fi
  remark=
  prepare() { :; }
  run() { default_run "$1"; }
  check() { :; }
  recipe="$COMPAT_SCRIPTS/$name.sh"
  [ -f "$recipe" ] && . "$recipe"
  if (cd "$place" && set -e && prepare "$place" && run "$place") > "$place/run.log" 2>&1 &&
    (cd "$place" && check "$place/run.log") >> "$place/run.log" 2>&1; then
    row "$name" yes yes "$remark"
  else
    row "$name" yes no "$(grep -m1 -E 'ERROR|rror|not supported' "$place/run.log" | cut -c1-90)"
    failures=$((failures + 1))
  fi
done
[ "$failures" -eq 0 ]
