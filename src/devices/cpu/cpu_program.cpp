// SPDX-License-Identifier: Apache-2.0
// Verification and binding of a program for the host CPU.
#include "devices/cpu/cpu_program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cairn::device {
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
    case Storage::kOwn: return {OperandSource::Kind::kConstant, 0, 0, constants_.get() + tensor.offset};
    case Storage::kInput: return {OperandSource::Kind::kInput, tensor.io_index, tensor.offset, nullptr};
    case Storage::kOutput:
      return {OperandSource::Kind::kOutput, tensor.io_index, tensor.offset, nullptr};
  }
  return {};
}

Status CpuProgram::CopyConstants() {
  if (program_.constants.empty()) return OkStatus();
  constexpr size_t kAlignment = 64;
  const size_t bytes = (program_.constants.size() + kAlignment - 1) / kAlignment * kAlignment;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(kAlignment, bytes));
  if (memory == nullptr)
    return Status(Code::kOutOfMemory, StrCat("no memory for constants of ", bytes, " bytes"));
  constants_ = std::shared_ptr<std::byte>(memory, [](std::byte* p) { std::free(p); });
  std::memcpy(memory, program_.constants.data(), program_.constants.size());
  program_.constants = {};
  return OkStatus();
}

Status CpuProgram::Bind(kernels::Isa isa, std::span<const std::byte> weights) {
  if (program_.is_open()) return OkStatus();
  RETURN_IF_ERROR(CopyConstants());
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

Result<std::unique_ptr<Instance>> CpuProgram::NewInstance(std::span<std::byte> arena,
                                                          Instance* lender) {
  auto memory = lender != nullptr ? static_cast<CpuInstance*>(lender)->memory()
                                  : std::make_shared<WorkMemory>(arena);
  RETURN_IF_ERROR(memory->Reserve(program_.arena_bytes, scratch_bytes_));
  return std::unique_ptr<Instance>(new CpuInstance(self_.lock(), std::move(memory)));
}

}  // namespace cairn::device
