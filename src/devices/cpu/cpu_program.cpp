// SPDX-License-Identifier: Apache-2.0
// Verification and binding of a program for the host CPU.
#include "devices/cpu/cpu_program.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cairn::device {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

/// Zeroed memory, huge pages where they pay: first touch then costs a fifth.
Result<std::shared_ptr<std::byte>> AllocateBuffer(size_t bytes, const char* what) {
  const size_t alignment = bytes >= kHugePage ? kHugePage : 4096;
  const size_t rounded = (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (!memory) {
    return Status(Code::kOutOfMemory, StrCat("no memory for the ", what, " of ", bytes, " bytes"));
  }
  if (bytes >= kHugePage) madvise(memory, rounded, MADV_HUGEPAGE);
  std::memset(memory, 0, rounded);
  return std::shared_ptr<std::byte>(static_cast<std::byte*>(memory),
                                    [](std::byte* p) { std::free(p); });
}

}  // namespace

Result<std::shared_ptr<LoadedProgram>> CpuProgram::Load(const ProgramImage& image,
                                                        std::shared_ptr<const void> owner,
                                                        threads::ThreadPool* pool) {
  auto loaded = std::make_shared<CpuProgram>();
  ASSIGN_OR_RETURN(loaded->program_, ReadProgram(image.program));
  const Program& program = loaded->program_;
  if (program.weights_bytes > image.weights.size()) {
    return Status(Code::kDataCorrupt, StrCat("the weights have ", image.weights.size(),
                                             " bytes, the program needs ", program.weights_bytes));
  }
  const auto isa = static_cast<kernels::Isa>(program.isa);
  if (program.isa > static_cast<uint8_t>(kernels::Isa::kNeon) ||
      program.c0 != kernels::VectorFloats(isa)) {
    return Status(Code::kIncompatible, "the program's instruction set is unknown to this build");
  }
  if (!kernels::IsaAvailable(isa)) {
    return Status(Code::kIncompatible,
                  StrCat("the model needs a CPU with ", kernels::IsaName(isa),
                         ", which this one is not; rebuild it with atc --soc_version=native"));
  }
  loaded->owner_ = std::move(owner);
  loaded->pool_ = pool;
  loaded->self_ = loaded;
  RETURN_IF_ERROR(loaded->Bind(isa, image.weights));
  return std::shared_ptr<LoadedProgram>(loaded);
}

OperandSource CpuProgram::SourceOf(uint32_t index, std::span<const std::byte> weights) const {
  if (index == kNoTensor) return {};
  const ProgramTensor& tensor = program_.tensors[index];
  switch (tensor.storage) {
    case Storage::kArena: return {OperandSource::Kind::kArena, 0, tensor.offset, nullptr};
    case Storage::kWeights:
      return {OperandSource::Kind::kConstant, 0, 0, weights.data() + tensor.offset};
    case Storage::kInput: return {OperandSource::Kind::kInput, tensor.io_index, tensor.offset, nullptr};
    case Storage::kOutput:
      return {OperandSource::Kind::kOutput, tensor.io_index, tensor.offset, nullptr};
  }
  return {};
}

Status CpuProgram::Bind(kernels::Isa isa, std::span<const std::byte> weights) {
  const int num_threads = pool_ ? pool_->num_threads() : 1;
  tasks_.reserve(program_.tasks.size());
  for (const Task& task : program_.tasks) {
    const schedule::BindContext context{program_, task, isa, num_threads};
    ASSIGN_OR_RETURN(schedule::BoundTask bound, schedule::BindTask(context));
    scratch_bytes_ = std::max(scratch_bytes_, bound.scratch_bytes);
    tasks_.push_back({std::move(bound), static_cast<uint32_t>(operands_.size())});
    for (uint32_t index : task.inputs) operands_.push_back(SourceOf(index, weights));
    for (uint32_t index : task.outputs) operands_.push_back(SourceOf(index, weights));
  }
  return OkStatus();
}

Result<std::unique_ptr<Instance>> CpuProgram::NewInstance(std::span<std::byte> arena) {
  std::shared_ptr<std::byte> owned;
  if (arena.empty()) {
    ASSIGN_OR_RETURN(owned, AllocateBuffer(program_.arena_bytes, "arena"));
    arena = {owned.get(), program_.arena_bytes};
  } else if (arena.size() < program_.arena_bytes) {
    return Status(Code::kInvalidArgument, StrCat("the work memory has ", arena.size(),
                                                 " bytes, the model needs ", program_.arena_bytes));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<std::byte> scratch, AllocateBuffer(scratch_bytes_, "scratch"));
  return std::unique_ptr<Instance>(new CpuInstance(self_.lock(), arena, owned, scratch));
}

}  // namespace cairn::device
