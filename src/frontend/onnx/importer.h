// SPDX-License-Identifier: Apache-2.0
// ONNX import: a model file becomes a graph with the semantics of its operator set.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim.h"
#include "base/status.h"
#include "ir/graph.h"

namespace cairn::onnx {

struct ImportOptions {
  /// Concrete or symbolic dims by input name, overriding the model's (`--input_shape`).
  std::map<std::string, Dims> input_shapes;
  /// Restrict outputs: "node:index" or tensor names (`--out_nodes`).
  std::vector<std::string> out_nodes;
};

/// A node that cannot be imported.
struct UnsupportedNode {
  std::string name;
  std::string op;        ///< "domain::opset::Type".
  std::string operands;  ///< Types of the inputs as far as known.
  std::string reason;
  std::string remedy;  ///< What to do instead, or "did you mean ...".
};

struct ImportedModel {
  std::unique_ptr<Graph> graph;  ///< Types inferred, regions isolated, functions inlined.
  std::string producer;
  int64_t ir_version = 0;
  std::map<std::string, int64_t> opsets;
};

/// How messages about a wrong option value begin (after the context "model '...': "): kNotFound for
/// a name that the model does not have, kInvalidArgument for a value that does not fit.
inline constexpr std::string_view kInputShapeProblem = "input shape: ";
inline constexpr std::string_view kOutputNodeProblem = "output node ";

/// Reads `path`. External data is mapped from the model's folder only. When nodes are unsupported,
/// all are collected in `unsupported` and the status is kUnsupported.
Result<ImportedModel> ImportOnnxFile(const std::string& path, const ImportOptions& options,
                                     std::vector<UnsupportedNode>* unsupported);

/// As above from memory; `folder`: where external data may lie ("" = none allowed).
Result<ImportedModel> ImportOnnx(std::span<const std::byte> bytes, const std::string& folder,
                                 const ImportOptions& options,
                                 std::vector<UnsupportedNode>* unsupported);

}  // namespace cairn::onnx
