#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The reader of the Netron viewer opens what atc writes. Usage: viewer_test.sh ATC FOLDER
# Skipped (77) without node or when the viewer cannot be had.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
atc=$(realpath "$1")
folder=$2
command -v node > /dev/null || exit 77
python="$root/.venv/bin/python"
[ -x "$python" ] && "$python" -c "import onnx" 2> /dev/null || exit 77
mkdir -p "$folder"
cd "$folder"
"$python" - <<'PYTHON'
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
weights = numpy_helper.from_array(np.ones((8, 3, 3, 3), np.float32), "w")
graph = helper.make_graph(
    [helper.make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1] * 4),
     helper.make_node("Sigmoid", ["c"], ["s"], name="sigmoid"),
     helper.make_node("Mul", ["c", "s"], ["y"], name="mul")],
    "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 16, 16])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 16, 16])], [weights])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
          "net.onnx")
PYTHON
build() { "$atc" --model=net.onnx --framework=5 --soc_version=Cairn-x86-64-v3 --tune=off "$@"; }
build --output=plain --save_original_model=true
build --output=outside --external_weight=2
build --output=half --precision_mode=force_fp16 --output_type=FP16
"$root/scripts/check_viewer.sh" plain.om plain_original.om outside.om half.om || {
  [ -f "$root"/build/netron-*/netron/om.js ] || exit 77
  exit 1
}
