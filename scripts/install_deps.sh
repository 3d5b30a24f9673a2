#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian 12 packages that the build and the main job need: the one list of them.
# Usage: scripts/install_deps.sh [--dev]     --dev adds clang, its sanitizers and the formatting tools.
set -euo pipefail

packages=(
  # build
  g++ cmake ninja-build ccache pkg-config
  # compiler and runtime
  libhwy-dev libflatbuffers-dev flatbuffers-compiler libprotobuf-dev protobuf-compiler zlib1g-dev
  nlohmann-json3-dev libcli11-dev libfmt-dev libspdlog-dev
  # pictures: cairn-img2bin and the OCR example
  libfreetype-dev libjpeg62-turbo-dev libpng-dev fonts-dejavu-core
  # tests and benchmarks
  libgtest-dev libgmock-dev libbenchmark-dev libonnx-testdata
  # Python clients that fetch models, and what writes the small network that needs no registry
  python3-venv python3-pip python3-numpy python3-onnx
)
dev_packages=(clang-16 libclang-rt-16-dev clang-format-16 clang-tidy-16)

case "${1:-}" in
  "") ;;
  --dev) packages+=("${dev_packages[@]}") ;;
  *) echo "usage: scripts/install_deps.sh [--dev]" >&2; exit 2 ;;
esac

installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${packages[@]}" \
            2>/dev/null | sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "install_deps: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi

echo "install_deps: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >>"$log" 2>&1; }
# A failed update is not final: the list on the machine may be recent enough.
apt update || true
apt install --yes --no-install-recommends "${missing[@]}" || {
  tail -n 15 "$log" >&2
  echo "install_deps: apt-get could not install ${missing[*]}: log above; needs Debian 12" >&2
  exit 1
}
