# SPDX-License-Identifier: Apache-2.0
# Decodes pictures with OpenCV and classifies them.
stand_in() { "$COMPAT_PYTHON" "$COMPAT_SCRIPTS/stand_in.py" "$@"; }
prepare() {
  stand_in classifier model.onnx actual_input_1 1,3,224,224 1000
  atc --model=model.onnx --framework=5 --output=model/resnet50 --soc_version="$COMPAT_SOC" \
    --input_shape=actual_input_1:1,3,224,224
  stand_in picture data/dog1.ppm 320 240 1
}
run() { (cd out && ./main); }
check() { ! grep -q '\[ERROR\]' "$1" && grep -q 'top 5' "$1"; }
