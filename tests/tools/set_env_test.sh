#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# set_env.sh finds its installation in bash, and says so where it cannot. Usage: set_env_test.sh SET_ENV
set -euo pipefail
tree="$(mktemp -d)/a tree"
trap 'rm -rf "$(dirname "$tree")"' EXIT
mkdir -p "$tree/bin"
cp "$1" "$tree/set_env.sh"
printf '#!/bin/sh\n' >"$tree/bin/atc"
chmod +x "$tree/bin/atc"

found="$(cd / && bash -euc 'source "$1/set_env.sh" && command -v atc' bash "$tree")"
[ "$found" = "$tree/bin/atc" ] || { echo "bash finds '$found'"; exit 1; }

# The default installation, if there is one; otherwise an error, and never a wrong path.
home="$(cd / && sh -c '. "$1/set_env.sh" && echo "$ASCEND_HOME_PATH"' sh "$tree" 2>"$tree/err")" || home=none
case "$home" in
  /usr/local/Ascend/ascend-toolkit/latest | "$tree") ;;
  none) grep -q "source it in bash" "$tree/err" || { cat "$tree/err"; exit 1; } ;;
  *) echo "sh finds '$home'"; exit 1 ;;
esac
