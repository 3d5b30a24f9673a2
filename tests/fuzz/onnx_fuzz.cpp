// SPDX-License-Identifier: Apache-2.0
// Fuzz target: ONNX import from memory. What is accepted is a well-formed graph.
#include <span>
#include <vector>

#include "base/check.h"
#include "frontend/onnx/importer.h"
#include "ir/verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<cairn::onnx::UnsupportedNode> unsupported;
  auto model = cairn::onnx::ImportOnnx(std::as_bytes(std::span(data, size)), "", {}, &unsupported);
  if (model.ok()) {
    CAIRN_CHECK(cairn::VerifyGraph(*model->graph).ok(), "an imported graph is well formed");
  }
  return 0;
}
