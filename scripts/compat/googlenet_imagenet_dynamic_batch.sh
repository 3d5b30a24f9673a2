# SPDX-License-Identifier: Apache-2.0
# A model with batch gears; two pictures in one run.
stand_in() { "$COMPAT_PYTHON" "$COMPAT_SCRIPTS/stand_in.py" "$@"; }
prepare() {
  mkdir -p model data
  stand_in classifier model.onnx data N,3,224,224 1000
  atc --model=model.onnx --framework=5 --output=model/googlenet_dynamicbatch \
    --soc_version="$COMPAT_SOC" --input_shape=data:-1,3,224,224 --dynamic_batch_size=1,2 \
    --output_type=FP32 --input_format=NCHW
  stand_in image data/dog1_1024_683.bin 1,3,224,224 float32 1
  stand_in image data/dog2_1024_683.bin 1,3,224,224 float32 2
}
run() { (cd out && ./main); }
check() { stand_in check-top "$1" model.onnx data/dog1_1024_683.bin data/dog2_1024_683.bin; }
