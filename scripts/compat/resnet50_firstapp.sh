# SPDX-License-Identifier: Apache-2.0
# ResNet-50 classification of one picture that was converted to floats before.
stand_in() { "$COMPAT_PYTHON" "$COMPAT_SCRIPTS/stand_in.py" "$@"; }
prepare() {
  stand_in classifier model.onnx data 1,3,224,224 1000
  atc --model=model.onnx --framework=5 --output=model/resnet50 --soc_version="$COMPAT_SOC"
  stand_in image data/dog1_1024_683.bin 1,3,224,224 float32 1
}
run() { (cd out && ./main); }
check() { stand_in check-top "$1" model.onnx data/dog1_1024_683.bin; }
