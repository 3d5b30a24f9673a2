// SPDX-License-Identifier: Apache-2.0
// Stage summaries for the log and the console.
#pragma once

#include "compiler/compiler.h"

namespace cairn::compiler {

/// Sends lines to the log and to the options' progress function.
class Progress {
 public:
  explicit Progress(const CompileOptions& options) : options_(options) {}

  /// Heads the lines of one gear.
  void Gear(const std::vector<int64_t>& values, size_t number, size_t count) const;
  void Imported(const onnx::ImportedModel& model) const;
  void Optimized(const Graph& graph, size_t nodes_before,
                 const std::vector<PassRecord>& passes) const;
  void Planned(const plan::CompiledProgram& compiled) const;
  void Written(uint64_t file_bytes) const;

 private:
  void Say(LogLevel level, const std::string& line) const;

  const CompileOptions& options_;
};

}  // namespace cairn::compiler
