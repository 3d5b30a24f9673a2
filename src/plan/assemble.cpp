// SPDX-License-Identifier: Apache-2.0
// Records of tensors and tasks.
#include "plan/assemble.h"

#include "plan/partition.h"

namespace cairn::plan {

uint32_t Assembler::Tensor(TensorId id) {
  if (id == kNoTensor) return kNoTensor;
  auto [it, added] = index_.try_emplace(id, static_cast<uint32_t>(program_.tensors.size()));
  if (!added) return it->second;
  const DraftTensor& tensor = draft_.tensors[id];
  const Place place = draft_.Locate(id);
  const DraftTensor& root = draft_.tensors[place.root];
  ProgramTensor record;
  record.dtype = tensor.dtype;
  record.layout = tensor.layout;
  record.storage = root.storage;
  record.io_index = root.io_index;
  // A root's own offset counts from its storage; Locate counts from the root.
  record.offset = place.offset + root.offset;
  record.bytes = tensor.bytes;
  record.dims = tensor.dims;
  program_.tensors.push_back(std::move(record));
  return it->second;
}

void Assembler::AddTask(const DraftTask& draft_task) {
  Task task = draft_task.task;
  for (uint32_t& id : task.inputs) id = Tensor(id);
  for (uint32_t& id : task.outputs) id = Tensor(id);
  task.max_parts = MaxParts(draft_task.cycles);
  program_.tasks.push_back(std::move(task));
}

ProgramIo Assembler::Io(const std::string& name, TensorId id) {
  const DraftTensor& tensor = draft_.tensors[id];
  return {name, tensor.dtype, tensor.dims, tensor.bytes, Tensor(id)};
}

}  // namespace cairn::plan
