# SPDX-License-Identifier: Apache-2.0
# Asynchronous execution with host callbacks; the model takes float16 pictures.
stand_in() { "$COMPAT_PYTHON" "$COMPAT_SCRIPTS/stand_in.py" "$@"; }
prepare() {
  mkdir -p model data
  stand_in classifier model.onnx data 1,3,224,224 1000 --dtype float16
  atc --model=model.onnx --framework=5 --output=model/resnet50 --soc_version="$COMPAT_SOC" \
    --input_format=NCHW --output_type=FP32
  stand_in image data/dog1_1024_683.bin 1,3,224,224 float16 1
  stand_in image data/dog2_1024_683.bin 1,3,224,224 float16 2
}
run() { (cd out && ./main 40 1 40); }
check() { ! grep -q '\[ERROR\]' "$1" && grep -q 'top 1: index' "$1"; }
