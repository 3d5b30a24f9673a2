// SPDX-License-Identifier: Apache-2.0
// The optimised graph as the public ModelDef, for viewers and for `atc --mode=1` and `--mode=6`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "executable/weight_files.h"
#include "ir/graph.h"
#include "plan/plan.h"

namespace cairn::modeldef {

struct ModelInfo {
  std::string name;
  std::string soc_version;
  std::string framework_type;  ///< "5" for ONNX.
  std::string compiler_version;
  std::string command_line;
  std::vector<std::string> output_names;
  uint64_t program_bytes = 0;
  uint64_t weights_bytes = 0;            ///< Of the partition.
  std::vector<WeightFile> weight_files;  ///< Where external weights lie; empty: in the partition.
};

/// Serialises deterministically. Large constants refer to their place in the weights section when
/// they lie there unchanged; constants that a kernel packed have no data. `padding` receives the
/// size so far and returns how many bytes to add modulo 4096; an attribute without meaning adds
/// them.
std::vector<std::byte> WriteModelDef(const Graph& graph, const plan::CompiledProgram& compiled,
                                     const ModelInfo& info,
                                     const std::function<uint64_t(uint64_t)>& padding);

/// The graph as a text-format ModelDef (graph dumps). `with_weights`: constants' data included.
std::string GraphAsProtoText(const Graph& graph, bool with_weights);

/// JSON of a serialised ModelDef, in the public form: field names as keys, only fields that are
/// set, maps as key/value lists, data and offsets left out. kDataCorrupt when it does not parse.
Result<std::string> ModelDefToJson(std::span<const std::byte> model_def);

/// The same of a ModelDef in text form, as graph dumps are (`--mode=5`).
Result<std::string> ModelTextToJson(const std::string& text);

/// JSON of `graph` as a ModelDef with everything in it, enumerators as numbers.
std::string GraphToJson(const Graph& graph);

/// `graph` as a serialised ModelDef called `name`, constants in line.
std::vector<std::byte> GraphAsModelDef(const Graph& graph, const std::string& name);

/// The summary of `--mode=6` and `--display_model_info=1`. kDataCorrupt when it does not parse.
Result<std::string> ModelSummary(std::span<const std::byte> model_def);

}  // namespace cairn::modeldef
