// SPDX-License-Identifier: Apache-2.0
// Times candidates: each one becomes a small program of its own, is bound and run.
#include "plan/tune.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>

#include "base/hash.h"
#include "plan/assemble.h"
#include "plan/emitter.h"
#include "plan/memory.h"
#include "plan/order.h"
#include "plan/tuning_bank.h"
#include "schedule/kernel_binding.h"
#include "threads/thread_pool.h"

namespace cairn::plan {
namespace {

constexpr double kHeavyCycles = 30000;       // Below, no choice is worth a measurement.
constexpr double kCyclesPerNanosecond = 3;   // Makes times comparable with estimates.
constexpr int kLeastRuns = 3, kMostRuns = 20;
constexpr int64_t kEnoughNanoseconds = 4'000'000;

/// A candidate as a program whose operands all lie in the arena or in the weights.
struct Trial {
  Program program;
  std::vector<std::byte> weights;
};

Result<Trial> MakeTrial(const LowerContext& context, const Graph& graph, const Node& node,
                        const Candidate& candidate) {
  Draft draft;
  PlanReport report;
  Emitter emitter(context, graph, draft, report);
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    const Value* input = node.input(i);
    if (!input || input->is_constant()) continue;
    RETURN_IF_ERROR(emitter.Declare(*input, candidate.inputs[i]).status());
  }
  RETURN_IF_ERROR(emitter.EmitNode(node, candidate));
  Trial trial;
  const std::vector<uint32_t> order = OrderTasks(draft);
  const std::vector<Lifetime> lifetimes = FindLifetimes(draft, order);
  const ArenaPlan arena = PlanArenaWithoutReuse(lifetimes);
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    draft.tensors[lifetimes[i].root].offset = arena.offsets[i];
  }
  trial.program.isa = static_cast<uint8_t>(context.isa);
  trial.program.c0 = static_cast<uint8_t>(context.c0());
  trial.program.arena_bytes = arena.bytes;
  Assembler assembler(draft, trial.program);
  for (uint32_t index : order) assembler.AddTask(draft.tasks[index]);
  trial.weights = draft.weights.Take();
  trial.program.weights_bytes = trial.weights.size();
  return trial;
}

/// What the time depends on: everything but names and the constants' values.
Result<uint64_t> KeyOf(Trial& trial) {
  for (Task& task : trial.program.tasks) {
    task.name.clear();
    task.origins.clear();
    task.max_parts = 1;
  }
  ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, WriteProgram(trial.program));
  return HashBytes(bytes, kPackingVersion);
}

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, FreeDeleter>;

Memory AllocateAligned(size_t bytes) {
  return Memory(static_cast<std::byte*>(std::aligned_alloc(64, AlignUp(bytes + 64, 64))));
}

struct BoundStep {
  schedule::BoundTask bound;
  std::vector<void*> operands;
};

/// Nanoseconds of the best run on one thread.
Result<int64_t> Measure(const LowerContext& context, const Trial& trial) {
  const Program& program = trial.program;
  Memory arena = AllocateAligned(program.arena_bytes);
  Memory weights = AllocateAligned(trial.weights.size());
  if (!arena || !weights) return Status(Code::kOutOfMemory, "no memory to time a candidate");
  std::fill_n(reinterpret_cast<float*>(arena.get()), program.arena_bytes / sizeof(float), 0.5f);
  std::copy(trial.weights.begin(), trial.weights.end(), weights.get());
  std::vector<BoundStep> steps;
  size_t scratch_bytes = 0;
  for (const Task& task : program.tasks) {
    BoundStep step;
    ASSIGN_OR_RETURN(step.bound, schedule::BindTask({program, task, context.isa, 1}));
    for (const auto* operands : {&task.inputs, &task.outputs}) {
      for (uint32_t id : *operands) {
        const ProgramTensor* tensor = id == kNoTensor ? nullptr : &program.tensors[id];
        std::byte* base = tensor && tensor->storage == Storage::kWeights ? weights.get() : arena.get();
        step.operands.push_back(tensor ? base + tensor->offset : nullptr);
      }
    }
    scratch_bytes = std::max(scratch_bytes, step.bound.scratch_bytes);
    steps.push_back(std::move(step));
  }
  Memory scratch = AllocateAligned(scratch_bytes);
  if (!scratch) return Status(Code::kOutOfMemory, "no memory to time a candidate");

  using Clock = std::chrono::steady_clock;
  threads::RunScope flush_denormals(nullptr);
  int64_t best = std::numeric_limits<int64_t>::max(), total = 0;
  for (int run = 0; run < kMostRuns && (run < kLeastRuns || total < kEnoughNanoseconds); ++run) {
    const auto start = Clock::now();
    for (const BoundStep& step : steps) {
      for (int phase = 0; phase < step.bound.num_phases; ++phase) {
        step.bound.run(step.bound.state.get(), step.operands.data(), scratch.get(), phase, {0, 1});
      }
    }
    const int64_t time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
    best = std::min(best, std::max<int64_t>(time, 1));
    total += time;
  }
  return best;
}

/// Another choice than the cost model's must win by this factor: less is noise of the measurement.
constexpr double kLeastGain = 0.92;

/// The candidate that the cost model prefers.
const Candidate* BestEstimate(const std::vector<Candidate>& candidates) {
  return &*std::min_element(candidates.begin(), candidates.end(),
                            [](const Candidate& a, const Candidate& b) { return a.cycles < b.cycles; });
}

/// Nodes whose candidates differ in speed, with operands that may hold any numbers.
bool IsWorthTuning(const NodeChoice& choice) {
  if (choice.candidates.size() < 2) return false;
  for (const Value* input : choice.node->inputs()) {
    if (input && !input->is_constant() && input->type().dtype != ElementType::kF32) return false;
  }
  return std::any_of(choice.candidates.begin(), choice.candidates.end(),
                     [](const Candidate& c) { return !c.kernel.empty() && c.cycles > kHeavyCycles; });
}

}  // namespace

Status TuneCandidates(const LowerContext& context, const Graph& graph,
                      std::vector<NodeChoice>& choices) {
  if (!kernels::IsaAvailable(context.isa)) return OkStatus();
  ASSIGN_OR_RETURN(TuningBank bank, TuningBank::Open(context.options.bank_path));
  for (NodeChoice& choice : choices) {
    if (!IsWorthTuning(choice)) continue;
    const Candidate* favourite = BestEstimate(choice.candidates);
    for (Candidate& candidate : choice.candidates) {
      if (candidate.kernel.empty() || candidate.kernel == "reference") continue;
      ASSIGN_OR_RETURN(Trial trial, MakeTrial(context, graph, *choice.node, candidate));
      ASSIGN_OR_RETURN(const uint64_t key, KeyOf(trial));
      std::optional<int64_t> time = bank.Find(key);
      if (!time) {
        ASSIGN_OR_RETURN(time, Measure(context, trial));
        bank.Add(key, *time);
      }
      const double cycles = kCyclesPerNanosecond * static_cast<double>(*time);
      candidate.cycles = &candidate == favourite ? kLeastGain * cycles : cycles;
    }
  }
  return bank.Save();
}

}  // namespace cairn::plan
