// SPDX-License-Identifier: Apache-2.0
// Dynamic programming over the layouts of live values.
#include "plan/layout.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/check.h"

namespace cairn::plan {
namespace {

constexpr size_t kMaxStates = 256;

/// One bit per Layout.
using LayoutSet = char;
LayoutSet BitOf(Layout layout) { return static_cast<LayoutSet>(1 << static_cast<int>(layout)); }

struct State {
  std::string layouts;  // The LayoutSet of each live value, in frontier order.
  double cost = 0;
};
/// How a state was reached.
struct Step {
  uint32_t previous, candidate;
};

class Search {
 public:
  Search(const LowerContext& context, const Graph& graph, std::vector<NodeChoice>& choices,
         double cycles_per_byte)
      : context_(context), choices_(choices), cycles_per_byte_(cycles_per_byte) {
    for (size_t i = 0; i < choices.size(); ++i) {
      for (const Value* input : choices[i].node->inputs()) {
        if (input && !input->is_constant()) last_reader_[input] = i;
      }
    }
    states_.push_back({});
    for (const Value* input : graph.inputs()) {
      if (!last_reader_.contains(input)) continue;
      frontier_.push_back(input);
      states_[0].layouts.push_back(BitOf(Layout::kPlain));
    }
  }

  void Run() {
    for (size_t i = 0; i < choices_.size(); ++i) Advance(i);
    auto best = std::min_element(states_.begin(), states_.end(),
                                 [](const State& a, const State& b) { return a.cost < b.cost; });
    auto index = static_cast<uint32_t>(best - states_.begin());
    for (size_t i = choices_.size(); i-- > 0;) {
      choices_[i].chosen = history_[i][index].candidate;
      index = history_[i][index].previous;
    }
  }

 private:
  void Advance(size_t node_index) {
    const NodeChoice& choice = choices_[node_index];
    PrepareFrontier(choice, node_index);
    std::vector<State> next;
    std::vector<Step> steps;
    std::unordered_map<std::string, uint32_t> seen;
    for (uint32_t s = 0; s < states_.size(); ++s) {
      for (uint32_t c = 0; c < choice.candidates.size(); ++c) {
        State state = Apply(states_[s], choice, choice.candidates[c]);
        auto [it, added] = seen.try_emplace(state.layouts, static_cast<uint32_t>(next.size()));
        if (added) {
          next.push_back(std::move(state));
          steps.push_back({s, c});
        } else if (state.cost < next[it->second].cost) {
          next[it->second].cost = state.cost;
          steps[it->second] = {s, c};
        }
      }
    }
    Prune(next, steps);
    states_ = std::move(next);
    history_.push_back(std::move(steps));
    frontier_ = next_frontier_;
  }

  /// Finds the node's inputs in the frontier and which values outlive the node.
  void PrepareFrontier(const NodeChoice& choice, size_t node_index) {
    input_slots_.assign(choice.node->inputs().size(), -1);
    for (size_t i = 0; i < input_slots_.size(); ++i) {
      const Value* input = choice.node->input(i);
      if (!input || input->is_constant()) continue;
      auto it = std::find(frontier_.begin(), frontier_.end(), input);
      CAIRN_CHECK(it != frontier_.end(), "a value is read before it is made");
      input_slots_[i] = static_cast<int>(it - frontier_.begin());
    }
    kept_slots_.clear();
    ended_slots_.clear();
    next_frontier_.clear();
    for (size_t slot = 0; slot < frontier_.size(); ++slot) {
      if (last_reader_.at(frontier_[slot]) > node_index) {
        kept_slots_.push_back(slot);
        next_frontier_.push_back(frontier_[slot]);
      } else {
        ended_slots_.push_back(slot);
      }
    }
    for (const Value* output : choice.node->outputs()) {
      if (output && last_reader_.contains(output)) next_frontier_.push_back(output);
    }
  }

  State Apply(const State& from, const NodeChoice& choice, const Candidate& candidate) const {
    const Node& node = *choice.node;
    std::string layouts = from.layouts;
    State state;
    state.cost = from.cost + candidate.cycles +
                 cycles_per_byte_ * static_cast<double>(candidate.packed_bytes);
    for (size_t i = 0; i < input_slots_.size(); ++i) {
      if (input_slots_[i] < 0) continue;
      state.cost += Provide(*node.input(i), layouts[static_cast<size_t>(input_slots_[i])],
                            candidate.inputs[i]);
    }
    for (size_t slot : ended_slots_) state.cost += EndCost(*frontier_[slot], layouts[slot]);
    for (size_t slot : kept_slots_) state.layouts.push_back(layouts[slot]);
    for (size_t i = 0; i < node.outputs().size(); ++i) {
      const Value* output = node.output(i);
      if (!output) continue;
      const LayoutSet made = BitOf(candidate.outputs[i]);
      if (last_reader_.contains(output)) {
        state.layouts.push_back(made);
      } else {
        state.cost += EndCost(*output, made);
      }
    }
    return state;
  }

  /// Cost to have `value` in `layout` too; records that it is there.
  double Provide(const Value& value, LayoutSet& present, Layout layout) const {
    if (present & BitOf(layout)) return 0;
    present = static_cast<LayoutSet>(present | BitOf(layout));
    const Layout from = layout == Layout::kPlain ? Layout::kBlocked : Layout::kPlain;
    return ConversionCycles(context_, value, from, layout);
  }

  /// A model output leaves in the plain layout.
  double EndCost(const Value& value, LayoutSet present) const {
    return value.is_graph_output() ? Provide(value, present, Layout::kPlain) : 0.0;
  }

  static void Prune(std::vector<State>& states, std::vector<Step>& steps) {
    if (states.size() <= kMaxStates) return;
    std::vector<uint32_t> order(states.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return states[a].cost < states[b].cost; });
    order.resize(kMaxStates);
    std::vector<State> kept_states;
    std::vector<Step> kept_steps;
    for (uint32_t i : order) {
      kept_states.push_back(std::move(states[i]));
      kept_steps.push_back(steps[i]);
    }
    states = std::move(kept_states);
    steps = std::move(kept_steps);
  }

  const LowerContext& context_;
  std::vector<NodeChoice>& choices_;
  const double cycles_per_byte_;
  std::unordered_map<const Value*, size_t> last_reader_;
  std::vector<const Value*> frontier_, next_frontier_;
  std::vector<int> input_slots_;
  std::vector<size_t> kept_slots_, ended_slots_;
  std::vector<State> states_;
  std::vector<std::vector<Step>> history_;
};

}  // namespace

void ChooseCandidates(const LowerContext& context, const Graph& graph,
                      std::vector<NodeChoice>& choices, double cycles_per_byte) {
  Search(context, graph, choices, cycles_per_byte).Run();
}

}  // namespace cairn::plan
