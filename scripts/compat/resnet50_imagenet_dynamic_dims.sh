# SPDX-License-Identifier: Apache-2.0
# A model with dims gears, fed with decoded pictures of two sizes.
stand_in() { "$COMPAT_PYTHON" "$COMPAT_SCRIPTS/stand_in.py" "$@"; }
prepare() {
  mkdir -p model data
  stand_in classifier model.onnx Placeholder N,H,W,3 1001 --nhwc
  atc --model=model.onnx --framework=5 --output=model/resnet50 --soc_version="$COMPAT_SOC" \
    --input_format=ND --input_shape=Placeholder:-1,-1,-1,3 \
    --dynamic_dims="1,200,200;2,200,200;1,224,224;2,224,224"
  stand_in picture data/dog1.ppm 320 240 1
  stand_in picture data/dog2.ppm 320 240 2
}
run() { (cd out && ./main); }
check() { ! grep -q '\[ERROR\]' "$1" && grep -q 'top 5' "$1"; }
