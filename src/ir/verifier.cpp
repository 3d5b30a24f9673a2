// SPDX-License-Identifier: Apache-2.0
// Structural checks of a graph: use lists, order, names, regions, epilogues.
#include "ir/verifier.h"

#include <unordered_map>
#include <unordered_set>

namespace cairn {
namespace {

constexpr int kMaxRegionDepth = 64;

class Verifier {
 public:
  Verifier(const Graph& graph, int depth) : graph_(graph), depth_(depth) {}

  Status Run() {
    if (depth_ > kMaxRegionDepth) return Fail("regions are nested too deeply");
    for (const Value* value : graph_.Values()) values_.insert(value);
    RETURN_IF_ERROR(CheckInterface());
    for (const Node* node : graph_.Nodes()) {
      RETURN_IF_ERROR(CheckOperands(*node));
      RETURN_IF_ERROR(CheckOutputs(*node));
      RETURN_IF_ERROR(CheckRegions(*node));
    }
    return CheckValues();
  }

 private:
  Status Fail(const std::string& rule) const {
    return Status(Code::kInternal, StrCat("graph '", graph_.name(), "': ", rule));
  }
  Status Fail(const Node& node, const std::string& rule) const {
    return Fail(StrCat("node '", node.name(), "' (", node.op(), "): ", rule));
  }

  Status CheckInterface() {
    for (const Value* input : graph_.inputs()) {
      if (!values_.count(input)) return Fail("a graph input is not a value of the graph");
      if (!input->is_graph_input()) {
        return Fail(StrCat("input '", input->name(), "' is not marked as an input"));
      }
      defined_.insert(input);
    }
    for (const Value* output : graph_.outputs()) {
      if (!values_.count(output)) return Fail("a graph output is not a value of the graph");
      ++output_slots_[output];
    }
    for (const Value* value : graph_.Values()) {
      if (!value->is_constant()) continue;
      if (value->producer() || value->is_graph_input()) {
        return Fail(StrCat("constant '", value->name(), "' also has a producer"));
      }
      defined_.insert(value);
    }
    return OkStatus();
  }

  Status CheckOperands(const Node& node) {
    if (graph_.FindNode(node.name()) != &node) return Fail(node, "the name is not unique");
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      const Value* input = node.input(i);
      if (input == nullptr) continue;
      if (!values_.count(input)) {
        return Fail(node, StrCat("input ", i, " is not a value of this graph"));
      }
      if (!defined_.count(input)) {
        return Fail(node,
                    StrCat("input ", i, " ('", input->name(), "') is used before it is made"));
      }
      ++num_reads_[input];
    }
    return OkStatus();
  }

  Status CheckOutputs(const Node& node) {
    if (node.outputs().empty()) return Fail(node, "it has no outputs");
    for (size_t i = 0; i < node.outputs().size(); ++i) {
      const Value* output = node.output(i);
      if (output == nullptr) continue;
      if (!values_.count(output)) {
        return Fail(node, StrCat("output ", i, " is not a value of this graph"));
      }
      if (output->producer() != &node || output->output_index() != static_cast<int>(i)) {
        return Fail(node, StrCat("output ", i, " ('", output->name(), "') names another producer"));
      }
      defined_.insert(output);
    }
    return OkStatus();
  }

  Status CheckRegions(const Node& node) {
    const int64_t captures = node.num_captures(), operands = node.num_epilogue_inputs();
    const auto given = static_cast<int64_t>(node.inputs().size());
    if (captures < 0 || operands < 0 || captures > given || operands > given - captures) {
      return Fail(node, StrCat(captures, " captures and ", operands,
                               " epilogue operands do not fit ", given, " inputs"));
    }
    for (auto i = static_cast<size_t>(given - captures - operands); i < node.inputs().size(); ++i) {
      if (!node.input(i)) return Fail(node, StrCat("input ", i, ", a capture, is absent"));
    }
    if (operands > 0 && !node.epilogue())
      return Fail(node, "epilogue operands without an epilogue");
    if (node.epilogue()) RETURN_IF_ERROR(CheckEpilogue(node, **node.epilogue()));
    for (const Graph* region : node.Regions()) {
      if (region == nullptr) return Fail(node, "a region is null");
      const bool is_epilogue = node.epilogue() && region == node.epilogue()->get();
      if (!is_epilogue && static_cast<int64_t>(region->inputs().size()) < captures) {
        return Fail(node, StrCat("region '", region->name(), "' has ", region->inputs().size(),
                                 " inputs, fewer than the ", captures, " captures"));
      }
      RETURN_IF_ERROR(Verifier(*region, depth_ + 1)
                          .Run()
                          .WithContext(StrCat("region of node '", node.name(), "'")));
    }
    return OkStatus();
  }

  Status CheckEpilogue(const Node& node, const Graph& region) const {
    const int64_t expected = 1 + node.num_epilogue_inputs();
    if (static_cast<int64_t>(region.inputs().size()) != expected) {
      return Fail(node, StrCat("the epilogue has ", region.inputs().size(), " inputs, expected ",
                               expected));
    }
    if (region.outputs().size() != 1) {
      return Fail(node,
                  StrCat("the epilogue has ", region.outputs().size(), " outputs, expected 1"));
    }
    return node.output(0) ? OkStatus() : Fail(node, "an epilogue needs the first output");
  }

  /// Compares each value's use list with what the nodes read.
  Status CheckValues() const {
    for (const Value* value : graph_.Values()) {
      const auto fail = [&](std::string_view rule) {
        return Fail(StrCat("value '", value->name(), "': ", rule));
      };
      if (graph_.FindValue(value->name()) != value) return fail("the name is not unique");
      if (!defined_.count(value)) return fail("nothing produces it");
      for (const Use& use : value->uses()) {
        if (!graph_.Contains(use.node)) return fail("its use list names an erased node");
        if (use.node->input(static_cast<size_t>(use.input)) != value) {
          return fail(StrCat("its use list names input ", use.input, " of node '", use.node->name(),
                             "', which reads something else"));
        }
      }
      const auto reads = num_reads_.find(value);
      const size_t num_reads = reads == num_reads_.end() ? 0 : reads->second;
      if (value->uses().size() != num_reads) return fail("its use list misses a reader");
      const auto slots = output_slots_.find(value);
      const int num_slots = slots == output_slots_.end() ? 0 : slots->second;
      if (value->num_uses() - static_cast<int>(value->uses().size()) != num_slots) {
        return fail("its count of graph outputs is wrong");
      }
    }
    return OkStatus();
  }

  const Graph& graph_;
  const int depth_;
  std::unordered_set<const Value*> values_;
  std::unordered_set<const Value*> defined_;
  std::unordered_map<const Value*, size_t> num_reads_;
  std::unordered_map<const Value*, int> output_slots_;
};

}  // namespace

Status VerifyGraph(const Graph& graph) { return Verifier(graph, 0).Run(); }

}  // namespace cairn
