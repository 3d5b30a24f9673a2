// SPDX-License-Identifier: Apache-2.0
// Writes candidates into the draft and converts values between layouts where their readers ask for
// it.
#include "plan/emitter.h"

#include <cstring>

#include "plan/cost.h"
#include "plan/prepared.h"

namespace cairn::plan {
namespace {

const char* LayoutName(Layout layout) {
  return layout == Layout::kBlocked ? "blocked" : layout == Layout::kPlain ? "plain" : "packed";
}

/// Rearranges a plain constant into [N, ceil(C/c0), spatial, c0], zeros beyond the last channel.
std::vector<std::byte> BlockConstant(const Tensor& tensor, int c0, uint64_t bytes) {
  std::vector<std::byte> blocked(bytes);
  const Shape& shape = tensor.shape();
  const int64_t channels = shape[1], blocks = (channels + c0 - 1) / c0;
  int64_t spatial = 1;
  for (size_t i = 2; i < shape.size(); ++i) spatial *= shape[i];
  const size_t size = static_cast<size_t>(ElementBits(tensor.dtype()) / 8);
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t s = 0; s < spatial; ++s) {
        const int64_t src = (n * channels + c) * spatial + s;
        const int64_t dst = ((n * blocks + c / c0) * spatial + s) * c0 + c % c0;
        std::memcpy(blocked.data() + static_cast<size_t>(dst) * size,
                    tensor.bytes() + static_cast<size_t>(src) * size, size);
      }
    }
  }
  return blocked;
}

}  // namespace

Status Emitter::AddInputs() {
  for (size_t i = 0; i < graph_.inputs().size(); ++i) {
    const Value& value = *graph_.inputs()[i];
    ASSIGN_OR_RETURN(TensorId id, NewTensor(value, Layout::kPlain));
    draft_.tensors[id].storage = Storage::kInput;
    draft_.tensors[id].io_index = static_cast<uint32_t>(i);
    tensors_[&value].in_layout[0] = id;
  }
  return OkStatus();
}

Result<TensorId> Emitter::Declare(const Value& value, Layout layout) {
  TensorId& id = tensors_[&value].in_layout[static_cast<size_t>(layout)];
  if (id == kNoTensor) {
    ASSIGN_OR_RETURN(id, NewTensor(value, layout));
  }
  return id;
}

Status Emitter::EmitNode(const Node& node, const Candidate& candidate) {
  node_ = &node;
  candidate_ = &candidate;
  return candidate.emit(*this).WithContext(StrCat("node '", node.name(), "' (", node.op(), ")"));
}

Result<TensorId> Emitter::NewTensor(const Value& value, Layout layout) {
  DraftTensor tensor;
  tensor.dtype = value.type().dtype;
  tensor.layout = layout;
  tensor.dims = StaticShape(value);
  tensor.name = value.name();
  ASSIGN_OR_RETURN(tensor.bytes, StorageBytes(tensor.dtype, layout, tensor.dims, context_.c0()));
  return draft_.AddTensor(std::move(tensor));
}

Result<TensorId> Emitter::Temporary(ElementType dtype, Layout layout, Shape dims) {
  DraftTensor tensor;
  tensor.dtype = dtype;
  tensor.layout = layout;
  tensor.dims = std::move(dims);
  ASSIGN_OR_RETURN(tensor.bytes, StorageBytes(dtype, layout, tensor.dims, context_.c0()));
  return draft_.AddTensor(std::move(tensor));
}

TensorId Emitter::Constant(ElementType dtype, Layout layout, Shape dims,
                           std::span<const std::byte> bytes) {
  DraftTensor tensor;
  tensor.dtype = dtype;
  tensor.layout = layout;
  tensor.dims = std::move(dims);
  tensor.bytes = bytes.size();
  tensor.storage = draft_.constants;
  tensor.offset = draft_.weights.Add(bytes);
  if (layout == Layout::kPacked) report_.packed_bytes += bytes.size();
  return draft_.AddTensor(std::move(tensor));
}

TensorId Emitter::StoredConstant(ElementType dtype, Layout layout, Shape dims, uint64_t offset,
                                 uint64_t bytes) {
  DraftTensor tensor;
  tensor.dtype = dtype;
  tensor.layout = layout;
  tensor.dims = std::move(dims);
  tensor.bytes = bytes;
  tensor.storage = Storage::kWeights;
  tensor.offset = offset;
  return draft_.AddTensor(std::move(tensor));
}

TensorId Emitter::Packed(const std::string& form, Shape dims, size_t bytes,
                         const std::function<void(std::byte*)>& fill) {
  PreparedForms* prepared = context_.options.prepared;
  const std::string key = prepared ? StrCat(node_->name(), "|", form, "|", bytes) : std::string();
  if (prepared && !prepared->recording) {
    const auto found = prepared->packed.find(key);
    if (found != prepared->packed.end() && found->second.bytes == bytes) {
      return StoredConstant(ElementType::kF32, Layout::kPacked, std::move(dims),
                            found->second.offset, bytes);
    }
  }
  std::vector<std::byte> packed(bytes);
  fill(packed.data());
  const TensorId id = Constant(ElementType::kF32, Layout::kPacked, std::move(dims), packed);
  if (prepared && prepared->recording && prepared->emitting)
    prepared->packed[key] = {draft_.tensors[id].offset, bytes};
  return id;
}

TensorId Emitter::FloatConstant(std::span<const float> values, Layout layout) {
  return Constant(ElementType::kF32, layout, {static_cast<int64_t>(values.size())},
                  std::as_bytes(values));
}

Result<TensorId> Emitter::ConstantTensor(const Tensor& tensor, Layout layout) {
  std::span<const std::byte> bytes(tensor.bytes(), tensor.num_bytes());
  const PreparedForms* prepared = context_.options.prepared;
  if (layout == Layout::kPlain && prepared && !bytes.empty() && !prepared->weights.empty() &&
      bytes.data() >= prepared->weights.data() &&
      bytes.data() < prepared->weights.data() + prepared->weights.size()) {
    return StoredConstant(tensor.dtype(), layout, tensor.shape(),
                          static_cast<uint64_t>(bytes.data() - prepared->weights.data()),
                          bytes.size());
  }
  if (layout == Layout::kPlain) return Constant(tensor.dtype(), layout, tensor.shape(), bytes);
  ASSIGN_OR_RETURN(uint64_t blocked_bytes,
                   StorageBytes(tensor.dtype(), layout, tensor.shape(), context_.c0()));
  const auto blocked = BlockConstant(tensor, context_.c0(), blocked_bytes);
  return Constant(tensor.dtype(), layout, tensor.shape(), blocked);
}

Result<TensorId> Emitter::TensorOf(const Value& value, Layout layout) {
  auto& known = tensors_[&value].in_layout;
  TensorId& id = known[static_cast<size_t>(layout)];
  if (id != kNoTensor) return id;
  if (value.is_constant()) {
    ASSIGN_OR_RETURN(id, ConstantTensor(value.constant(), layout));
    return id;
  }
  const TensorId other = known[layout == Layout::kPlain ? 1 : 0];
  if (other == kNoTensor) {
    return Status(Code::kInternal, StrCat("value '", value.name(), "' is read before it is made"));
  }
  ASSIGN_OR_RETURN(id, Convert(value, other, layout));
  return id;
}

Result<TensorId> Emitter::Convert(const Value& value, TensorId src, Layout to) {
  ASSIGN_OR_RETURN(TensorId dst, NewTensor(value, to));
  const Layout from = draft_.tensors[src].layout;
  if (SameBytes(draft_.tensors[src].dims, from, to, context_.c0())) {
    draft_.PlaceInside(dst, src, 0);
    return dst;
  }
  const Node* producer = value.producer();
  const std::string reader = node_ ? node_->name() : "model output";
  std::string asks = "the model's output";
  if (node_) {
    asks = candidate_->kernel.empty()
               ? StrCat("'", reader, "', a view,")
               : StrCat("kernel '", candidate_->kernel, "' of '", reader, "'");
  }
  const std::string edge = StrCat(producer ? producer->name() : value.name(), " -> ", reader);
  const std::string reason = StrCat(asks, " needs the ", LayoutName(to), " layout");
  Task task;
  task.kernel = "transdata";
  task.op_type = "TransData";
  task.name = StrCat(producer ? producer->name() : value.name(), "_TransData");
  if (producer) task.origins = producer->origins();
  task.inputs = {src};
  task.outputs = {dst};
  task.attributes["edge"] = edge;
  task.attributes["reason"] = reason;
  DraftTask& added = AppendTask(std::move(task));
  added.cycles = ConversionCycles(context_, value, from, to);
  report_.conversions.push_back({edge, reason, draft_.tensors[dst].bytes});
  return dst;
}

Result<TensorId> Emitter::In(size_t i) { return InAs(i, candidate_->inputs[i]); }

Result<TensorId> Emitter::InAs(size_t i, Layout layout) {
  const Value* value = node_->input(i);
  if (value == nullptr) return kNoTensor;
  return TensorOf(*value, layout);
}

Result<TensorId> Emitter::Out(size_t i) {
  const Value* value = node_->output(i);
  CAIRN_CHECK(value != nullptr, "the output must be wanted");
  const Layout layout = candidate_->outputs[i];
  ASSIGN_OR_RETURN(TensorId id, NewTensor(*value, layout));
  tensors_[value].in_layout[static_cast<size_t>(layout)] = id;
  return id;
}

Result<TensorId> Emitter::View(size_t i, TensorId base, uint64_t offset) {
  ASSIGN_OR_RETURN(TensorId id, Out(i));
  draft_.PlaceInside(id, base, offset);
  return id;
}

DraftTask& Emitter::AppendTask(Task task) {
  for (const auto* operands : {&task.inputs, &task.outputs}) {
    for (TensorId id : *operands) {
      if (id != kNoTensor) task.traffic_bytes += static_cast<double>(draft_.tensors[id].bytes);
    }
  }
  draft_.tasks.push_back({std::move(task), 0, {}});
  return draft_.tasks.back();
}

DraftTask& Emitter::AddTask(std::string kernel, std::vector<TensorId> inputs,
                            std::vector<TensorId> outputs) {
  Task task;
  task.kernel = std::move(kernel);
  task.op_type = node_->op();
  task.name = node_->name();
  task.origins = node_->origins();
  task.inputs = std::move(inputs);
  task.outputs = std::move(outputs);
  return AppendTask(std::move(task));
}

DraftTask& Emitter::AddTask(std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
  DraftTask& task = AddTask(candidate_->kernel, std::move(inputs), std::move(outputs));
  task.cycles = candidate_->cycles;
  task.task.flops = NodeFlops(*node_);
  return task;
}

void Emitter::AddCopy(TensorId src, TensorId dst) {
  DraftTask& task = AddTask("copy", {src}, {dst});
  task.cycles = TrafficCycles(context_, 2.0 * static_cast<double>(draft_.tensors[dst].bytes));
}

Result<std::vector<TensorId>> Emitter::AddOutputs() {
  node_ = nullptr;
  std::vector<TensorId> result;
  for (size_t i = 0; i < graph_.outputs().size(); ++i) {
    const Value& value = *graph_.outputs()[i];
    ASSIGN_OR_RETURN(TensorId id, TensorOf(value, Layout::kPlain));
    const TensorId root = draft_.Locate(id).root;
    if (draft_.tensors[root].storage != Storage::kArena || !draft_.FillsRoot(id)) {
      ASSIGN_OR_RETURN(TensorId copy, NewTensor(value, Layout::kPlain));
      Task task;
      task.kernel = "copy";
      task.op_type = "Identity";
      task.name = StrCat(graph_.output_name(i), "_copy");
      if (value.producer()) task.origins = value.producer()->origins();
      task.inputs = {id};
      task.outputs = {copy};
      AppendTask(std::move(task)).cycles =
          TrafficCycles(context_, 2.0 * static_cast<double>(draft_.tensors[id].bytes));
      id = copy;
    }
    DraftTensor& bound = draft_.tensors[draft_.Locate(id).root];
    bound.storage = Storage::kOutput;
    bound.io_index = static_cast<uint32_t>(i);
    result.push_back(id);
  }
  return result;
}

}  // namespace cairn::plan
