// SPDX-License-Identifier: Apache-2.0
// Wording of the stage summaries.
#include "compiler/progress.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace cairn::compiler {
namespace {

std::string Fixed(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

std::string Bytes(uint64_t bytes) {
  constexpr double kKibi = 1024;
  const auto size = static_cast<double>(bytes);
  if (size < kKibi) return StrCat(bytes, " B");
  if (size < kKibi * kKibi) return StrCat(Fixed(size / kKibi, 1), " KiB");
  return StrCat(Fixed(size / kKibi / kKibi, 1), " MiB");
}

std::string TypeList(const Graph& graph) {
  std::vector<std::string> texts;
  for (const Value* input : graph.inputs())
    texts.push_back(StrCat(input->name(), " ", input->type()));
  return StrJoin(texts, ", ");
}

constexpr size_t kShown = 8;

// The first names of a list and how many follow.
std::string FirstOf(const std::vector<std::string>& names) {
  const std::vector<std::string> shown(names.begin(),
                                       names.begin() + std::min(names.size(), kShown));
  std::string text = StrJoin(shown, ", ");
  if (names.size() > kShown) text += StrCat(" and ", names.size() - kShown, " more");
  return text;
}

// "12 tasks: conv2d_f32 7, pool_f32 5", most frequent first.
std::string TasksPerKernel(const Program& program) {
  std::map<std::string, int> counts;
  for (const Task& task : program.tasks) ++counts[task.kernel];
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [kernel, count] : sorted) texts.push_back(StrCat(kernel, " ", count));
  return StrCat(program.tasks.size(), " tasks: ", texts.empty() ? "none" : StrJoin(texts, ", "));
}

// "conv1 (Conv), stands for conv1, relu1 -> conv_f32 direct; considered, with cycles: ...".
std::string MappingText(const plan::NodeMapping& mapping) {
  std::string text = StrCat(mapping.node, " (", mapping.op, ")");
  const bool renamed = mapping.origins != std::vector<std::string>{mapping.node};
  if (renamed && !mapping.origins.empty()) text += ", stands for " + FirstOf(mapping.origins);
  text += StrCat(" -> ", mapping.kernel.empty() ? "no task" : mapping.kernel);
  if (!mapping.algorithm.empty()) text += (mapping.kernel.empty() ? ", " : " ") + mapping.algorithm;
  if (mapping.candidates.size() > 1) {
    text += "; considered, with cycles: " + StrJoin(mapping.candidates, ", ");
  }
  return text;
}

}  // namespace

void Progress::Say(LogLevel level, const std::string& line) const {
  if (level == LogLevel::kDebug) {
    CAIRN_LOG(kGe, kDebug, line);
  } else {
    CAIRN_LOG(kGe, kInfo, line);
  }
  if (options_.progress) options_.progress(level, line);
}

void Progress::Gear(const std::vector<int64_t>& values, size_t number, size_t count) const {
  Say(LogLevel::kInfo, StrCat("gear ", number, " of ", count, ": [", StrJoin(values), "]"));
}

void Progress::Imported(const onnx::ImportedModel& model) const {
  std::vector<std::string> opsets;
  for (const auto& [domain, version] : model.opsets) opsets.push_back(StrCat(domain, " ", version));
  Say(LogLevel::kInfo, StrCat("model: ", model.graph->num_nodes(), " nodes, IR ", model.ir_version,
                              ", operator sets ", StrJoin(opsets, ", "), ", producer '",
                              model.producer, "', inputs ", TypeList(*model.graph)));
}

void Progress::Optimized(const Graph& graph, size_t nodes_before,
                         const std::vector<PassRecord>& passes) const {
  std::vector<std::string> fired;
  std::vector<std::string> off;
  double milliseconds = 0;
  for (const PassRecord& pass : passes) {
    milliseconds += pass.milliseconds;
    if (!pass.enabled) off.push_back(pass.name);
    if (pass.changes > 0) fired.push_back(StrCat(pass.name, " ", pass.changes));
  }
  Say(LogLevel::kInfo, StrCat("passes: ", nodes_before, " -> ", graph.num_nodes(), " nodes in ",
                              Fixed(milliseconds, 1),
                              " ms; changes: ", fired.empty() ? "none" : StrJoin(fired, ", "),
                              off.empty() ? "" : "; off: ", StrJoin(off, ", ")));
}

void Progress::Planned(const plan::CompiledProgram& compiled) const {
  const plan::PlanReport& report = compiled.report;
  Say(LogLevel::kInfo, StrCat("kernels: ", TasksPerKernel(compiled.program)));
  if (!report.reference_nodes.empty()) {
    Say(LogLevel::kInfo,
        StrCat("  without a kernel, on the reference: ", FirstOf(report.reference_nodes)));
  }
  uint64_t converted = 0;
  for (const plan::Conversion& conversion : report.conversions) converted += conversion.bytes;
  Say(LogLevel::kInfo,
      StrCat("layouts: ", report.conversions.size(), " TransData, ", Bytes(converted)));
  for (size_t i = 0; i < report.conversions.size(); ++i) {
    const plan::Conversion& conversion = report.conversions[i];
    Say(i < kShown ? LogLevel::kInfo : LogLevel::kDebug,
        StrCat("  TransData on ", conversion.edge, " (", Bytes(conversion.bytes),
               "): ", conversion.reason));
  }
  if (report.conversions.size() > kShown) {
    Say(LogLevel::kInfo,
        StrCat("  and ", report.conversions.size() - kShown, " more, listed at --log=debug"));
  }
  const double ratio =
      report.arena_lower_bound == 0
          ? 1.0
          : static_cast<double>(report.arena_bytes) / static_cast<double>(report.arena_lower_bound);
  Say(LogLevel::kInfo,
      StrCat("memory: arena ", Bytes(report.arena_bytes), ", lower bound ",
             Bytes(report.arena_lower_bound), ", ratio ", Fixed(ratio, 3), "; constants ",
             Bytes(report.constant_bytes), ", weights ", Bytes(compiled.weights.size())));
  for (const plan::NodeMapping& mapping : report.mappings) {
    Say(LogLevel::kDebug, StrCat("  ", MappingText(mapping)));
  }
}

void Progress::Written(uint64_t file_bytes) const {
  Say(LogLevel::kInfo, StrCat("file: ", options_.output_path, ", ", Bytes(file_bytes)));
}

}  // namespace cairn::compiler
