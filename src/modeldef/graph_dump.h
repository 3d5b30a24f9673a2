// SPDX-License-Identifier: Apache-2.0
// Dumps of the graph between stages, as DUMP_GE_GRAPH and its companions ask.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace cairn::modeldef {

/// Stages every compilation passes through; passes dump under their own names.
inline constexpr std::string_view kStageImported = "PreRunBegin";
inline constexpr std::string_view kStageOptimized = "PreRunAfterOptimizeOriginalGraph";
inline constexpr std::string_view kStageFinal = "Build";

/// Writes `ge_proto_<counter>_<stage>.txt` (text-format ModelDef) and
/// `ge_readable_<counter>_<stage>.txt` (text form of the graph).
class GraphDumper {
 public:
  using EnvironmentLookup = std::function<const char*(const char* name)>;

  /// DUMP_GE_GRAPH: 1 with weights, 2 without, 3 topology only. DUMP_GRAPH_LEVEL: 1 every stage and
  /// pass that changed something, 2 (default) the three stages above, 3 the final graph, 4 the
  /// imported graph, or stage name parts `a|b`. DUMP_GRAPH_FORMAT: `ge_proto`, `readable`, joined
  /// by `|` (default both; other formats are warned about). Folder: `pid_<pid>_deviceid_0` below
  /// ASCEND_DUMP_PATH, DUMP_GRAPH_PATH or ASCEND_WORK_PATH; else the current folder.
  explicit GraphDumper(const EnvironmentLookup& lookup);

  bool enabled() const { return content_ != Content::kNone; }

  /// Does nothing when the stage is not selected. The first dump that cannot be written is a
  /// warning and the last that is tried.
  void Dump(const Graph& graph, std::string_view stage);

  /// Values that were not understood, and dumps that failed.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  enum class Content { kNone, kFull, kNoWeights, kTopology };

  bool IsSelected(std::string_view stage) const;
  void ReadFormat(std::string_view format);
  void Write(std::string_view kind, std::string_view stage, const std::string& text);

  Content content_ = Content::kNone;
  std::string level_;
  bool proto_ = true;
  bool readable_ = true;
  std::string folder_;
  int counter_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace cairn::modeldef
