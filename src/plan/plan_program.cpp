// SPDX-License-Identifier: Apache-2.0
// The stages of planning: check, select, emit, order, share, place, assemble.
#include <algorithm>

#include "plan/assemble.h"
#include "plan/draft.h"
#include "plan/emitter.h"
#include "plan/lifetime.h"
#include "plan/memory.h"
#include "plan/order.h"
#include "plan/plan.h"
#include "plan/prepared.h"
#include "plan/select.h"
#include "schedule/kernel_binding.h"

namespace cairn::plan {
namespace {

/// Adds a line for a value that a program cannot hold.
void CheckValue(const Value& value, const std::string& where, std::vector<std::string>& problems) {
  const TensorType& type = value.type();
  const char* problem = nullptr;
  if (type.kind != ValueKind::kTensor) {
    problem = "is not a tensor";
  } else if (ElementBits(type.dtype) == 0) {
    problem = "has elements without a fixed size";
  } else if (!type.is_static()) {
    problem = "has a shape that is not known at compile time";
  }
  if (problem) {
    problems.push_back(StrCat(where, ": value '", value.name(), "' (", type, ") ", problem));
  }
}

/// No memory holds some shapes that a model may state.
Status CheckSizes(const Graph& graph) {
  for (const Value* value : graph.Values()) {
    const TensorType& type = value->type();
    if (!type.is_static() || ElementBits(type.dtype) == 0) continue;
    const auto bytes = StorageBytes(type.dtype, Layout::kPlain, StaticShape(*value), 1);
    if (bytes.ok()) continue;
    return Status(Code::kInvalidModel, StrCat("value '", value->name(), "' (", type,
                                              ") is too large: ", bytes.status().message()));
  }
  return OkStatus();
}

Status CheckGraph(const Graph& graph) {
  std::vector<std::string> problems;
  for (const Value* input : graph.inputs()) CheckValue(*input, "model input", problems);
  for (const Node* node : graph.Nodes()) {
    for (const Value* output : node->outputs()) {
      if (output)
        CheckValue(*output, StrCat("node '", node->name(), "' (", node->op(), ")"), problems);
    }
    for (const Value* input : node->inputs()) {
      if (input && input->is_constant()) {
        CheckValue(*input, StrCat("node '", node->name(), "' (", node->op(), ")"), problems);
      }
    }
  }
  for (const Value* output : graph.outputs()) CheckValue(*output, "model output", problems);
  if (problems.empty()) return CheckSizes(graph);
  return Status(Code::kUnsupported,
                StrCat("the model cannot be planned:\n  ", StrJoin(problems, "\n  ")));
}

// "winograd4 blocked 16935": what to run, the layout of its output unless plain, cycles.
std::string CandidateText(const Candidate& candidate) {
  std::string text = candidate.kernel.empty() ? "no task" : candidate.kernel;
  if (!candidate.algorithm.empty()) text = candidate.algorithm;
  const bool blocked = !candidate.outputs.empty() && candidate.outputs[0] == Layout::kBlocked;
  if (blocked && candidate.algorithm != "blocked") text += " blocked";
  return StrCat(text, " ", static_cast<int64_t>(candidate.cycles));
}

void ReportMappings(const std::vector<NodeChoice>& choices, PlanReport& report) {
  for (const NodeChoice& choice : choices) {
    const Candidate& chosen = choice.candidates[choice.chosen];
    NodeMapping mapping{
        choice.node->name(),   choice.node->op(), chosen.kernel, chosen.algorithm, {},
        choice.node->origins()};
    for (const Candidate& candidate : choice.candidates) {
      mapping.candidates.push_back(CandidateText(candidate));
    }
    if (chosen.kernel == "reference") report.reference_nodes.push_back(choice.node->name());
    report.mappings.push_back(std::move(mapping));
  }
}

/// Whether the program is one of many that are planned at run time.
bool IsPrepared(const PlanOptions& options) {
  return options.prepared != nullptr && !options.prepared->recording;
}

/// Lends shared weights to a draft for as long as it is planned.
class SharedWeights {
 public:
  SharedWeights(WeightStore* shared, Draft& draft) : shared_(shared), draft_(draft) {
    if (shared_) draft_.weights = std::move(*shared_);
  }
  ~SharedWeights() {
    if (shared_) *shared_ = std::move(draft_.weights);
  }
  SharedWeights(const SharedWeights&) = delete;
  SharedWeights& operator=(const SharedWeights&) = delete;

 private:
  WeightStore* const shared_;
  Draft& draft_;
};

/// Marks that packed constants are those of the program.
class RecordedEmission {
 public:
  explicit RecordedEmission(PreparedForms* prepared) : prepared_(prepared) {
    if (prepared_) prepared_->emitting = true;
  }
  ~RecordedEmission() {
    if (prepared_) prepared_->emitting = false;
  }
  RecordedEmission(const RecordedEmission&) = delete;
  RecordedEmission& operator=(const RecordedEmission&) = delete;

 private:
  PreparedForms* const prepared_;
};

/// Gives every root in the arena its offset.
uint64_t PlaceInArena(Draft& draft, const std::vector<uint32_t>& order, const PlanOptions& options,
                      PlanReport& report) {
  const std::vector<Lifetime> lifetimes = FindLifetimes(draft, order);
  report.arena_lower_bound = MaxLiveBytes(lifetimes, order.size());
  const ArenaPlan arena = options.reuse_memory ? PlanArena(lifetimes, report.arena_lower_bound, IsPrepared(options))
                                               : PlanArenaWithoutReuse(lifetimes);
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    draft.tensors[lifetimes[i].root].offset = arena.offsets[i];
  }
  report.arena_bytes = arena.bytes;
  return arena.bytes;
}

/// A task the planner wrote must bind: a failure here is a defect, found before the file is
/// written.
Status CheckBinding(const Program& program, kernels::Isa isa, int num_threads) {
  for (const Task& task : program.tasks) {
    if (task.kernel == "reference") continue;
    auto bound = schedule::BindTask({program, task, isa, num_threads});
    if (!bound.ok()) {
      return Status(Code::kInternal,
                    StrCat("the plan is inconsistent: ", bound.status().message()));
    }
  }
  return OkStatus();
}

void CountTasks(const Program& program, PlanReport& report) {
  for (const Task& task : program.tasks) {
    ++(task.kernel == "reference" ? report.num_reference_tasks : report.num_vector_tasks);
  }
}

}  // namespace

Result<CompiledProgram> PlanProgram(const Graph& graph, const target::TargetSpec& target,
                                    const PlanOptions& options, WeightStore* shared) {
  RETURN_IF_ERROR(CheckGraph(graph));
  const std::optional<kernels::Isa> isa = kernels::ParseIsa(target.isa);
  if (!isa) {
    return Status(Code::kUnsupported,
                  StrCat("target '", target.name, "' names the instruction set '", target.isa,
                         "', which has no kernels"));
  }
  const LowerContext context{target, options, *isa};
  CompiledProgram result;
  ASSIGN_OR_RETURN(const std::vector<NodeChoice> choices,
                   SelectKernels(context, graph, result.report.warnings));
  if (!IsPrepared(options)) ReportMappings(choices, result.report);

  Draft draft;
  const SharedWeights weights(shared, draft);
  const RecordedEmission emission(options.prepared);
  const bool prepared = IsPrepared(options);
  if (prepared) draft.constants = Storage::kOwn;
  Emitter emitter(context, graph, draft, result.report);
  RETURN_IF_ERROR(emitter.AddInputs());
  for (const NodeChoice& choice : choices) {
    RETURN_IF_ERROR(emitter.EmitNode(*choice.node, choice.candidates[choice.chosen]));
  }
  ASSIGN_OR_RETURN(const std::vector<TensorId> outputs, emitter.AddOutputs());

  const std::vector<uint32_t> order = OrderTasks(draft);
  if (options.reuse_memory) ShareInPlace(draft, order);

  Program& program = result.program;
  program.soc_name = target.given_name.empty() ? target.name : target.given_name;
  program.isa = static_cast<uint8_t>(*isa);
  program.c0 = static_cast<decltype(program.c0)>(context.c0());
  program.planned_cores = static_cast<uint32_t>(std::max(target.num_cores, 1));
  program.model_name = graph.name();
  program.arena_bytes = PlaceInArena(draft, order, options, result.report);
  Assembler assembler(draft, program);
  for (size_t i = 0; i < graph.inputs().size(); ++i) {
    program.inputs.push_back(assembler.Io(graph.inputs()[i]->name(), static_cast<TensorId>(i)));
  }
  for (uint32_t index : order) assembler.AddTask(draft.tasks[index]);
  for (size_t i = 0; i < outputs.size(); ++i) {
    program.outputs.push_back(assembler.Io(graph.output_name(i), outputs[i]));
  }
  if (prepared) {
    program.weights_bytes = options.prepared->weights.size();
    program.constants = draft.weights.Take();
    return result;
  }
  result.report.constant_bytes = ConstantBytes(graph);
  program.weights_bytes = draft.weights.size();
  if (!shared) result.weights = draft.weights.Take();
  CountTasks(program, result.report);
  RETURN_IF_ERROR(CheckBinding(program, *isa, static_cast<int>(program.planned_cores)));
  return result;
}

}  // namespace cairn::plan
