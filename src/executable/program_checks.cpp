// SPDX-License-Identifier: Apache-2.0
// Checks of an untrusted program's records against each other.
#include "executable/program_checks.h"

#include <algorithm>

#include "executable/program_file.h"

namespace cairn {
namespace {

Status Corrupt(const std::string& what) { return CorruptProgram(what); }

bool Inside(uint64_t offset, uint64_t bytes, uint64_t limit) {
  return offset <= limit && bytes <= limit - offset;
}

/// The most bytes that a tensor of a gear may have.
constexpr uint64_t kMaxIoBytes = uint64_t{1} << 46;

/// Inputs and outputs of a program with gears: what they describe lies in the gears.
Status CheckGearIo(const std::vector<ProgramIo>& list, const char* kind) {
  for (size_t i = 0; i < list.size(); ++i) {
    const ProgramIo& io = list[i];
    const bool typed = static_cast<int>(io.dtype) < kNumElementTypes && ElementBits(io.dtype) != 0;
    if (!typed || io.tensor != kNoTensor || io.bytes > kMaxIoBytes ||
        std::ranges::any_of(io.dims, [](int64_t dim) { return dim < -1; })) {
      return Corrupt(StrCat(kind, " ", i, " is malformed"));
    }
  }
  return OkStatus();
}

/// How many values the gears of a kind have; 0: any number.
size_t NumGearValues(ShapeKind kind) {
  return kind == ShapeKind::kBatchGears ? 1 : kind == ShapeKind::kImageGears ? 2 : 0;
}

size_t NumDims(std::span<const ProgramIo> list) {
  size_t count = 0;
  for (const ProgramIo& io : list) count += io.dims.size();
  return count;
}

/// The gears of a program of `bytes` bytes whose own part ends at `begin`.
Status CheckGears(const Program& program, uint64_t begin, uint64_t bytes) {
  if (program.is_static() || program.is_open()) {
    if (!program.gears.empty()) return Corrupt("a program without gears has some");
    return begin == bytes ? OkStatus() : Corrupt("data follow the program");
  }
  if (program.shape_kind > ShapeKind::kDimsGears || program.gears.empty())
    return Corrupt("its gears are of an unknown kind or missing");
  if (!program.tensors.empty() || !program.tasks.empty())
    return Corrupt("a program with gears has tasks of its own");
  RETURN_IF_ERROR(CheckGearIo(program.inputs, "input"));
  RETURN_IF_ERROR(CheckGearIo(program.outputs, "output"));
  const size_t num_values = program.gears[0].values.size();
  const std::span<const ProgramIo> inputs(program.inputs);
  if (inputs.empty() || inputs.back().name != kGearInputName || num_values == 0 ||
      inputs.back().dims != std::vector<int64_t>{static_cast<int64_t>(num_values)} ||
      inputs.back().dtype != ElementType::kI32 || inputs.back().bytes != 4 * num_values) {
    return Corrupt("the input of the gear is missing or malformed");
  }
  const size_t fixed_values = NumGearValues(program.shape_kind);
  if (fixed_values != 0 && num_values != fixed_values)
    return Corrupt("a gear has a wrong number of values");
  const size_t num_input_dims = NumDims(inputs.first(inputs.size() - 1));
  const size_t num_output_dims = NumDims(program.outputs);
  uint64_t end = begin;
  for (const ProgramGear& gear : program.gears) {
    if (gear.values.size() != num_values || gear.input_dims.size() != num_input_dims ||
        gear.output_dims.size() != num_output_dims) {
      return Corrupt("the gears differ in their number of dims");
    }
    for (const auto* list : {&gear.values, &gear.input_dims, &gear.output_dims}) {
      if (std::ranges::any_of(*list, [](int64_t v) { return v < 0 || v > INT32_MAX; }))
        return Corrupt("a dim of a gear is out of range");
    }
    if (gear.offset % kGearAlignment != 0 || gear.offset < end ||
        !Inside(gear.offset, gear.bytes, bytes)) {
      return Corrupt("the program of a gear leaves the file");
    }
    end = gear.offset + gear.bytes;
  }
  return end == bytes ? OkStatus() : Corrupt("data follow the last gear");
}

/// A program that is planned at run time.
Status CheckOpen(const Program& program) {
  RETURN_IF_ERROR(CheckGearIo(program.inputs, "input"));
  RETURN_IF_ERROR(CheckGearIo(program.outputs, "output"));
  const bool holds_model = program.tensors.empty() && program.tasks.size() == 1 &&
                           program.tasks[0].inputs.empty() && program.tasks[0].outputs.empty();
  return holds_model ? OkStatus() : Corrupt("the model in it is missing");
}

Status CheckIo(const std::vector<ProgramIo>& list, const Program& program, Storage storage,
               const char* kind) {
  for (size_t i = 0; i < list.size(); ++i) {
    const ProgramIo& io = list[i];
    auto bytes = StorageBytes(io.dtype, Layout::kPlain, io.dims, 1);
    if (!bytes.ok() || *bytes != io.bytes)
      return Corrupt(StrCat(kind, " ", i, " has a wrong size"));
    if (io.tensor >= program.tensors.size()) return Corrupt(StrCat(kind, " ", i, " has no tensor"));
    const ProgramTensor& tensor = program.tensors[io.tensor];
    if (tensor.storage != storage || tensor.io_index != i || tensor.offset != 0 ||
        tensor.bytes != io.bytes || tensor.dtype != io.dtype) {
      return Corrupt(StrCat(kind, " ", i, " and its tensor differ"));
    }
  }
  return OkStatus();
}

Status CheckTensor(const ProgramTensor& tensor, const Program& program, int c0) {
  if (static_cast<int>(tensor.dtype) >= kNumElementTypes || ElementBits(tensor.dtype) == 0) {
    return Corrupt("a tensor has an unknown element type");
  }
  if (tensor.layout > Layout::kPacked) return Corrupt("a tensor has an unknown layout");
  if (tensor.layout == Layout::kPacked) {
    if (tensor.storage != Storage::kWeights && tensor.storage != Storage::kOwn)
      return Corrupt("a packed tensor is not a constant");
  } else {
    auto bytes = StorageBytes(tensor.dtype, tensor.layout, tensor.dims, c0);
    if (!bytes.ok() || *bytes != tensor.bytes) return Corrupt("a tensor's size is wrong");
  }
  switch (tensor.storage) {
    case Storage::kArena:
      return Inside(tensor.offset, tensor.bytes, program.arena_bytes)
                 ? OkStatus()
                 : Corrupt("a tensor leaves the arena");
    case Storage::kWeights:
      return Inside(tensor.offset, tensor.bytes, program.weights_bytes)
                 ? OkStatus()
                 : Corrupt("a constant leaves the weights");
    case Storage::kOwn:
      return Inside(tensor.offset, tensor.bytes, program.constants.size())
                 ? OkStatus()
                 : Corrupt("a constant leaves the program");
    case Storage::kInput:
    case Storage::kOutput: {
      const auto& list = tensor.storage == Storage::kInput ? program.inputs : program.outputs;
      if (tensor.io_index >= list.size() ||
          !Inside(tensor.offset, tensor.bytes, list[tensor.io_index].bytes)) {
        return Corrupt("a tensor leaves its input or output");
      }
      return OkStatus();
    }
  }
  return Corrupt("a tensor has an unknown storage");
}

Status CheckTask(const Task& task, const Program& program) {
  for (uint32_t index : task.inputs) {
    if (index != kNoTensor && index >= program.tensors.size()) {
      return Corrupt(StrCat("task '", task.name, "' reads an unknown tensor"));
    }
  }
  for (uint32_t index : task.outputs) {
    if (index == kNoTensor) continue;
    if (index >= program.tensors.size()) {
      return Corrupt(StrCat("task '", task.name, "' writes an unknown tensor"));
    }
    const Storage storage = program.tensors[index].storage;
    if (storage == Storage::kWeights || storage == Storage::kOwn || storage == Storage::kInput) {
      return Corrupt(StrCat("task '", task.name, "' writes a constant or an input"));
    }
  }
  if (task.max_parts == 0) return Corrupt(StrCat("task '", task.name, "' has no parts"));
  return OkStatus();
}

}  // namespace

Status CorruptProgram(const std::string& what) {
  return Status(Code::kDataCorrupt, StrCat("the program is damaged: ", what));
}

Status CheckProgram(const Program& program, uint64_t own_end, uint64_t bytes) {
  RETURN_IF_ERROR(CheckGears(program, own_end, bytes));
  const int c0 = program.c0;
  if (c0 < 1 || c0 > 64) return Corrupt("the channel block is not in 1..64");
  constexpr uint64_t kMaxArena = uint64_t{1} << 46;
  if (program.arena_bytes > kMaxArena) return Corrupt("the arena is larger than 64 TiB");
  if (program.planned_cores == 0) return Corrupt("the program is planned for no core");
  if (program.is_open()) return CheckOpen(program);
  if (!program.is_static()) return OkStatus();
  RETURN_IF_ERROR(CheckIo(program.inputs, program, Storage::kInput, "input"));
  RETURN_IF_ERROR(CheckIo(program.outputs, program, Storage::kOutput, "output"));
  for (const ProgramTensor& tensor : program.tensors) {
    RETURN_IF_ERROR(CheckTensor(tensor, program, c0));
  }
  for (const Task& task : program.tasks) RETURN_IF_ERROR(CheckTask(task, program));
  return OkStatus();
}

}  // namespace cairn
