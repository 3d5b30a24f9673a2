// SPDX-License-Identifier: Apache-2.0
// Times candidates: each one becomes a small program of its own, is bound and run.
#include "plan/tune.h"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>

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

constexpr double kHeavyCycles = 30000;      // Below, no choice is worth a measurement.
constexpr double kCyclesPerNanosecond = 3;  // Makes times comparable with estimates.
// Rounds of runs: until that many in a row improve no candidate's best time, within limits.
constexpr int kSteadyRounds = 6, kMostRounds = 60;
constexpr int64_t kMostNanoseconds = 60'000'000;

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

/// Huge pages, as the arena of a loaded program has: on small ones caches and translations differ.
Memory AllocateArena(size_t bytes) {
  constexpr size_t kHugePage = size_t{2} << 20;
  const size_t rounded = AlignUp(bytes + 64, kHugePage);
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(kHugePage, rounded)));
  if (memory) madvise(memory.get(), rounded, MADV_HUGEPAGE);
  return memory;
}

/// A trial with its memory, ready to run on one thread.
class TrialRun {
 public:
  static Result<TrialRun> Prepare(const LowerContext& context, const Trial& trial);
  /// Nanoseconds of one run.
  int64_t Time() const;

 private:
  struct Step {
    schedule::BoundTask bound;
    std::vector<void*> operands;
  };
  Memory arena_, weights_, scratch_;
  std::vector<Step> steps_;
};

Result<TrialRun> TrialRun::Prepare(const LowerContext& context, const Trial& trial) {
  const Program& program = trial.program;
  TrialRun run;
  run.arena_ = AllocateArena(program.arena_bytes);
  run.weights_ = AllocateAligned(trial.weights.size());
  if (!run.arena_ || !run.weights_) {
    return Status(Code::kOutOfMemory, "no memory to time a candidate");
  }
  std::fill_n(reinterpret_cast<float*>(run.arena_.get()), program.arena_bytes / sizeof(float),
              0.5f);
  std::copy(trial.weights.begin(), trial.weights.end(), run.weights_.get());
  size_t scratch_bytes = 0;
  for (const Task& task : program.tasks) {
    Step step;
    ASSIGN_OR_RETURN(step.bound, schedule::BindTask({program, task, context.isa, 1}));
    for (const auto* operands : {&task.inputs, &task.outputs}) {
      for (uint32_t id : *operands) {
        const ProgramTensor* tensor = id == kNoTensor ? nullptr : &program.tensors[id];
        const bool constant = tensor && tensor->storage == Storage::kWeights;
        std::byte* base = constant ? run.weights_.get() : run.arena_.get();
        step.operands.push_back(tensor ? base + tensor->offset : nullptr);
      }
    }
    scratch_bytes = std::max(scratch_bytes, step.bound.scratch_bytes);
    run.steps_.push_back(std::move(step));
  }
  run.scratch_ = AllocateAligned(scratch_bytes);
  if (!run.scratch_) return Status(Code::kOutOfMemory, "no memory to time a candidate");
  return run;
}

/// How long this thread has run: other programs on its core do not count.
int64_t ThreadNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

int64_t TrialRun::Time() const {
  const int64_t start = ThreadNanoseconds();
  for (const Step& step : steps_) {
    for (int phase = 0; phase < step.bound.num_phases; ++phase) {
      step.bound.run(step.bound.state.get(), step.operands.data(), scratch_.get(), phase, {0, 1});
    }
  }
  return std::max<int64_t>(ThreadNanoseconds() - start, 1);
}

/// The best time of each run. They take turns, so that a busy moment of the machine hits all alike,
/// and go on as long as some best time still improves: on a busy machine it does for longer.
std::vector<int64_t> TimeInTurns(const std::vector<TrialRun>& runs) {
  threads::RunScope flush_denormals(nullptr);
  std::vector<int64_t> best(runs.size(), std::numeric_limits<int64_t>::max());
  int64_t total = 0;
  const auto enough = kMostNanoseconds * static_cast<int64_t>(runs.size());
  for (int round = 0, steady = 0; round < kMostRounds && steady < kSteadyRounds; ++round) {
    ++steady;
    for (size_t i = 0; i < runs.size(); ++i) {
      const int64_t time = runs[i].Time();
      if (time < best[i] - best[i] / 64) steady = 0;
      best[i] = std::min(best[i], time);
      total += time;
    }
    if (round >= 2 && total > enough) break;
  }
  return best;
}

/// Nanoseconds of the trials, from the bank or by measurement.
Result<std::vector<int64_t>> TimesOf(const LowerContext& context, std::vector<Trial>& trials,
                                     TuningBank& bank) {
  std::vector<uint64_t> keys;
  for (Trial& trial : trials) {
    ASSIGN_OR_RETURN(const uint64_t key, KeyOf(trial));
    keys.push_back(key);
  }
  // Times of different moments do not compare: a set of trials is known as a whole or not at all.
  const uint64_t set = HashBytes(std::as_bytes(std::span<const uint64_t>(keys)));
  std::vector<int64_t> times;
  for (uint64_t& key : keys) {
    key = HashBytes(std::as_bytes(std::span<const uint64_t>(&key, 1)), set);
    if (const auto time = bank.Find(key)) times.push_back(*time);
  }
  if (times.size() == keys.size()) return times;
  std::vector<TrialRun> runs;
  for (const Trial& trial : trials) {
    ASSIGN_OR_RETURN(TrialRun run, TrialRun::Prepare(context, trial));
    runs.push_back(std::move(run));
  }
  times = TimeInTurns(runs);
  for (size_t i = 0; i < keys.size(); ++i) bank.Add(keys[i], times[i]);
  return times;
}

/// Another choice than the cost model's must win by this factor: less is noise of the measurement.
/// The model's choices agree about layouts, so a conversion must be earned twice: its own cost and
/// this factor.
constexpr double kLeastGain = 0.92;

/// Nodes whose candidates differ in speed, with operands that may hold any numbers.
bool IsWorthTuning(const NodeChoice& choice) {
  if (choice.candidates.size() < 2) return false;
  for (const Value* input : choice.node->inputs()) {
    if (input && !input->is_constant() && input->type().dtype != ElementType::kF32) return false;
  }
  return std::any_of(choice.candidates.begin(), choice.candidates.end(), [](const Candidate& c) {
    return !c.kernel.empty() && c.cycles > kHeavyCycles;
  });
}

}  // namespace

Status TuneCandidates(const LowerContext& context, const Graph& graph,
                      std::vector<NodeChoice>& choices, std::vector<std::string>& warnings) {
  if (!kernels::IsaAvailable(context.isa)) return OkStatus();
  auto opened = TuningBank::Open(context.options.bank_path);
  if (!opened.ok()) warnings.push_back(opened.status().message());
  TuningBank bank = opened.ok() ? *std::move(opened) : TuningBank();
  for (NodeChoice& choice : choices) {
    if (!IsWorthTuning(choice)) continue;
    const Candidate* favourite = &choice.candidates[choice.chosen];
    std::vector<Candidate*> timed;
    std::vector<Trial> trials;
    for (Candidate& candidate : choice.candidates) {
      if (candidate.kernel.empty() || candidate.kernel == "reference") continue;
      ASSIGN_OR_RETURN(Trial trial, MakeTrial(context, graph, *choice.node, candidate));
      timed.push_back(&candidate);
      trials.push_back(std::move(trial));
    }
    ASSIGN_OR_RETURN(const std::vector<int64_t> times, TimesOf(context, trials, bank));
    for (size_t i = 0; i < timed.size(); ++i) {
      const double cycles = kCyclesPerNanosecond * static_cast<double>(times[i]);
      timed[i]->cycles = timed[i] == favourite ? kLeastGain * cycles : cycles;
    }
  }
  const Status saved = bank.Save();
  if (!saved.ok()) {
    warnings.push_back(StrCat("the measurements of this compilation are not kept: ",
                              saved.message(), "; --op_bank_path names another folder"));
  }
  return OkStatus();
}

}  // namespace cairn::plan
