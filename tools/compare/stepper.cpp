// SPDX-License-Identifier: Apache-2.0
// Addresses of tensors, tasks one by one, blocked tensors as row-major ones.
#include "compare/stepper.h"

#include <cstring>
#include <memory>

#include "schedule/kernel_binding.h"

namespace cairn::compare {
namespace {

constexpr size_t kAlignment = 64;

struct Freed {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
using Memory = std::unique_ptr<std::byte, Freed>;

Result<Memory> ZeroedMemory(uint64_t bytes) {
  const uint64_t size = (bytes + kAlignment) / kAlignment * kAlignment;
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(kAlignment, size)));
  if (memory == nullptr)
    return Status(Code::kOutOfMemory, StrCat(bytes, " bytes cannot be allocated"));
  std::memset(memory.get(), 0, size);
  return memory;
}

/// Copies a blocked tensor [N, C/c0, spatial..., c0] to [N, C, spatial...].
void Unblock(const std::byte* src, int c0, size_t element, Tensor& dst) {
  const Shape& shape = dst.shape();
  int64_t spatial = 1;
  for (size_t i = 2; i < shape.size(); ++i) spatial *= shape[i];
  const int64_t channels = shape[1], blocks = (channels + c0 - 1) / c0;
  std::byte* out = dst.mutable_bytes();
  for (int64_t n = 0; n < shape[0]; ++n)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t s = 0; s < spatial; ++s) {
        const int64_t from = ((n * blocks + c / c0) * spatial + s) * c0 + c % c0;
        std::memcpy(out, src + static_cast<size_t>(from) * element, element);
        out += element;
      }
}

class Stepper {
 public:
  Stepper(const Program& program, std::span<const std::byte> weights)
      : program_(program), weights_(weights) {}

  Result<std::vector<Tensor>> Run(const std::vector<Tensor>& inputs, const TaskObserver& observer) {
    RETURN_IF_ERROR(Prepare(inputs));
    for (const Task& task : program_.tasks) {
      RETURN_IF_ERROR(RunTask(task));
      if (!observer) continue;
      std::vector<Tensor> outputs;
      for (const uint32_t tensor : task.outputs) {
        ASSIGN_OR_RETURN(Tensor copy, Copy(tensor));
        outputs.push_back(std::move(copy));
      }
      observer(task, outputs);
    }
    std::vector<Tensor> outputs;
    for (const ProgramIo& io : program_.outputs) {
      ASSIGN_OR_RETURN(Tensor copy, Copy(io.tensor));
      outputs.push_back(std::move(copy));
    }
    return outputs;
  }

 private:
  Status Prepare(const std::vector<Tensor>& inputs) {
    if (inputs.size() != program_.inputs.size())
      return Status(
          Code::kInvalidArgument,
          StrCat(inputs.size(), " inputs are given, the model has ", program_.inputs.size()));
    ASSIGN_OR_RETURN(arena_, ZeroedMemory(program_.arena_bytes));
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].num_bytes() != program_.inputs[i].bytes)
        return Status(Code::kInvalidArgument,
                      StrCat("input '", program_.inputs[i].name, "' has ", inputs[i].num_bytes(),
                             " bytes, expected ", program_.inputs[i].bytes));
      ASSIGN_OR_RETURN(Memory memory, ZeroedMemory(inputs[i].num_bytes()));
      std::memcpy(memory.get(), inputs[i].bytes(), inputs[i].num_bytes());
      inputs_.push_back(std::move(memory));
    }
    for (const ProgramIo& io : program_.outputs) {
      ASSIGN_OR_RETURN(Memory memory, ZeroedMemory(io.bytes));
      outputs_.push_back(std::move(memory));
    }
    return OkStatus();
  }

  std::byte* AddressOf(uint32_t index) const {
    if (index == kNoTensor) return nullptr;
    const ProgramTensor& tensor = program_.tensors[index];
    switch (tensor.storage) {
      case Storage::kArena:
        return arena_.get() + tensor.offset;
      case Storage::kWeights:
        return const_cast<std::byte*>(weights_.data()) + tensor.offset;
      case Storage::kInput:
        return inputs_[tensor.io_index].get() + tensor.offset;
      case Storage::kOutput:
        return outputs_[tensor.io_index].get() + tensor.offset;
      case Storage::kOwn:
        return const_cast<std::byte*>(program_.constants.data()) + tensor.offset;
    }
    return nullptr;
  }

  Status RunTask(const Task& task) {
    ASSIGN_OR_RETURN(
        const schedule::BoundTask bound,
        schedule::BindTask({program_, task, static_cast<kernels::Isa>(program_.isa), 1}));
    ASSIGN_OR_RETURN(const Memory scratch, ZeroedMemory(bound.scratch_bytes));
    std::vector<void*> operands;
    for (const auto* list : {&task.inputs, &task.outputs})
      for (const uint32_t tensor : *list) operands.push_back(AddressOf(tensor));
    for (int phase = 0; phase < bound.num_phases; ++phase) {
      for (int part = 0; part < bound.max_parts; ++part) {
        const int fault = bound.run(bound.state.get(), operands.data(), scratch.get(), phase,
                                    {part, bound.max_parts});
        if (fault != 0)
          return Status(Code::kInvalidArgument, StrCat("node '", task.name, "' (", task.op_type,
                                                       "): ", schedule::KernelFaultText(fault)));
      }
    }
    return OkStatus();
  }

  /// The tensor as it is now, row-major.
  Result<Tensor> Copy(uint32_t index) const {
    if (index == kNoTensor || program_.tensors[index].layout == Layout::kPacked) return Tensor();
    const ProgramTensor& tensor = program_.tensors[index];
    ASSIGN_OR_RETURN(Tensor copy, Tensor::Allocate(tensor.dtype, tensor.dims));
    if (copy.num_bytes() == 0) return copy;
    if (tensor.layout == Layout::kBlocked)
      Unblock(AddressOf(index), program_.c0, static_cast<size_t>(ElementBits(tensor.dtype)) / 8,
              copy);
    else
      std::memcpy(copy.mutable_bytes(), AddressOf(index), copy.num_bytes());
    return copy;
  }

  const Program& program_;
  const std::span<const std::byte> weights_;
  Memory arena_;
  std::vector<Memory> inputs_, outputs_;
};

}  // namespace

Result<std::vector<Tensor>> RunStepwise(const Program& program, std::span<const std::byte> weights,
                                        const std::vector<Tensor>& inputs,
                                        const TaskObserver& observer) {
  return Stepper(program, weights).Run(inputs, observer);
}

}  // namespace cairn::compare
