// SPDX-License-Identifier: Apache-2.0
// Scan of operator set 8, which had a batch: a scan over the batch of the scan that is known here.
#include "frontend/onnx/op_registry.h"

namespace cairn::onnx {
namespace {

/// The scan of one sample as a graph of its own: inputs are the states, the slices' sequences and
/// what the body captures.
Result<Region> SampleScan(NodeImport& node, size_t num_values, size_t num_outputs) {
  auto region = std::make_shared<Graph>("sample");
  std::vector<Value*> inputs;
  for (size_t i = 0; i < num_values + node.captures.size(); ++i) {
    inputs.push_back(region->AddInput(StrCat("x", i), TensorType()));
  }
  Node* scan = region->AddNode("Scan", "scan", inputs, static_cast<int>(num_outputs));
  scan->Set("body", node.attributes.at("body"));
  scan->Set("num_scan_inputs", node.attributes.at("num_scan_inputs"));
  if (node.Has("directions")) scan->Set("scan_input_directions", node.attributes.at("directions"));
  if (!node.captures.empty()) {
    scan->Set("num_captures", static_cast<int64_t>(node.captures.size()));
  }
  for (size_t i = 0; i < num_outputs; ++i) region->AddOutput(scan->output(i));
  return region;
}

}  // namespace

Status ConvertScan(NodeImport& node) {
  if (node.opset() >= 9) return node.PassThrough();
  if (node.input(0)) {
    return Status(Code::kUnsupported, "sequence_lens is not supported before operator set 9");
  }
  if (!node.Has("body") || !node.Has("num_scan_inputs")) {
    return Status(Code::kInvalidModel, "attributes 'body' and 'num_scan_inputs' are needed");
  }
  std::vector<Value*> values(node.inputs().begin() + 1, node.inputs().end());
  ASSIGN_OR_RETURN(Region sample, SampleScan(node, values.size(), node.num_outputs()));
  return node.Finish("Scan", values,
                     {{"body", std::move(sample)},
                      {"num_scan_inputs", static_cast<int64_t>(values.size())}});
}

}  // namespace cairn::onnx
