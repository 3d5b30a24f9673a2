#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a finished release build under a version folder with the `latest` link, so that
# `source <prefix>/set_env.sh` works. Usage: scripts/install.sh [--prefix P]
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
prefix=/usr/local/Ascend/ascend-toolkit
case "${1:-}" in
  "") ;;
  --prefix) prefix="$(realpath -m "${2:?--prefix needs a folder}")" ;;
  --prefix=*) prefix="$(realpath -m "${1#--prefix=}")" ;;
  *) echo "usage: scripts/install.sh [--prefix P]" >&2; exit 2 ;;
esac

build="$root/build/release"
if [ ! -f "$build/stage/set_env.sh" ]; then
  echo "install: no release build yet; building" >&2
  (cd "$root" && cmake --preset release && cmake --build --preset release)
fi
version="$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")"
cmake --install "$build" --prefix "$prefix/$version" >/dev/null
ln -sfn "$version" "$prefix/latest"
ln -sfn latest/set_env.sh "$prefix/set_env.sh"

# Programs that do not read the environment look for headers and libraries here.
parent="$(dirname "$prefix")"
if [ "$(basename "$parent")" = Ascend ] && [ ! -e "$parent/runtime" ]; then
  ln -s "$(basename "$prefix")/latest/runtime" "$parent/runtime"
fi
echo "installed Cairn $version; use it with: source $prefix/set_env.sh"
