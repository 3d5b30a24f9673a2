// SPDX-License-Identifier: Apache-2.0
// Execution of a bound program: a walk over its tasks.
#include <optional>

#include "devices/cpu/cpu_program.h"
#include "devices/cpu/run_timer.h"

namespace cairn::device {
namespace {

/// One phase of one task as a region of the thread pool.
struct Phase {
  const schedule::BoundTask* bound;
  void* const* operands;
  void* scratch;
  int phase;
  std::atomic<int> fault{0};
};

void RunPart(void* context, int index, int count) {
  Phase& phase = *static_cast<Phase*>(context);
  const int fault = phase.bound->run(phase.bound->state.get(), phase.operands, phase.scratch,
                                     phase.phase, {index, count});
  if (fault != 0) phase.fault.store(fault, std::memory_order_relaxed);
}

/// Runs all phases; returns the fault of the first phase that had one.
int RunTask(threads::RunScope& scope, const schedule::BoundTask& bound, void* const* operands,
            void* scratch, RunTimer* timer) {
  Phase phase{&bound, operands, scratch, 0, {}};
  for (; phase.phase < bound.num_phases; ++phase.phase) {
    if (bound.max_parts > 1 && timer != nullptr) {
      timer->RunRegion(scope, RunPart, &phase, bound.max_parts);
    } else if (bound.max_parts > 1) {
      scope.Run(RunPart, &phase, bound.max_parts);
    } else {
      RunPart(&phase, 0, 1);
    }
    if (const int fault = phase.fault.load(std::memory_order_relaxed)) return fault;
  }
  return 0;
}

}  // namespace

CpuInstance::CpuInstance(std::shared_ptr<const CpuProgram> program,
                         std::shared_ptr<WorkMemory> memory)
    : program_(std::move(program)), memory_(std::move(memory)) {
  addresses_.reserve(program_->operands().size());
  for (const OperandSource& source : program_->operands()) {
    const auto index = static_cast<uint32_t>(addresses_.size());
    void* address = nullptr;
    switch (source.kind) {
      case OperandSource::Kind::kAbsent:
      case OperandSource::Kind::kArena: break;
      case OperandSource::Kind::kConstant: address = const_cast<std::byte*>(source.constant); break;
      case OperandSource::Kind::kInput:
        input_patches_.push_back({index, source.io_index, source.offset});
        break;
      case OperandSource::Kind::kOutput:
        output_patches_.push_back({index, source.io_index, source.offset});
        break;
    }
    addresses_.push_back(address);
  }
  PlaceInArena();
}

void CpuInstance::PlaceInArena() {
  arena_ = memory_->arena();
  const std::vector<OperandSource>& operands = program_->operands();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind == OperandSource::Kind::kArena)
      addresses_[i] = memory_->arena() + operands[i].offset;
  }
}

Status CpuInstance::Run(std::span<const void* const> inputs, std::span<void* const> outputs,
                        RunProfile* profile) {
  if (arena_ != memory_->arena()) PlaceInArena();
  for (const Patch& patch : input_patches_) {
    addresses_[patch.operand] =
        static_cast<std::byte*>(const_cast<void*>(inputs[patch.io_index])) + patch.offset;
  }
  for (const Patch& patch : output_patches_) {
    addresses_[patch.operand] = static_cast<std::byte*>(outputs[patch.io_index]) + patch.offset;
  }
  std::optional<RunTimer> timer;
  if (profile != nullptr) timer.emplace(*profile);
  threads::RunScope scope(program_->pool());
  const std::vector<CpuTask>& tasks = program_->tasks();
  for (size_t i = 0; i < tasks.size(); ++i) {
    const int fault = RunTask(scope, tasks[i].bound, addresses_.data() + tasks[i].first_operand,
                              memory_->scratch(), timer ? &*timer : nullptr);
    if (timer) timer->EndTask(static_cast<uint32_t>(i));
    if (fault != 0) {
      const Task& task = program_->program().tasks[i];
      return Status(Code::kInvalidArgument, StrCat("node '", task.name, "' (", task.op_type, "): ",
                                                   schedule::KernelFaultText(fault)));
    }
  }
  if (timer) timer->Finish();
  return OkStatus();
}

}  // namespace cairn::device
