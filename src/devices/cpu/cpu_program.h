// SPDX-License-Identifier: Apache-2.0
// A program bound to the host CPU, and its execution contexts.
#pragma once

#include <memory>
#include <vector>

#include "device/device.h"
#include "devices/cpu/work_memory.h"
#include "schedule/kernel_binding.h"
#include "threads/thread_pool.h"

namespace cairn::device {

/// Where a task operand's address comes from at run time.
struct OperandSource {
  enum class Kind : uint8_t { kAbsent, kConstant, kArena, kInput, kOutput } kind = Kind::kAbsent;
  uint32_t io_index = 0;
  uint64_t offset = 0;
  const std::byte* constant = nullptr;
};

/// A task ready to run: operands are entries [first_operand, first_operand + num_operands) of the
/// program's operand table.
struct CpuTask {
  schedule::BoundTask bound;
  uint32_t first_operand = 0;
};

class CpuProgram : public LoadedProgram {
 public:
  /// Verifies `image` and binds all tasks for `num_threads` threads. `pool` may be null (one thread)
  /// and must outlive the program.
  static Result<std::shared_ptr<LoadedProgram>> Load(const ProgramImage& image,
                                                     std::shared_ptr<const void> owner,
                                                     threads::ThreadPool* pool);

  const Program& program() const override { return program_; }
  Result<std::unique_ptr<Instance>> NewInstance(std::span<std::byte> arena,
                                                Instance* lender) override;

  const std::vector<CpuTask>& tasks() const { return tasks_; }
  const std::vector<OperandSource>& operands() const { return operands_; }
  size_t scratch_bytes() const { return scratch_bytes_; }
  threads::ThreadPool* pool() const { return pool_; }

 private:
  /// Moves the program's own constants to aligned memory.
  Status CopyConstants();
  Status Bind(kernels::Isa isa, std::span<const std::byte> weights);
  OperandSource SourceOf(uint32_t tensor, std::span<const std::byte> weights) const;

  Program program_;
  std::shared_ptr<std::byte> constants_;
  std::shared_ptr<const void> owner_;
  std::weak_ptr<CpuProgram> self_;
  threads::ThreadPool* pool_ = nullptr;
  std::vector<CpuTask> tasks_;
  std::vector<OperandSource> operands_;
  size_t scratch_bytes_ = 0;
};

/// Memory and operand addresses of one execution context.
class CpuInstance : public Instance {
 public:
  CpuInstance(std::shared_ptr<const CpuProgram> program, std::shared_ptr<WorkMemory> memory);

  Status Run(std::span<const void* const> inputs, std::span<void* const> outputs,
             RunProfile* profile) override;
  uint64_t arena_bytes() const override { return program_->program().arena_bytes; }
  uint64_t scratch_bytes() const override { return program_->scratch_bytes(); }
  const std::shared_ptr<WorkMemory>& memory() const { return memory_; }

 private:
  /// An operand whose address is the caller's buffer of this run.
  struct Patch {
    uint32_t operand;
    uint32_t io_index;
    uint64_t offset;
  };

  /// Sets the addresses of operands in the arena.
  void PlaceInArena();

  std::shared_ptr<const CpuProgram> program_;
  std::shared_ptr<WorkMemory> memory_;
  const std::byte* arena_ = nullptr;  // Where the addresses point; the memory may move.
  std::vector<void*> addresses_;
  std::vector<Patch> input_patches_, output_patches_;
};

}  // namespace cairn::device
