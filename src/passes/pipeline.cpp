// SPDX-License-Identifier: Apache-2.0
// The driver: runs the passes of pass_list.def, and does for each what all of them need.
#include <chrono>

#include "base/log.h"
#include "ir/verifier.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace cairn {
namespace {

constexpr int kMaxCanonicalizeRounds = 12;
constexpr int kMaxFuseRounds = 6;

/// A region that belongs to control flow, as opposed to the body of a fused kernel.
bool IsControlFlowRegion(const Node& node, const Graph* region) {
  return node.op() != "ElementwiseGroup" && node.op() != "InterpretedGroup" && !(node.epilogue() && node.epilogue()->get() == region);
}

Result<int> RunOnRegionsAndGraph(const PassDef& pass, Graph& graph, const PassContext& context) {
  int changes = 0;
  for (Node* node : graph.Nodes()) {
    for (Graph* region : node->Regions()) {
      if (!IsControlFlowRegion(*node, region)) continue;
      ASSIGN_OR_RETURN(const int inner, RunOnRegionsAndGraph(pass, *region, context));
      changes += inner;
    }
  }
  ASSIGN_OR_RETURN(const int own, pass.run(graph, context));
  return changes + own;
}

class PassRunner {
 public:
  PassRunner(Graph& graph, const PassOptions& options) : graph_(graph), options_(options) {
    for (const PassDef& pass : AllPasses()) {
      records_.push_back({pass.name, 0, 0, IsEnabled(pass)});
    }
  }

  Status Run() {
    RETURN_IF_ERROR(RunStage(PassStage::kPrepare).status());
    RETURN_IF_ERROR(Repeat(PassStage::kCanonicalize, kMaxCanonicalizeRounds));
    for (int round = 0;; ++round) {
      ASSIGN_OR_RETURN(const int changes, RunStage(PassStage::kFuse));
      if (changes == 0) break;
      RETURN_IF_ERROR(Repeat(PassStage::kCanonicalize, kMaxCanonicalizeRounds));
      if (round + 1 == kMaxFuseRounds) {
        WarnAboutRounds("fusion", kMaxFuseRounds);
        break;
      }
    }
    return RunStage(PassStage::kGroup).status();
  }

  std::vector<PassRecord> TakeRecords() { return std::move(records_); }

 private:
  bool IsEnabled(const PassDef& pass) const {
    if (pass.level == PassLevel::kRequired) return true;
    const std::string_view name = pass.name;
    if (!options_.fold_constants && (name == "FoldConstants" || name == "FoldShapes")) return false;
    if (!options_.eliminate_dead_code && name == "EliminateDeadCode") return false;
    const auto it = options_.switches.find(pass.name);
    if (it != options_.switches.end()) return it->second;
    using OptLevel = PassOptions::OptLevel;
    return pass.level == PassLevel::kO1 ? options_.level != OptLevel::kO0
                                        : options_.level == OptLevel::kO3;
  }

  static void WarnAboutRounds(std::string_view stage, int rounds) {
    CAIRN_LOG(kGe, kWarning, "passes: ", stage, " still changes the graph after ", rounds,
              " rounds; it goes on with what it has");
  }

  Status Repeat(PassStage stage, int max_rounds) {
    for (int round = 0; round < max_rounds; ++round) {
      ASSIGN_OR_RETURN(const int changes, RunStage(stage));
      if (changes == 0) return OkStatus();
    }
    WarnAboutRounds("canonicalization", max_rounds);
    return OkStatus();
  }

  Result<int> RunStage(PassStage stage) {
    int changes = 0;
    for (size_t i = 0; i < AllPasses().size(); ++i) {
      const PassDef& pass = AllPasses()[i];
      if (pass.stage != stage || !records_[i].enabled) continue;
      auto changed = RunPass(pass, records_[i]);
      if (!changed.ok()) return changed.status().WithContext(StrCat("pass ", pass.name));
      changes += *changed;
    }
    return changes;
  }

  Result<int> RunPass(const PassDef& pass, PassRecord& record) {
    const auto begin = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(const int changes, RunOnRegionsAndGraph(pass, graph_, options_.context));
    if (changes > 0) {
      RETURN_IF_ERROR(VerifyGraph(graph_));
      const Status inferred = InferGraph(graph_);
      if (!inferred.ok()) return Exposes(pass) ? inferred : AsDefect(inferred);
      if (options_.dump) options_.dump(graph_, pass.name);
      CAIRN_LOG(kGe, kDebug, "pass ", pass.name, " changed ", changes, " places");
    }
    record.changes += changes;
    record.milliseconds +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return changes;
  }

  /// Passes that learn more of the model's shapes may find that it contradicts itself. All others
  /// only rewrite what was found right.
  static bool Exposes(const PassDef& pass) {
    const std::string_view name = pass.name;
    return pass.stage == PassStage::kPrepare || name == "InlineConstantIf" ||
           name == "FoldConstants" || name == "FoldShapes";
  }
  static Status AsDefect(const Status& status) {
    return Status(Code::kInternal, StrCat("the rewritten graph is wrong: ", status.message()),
                  status.where());
  }

  Graph& graph_;
  const PassOptions& options_;
  std::vector<PassRecord> records_;
};

}  // namespace

const std::vector<PassDef>& AllPasses() {
  static const std::vector<PassDef> passes = {
#define CAIRN_PASS(Function, stage, level, original, doc) \
  {#Function, Function, PassStage::stage, PassLevel::level, original, doc},
#include "passes/pass_list.def"
#undef CAIRN_PASS
  };
  return passes;
}

Result<std::vector<PassRecord>> RunPasses(Graph& graph, const PassOptions& options) {
  PassRunner runner(graph, options);
  RETURN_IF_ERROR(runner.Run());
  return runner.TakeRecords();
}

}  // namespace cairn
