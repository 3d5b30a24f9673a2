# SPDX-License-Identifier: Apache-2.0
# The inference tool: text output of one input file, compared with ONNX Runtime.
stand_in() { "$COMPAT_PYTHON" "$COMPAT_SCRIPTS/stand_in.py" "$@"; }
prepare() {
  stand_in classifier model.onnx data 1,3,224,224 1000
  atc --model=model.onnx --framework=5 --output=resnet50 --soc_version="$COMPAT_SOC"
  stand_in image dog1.bin 1,3,224,224 float32 1
  mkdir -p results
}
run() { out/main --model resnet50.om --input dog1.bin --output results --outfmt BIN --loop 3; }
check() {
  "$COMPAT_PYTHON" - <<'PYTHON' &&
import sys, os
sys.path.insert(0, os.environ["COMPAT_SCRIPTS"])
import stand_in
stand_in.run_onnx("model.onnx", ["dog1.bin"])[0].tofile("expected.bin")
PYTHON
    stand_in check-bytes results/*/resnet50_output_0.bin expected.bin float32 1e-5 &&
    grep -q 'Execute sample success' "$1"
}
