// SPDX-License-Identifier: Apache-2.0
// Walks the chain of operators behind the kernel's sums; what the registers cannot do becomes a
// program.
#include "plan/epilogue.h"

#include <algorithm>
#include <limits>

#include "plan/elt_program.h"
#include "plan/emitter.h"
#include "schedule/elementwise_program.h"

namespace cairn::plan {
namespace {

using Kind = kernels::EpilogueOperandKind;

/// Dims right-aligned to `rank`, ones in front.
Shape Aligned(const Value& value, size_t rank) {
  Shape shape = StaticShape(value);
  shape.insert(shape.begin(), rank - std::min(rank, shape.size()), 1);
  return shape;
}

/// How an operand relates to a result of `shape` with channels at `axis`.
std::optional<Kind> Classify(const Value& value, const Shape& shape, size_t axis) {
  if (value.type().dtype != ElementType::kF32 ||
      value.type().rank() > static_cast<int64_t>(shape.size())) {
    return std::nullopt;
  }
  const Shape dims = Aligned(value, shape.size());
  const int64_t count = ElementCount(dims);
  if (count == 1) return Kind::kScalar;
  // One pixel in all: a tensor of the result's own shape is a row of channels as well.
  if (value.type().rank() == static_cast<int64_t>(shape.size()) && dims == shape &&
      !value.is_constant()) {
    return Kind::kTensor;
  }
  if (count == shape[axis] && dims[axis] == shape[axis]) return Kind::kPerColumn;
  if (dims == shape) {
    return value.type().rank() == static_cast<int64_t>(shape.size()) ? std::optional(Kind::kTensor)
                                                                     : std::nullopt;
  }
  if (dims[axis] == 1 && count * shape[axis] == ElementCount(shape)) return Kind::kPerRow;
  return std::nullopt;
}

class Matcher {
 public:
  Matcher(const Node& node, size_t channel_axis)
      : node_(node), axis_(channel_axis), shape_(StaticShape(*node.output())) {}

  std::optional<EpiloguePlan> Run(int bias_input) {
    if (bias_input >= 0 && node_.input(static_cast<size_t>(bias_input))) {
      if (!TakeBias({bias_input, node_.input(static_cast<size_t>(bias_input))}))
        return std::nullopt;
    }
    if (!node_.epilogue()) return std::move(plan_);
    const Graph& region = **node_.epilogue();
    if (region.inputs().empty() || region.outputs().size() != 1) return std::nullopt;
    head_ = region.inputs()[0];
    const auto nodes = region.Nodes();
    rest_.assign(nodes.begin(), nodes.end());
    result_ = region.outputs()[0];
    MatchRegisters();
    if (head_ == result_) return std::move(plan_);
    if (!MatchProgram()) return std::nullopt;
    return std::move(plan_);
  }

 private:
  bool TakeBias(EpilogueValue bias) {
    if (!bias.value->is_constant() || bias.value->type().dtype != ElementType::kF32) return false;
    if (bias.value->constant().num_elements() != shape_[axis_]) return false;
    plan_.bias = bias;
    return true;
  }

  /// The node's input or region constant behind a value of the region.
  std::optional<EpilogueValue> Resolve(const Value* value) const {
    const auto& inputs = (*node_.epilogue())->inputs();
    auto it = std::find(inputs.begin(), inputs.end(), value);
    if (it == inputs.end()) {
      if (!value->is_constant()) return std::nullopt;
      return EpilogueValue{-1, value};
    }
    const size_t first = node_.inputs().size() - static_cast<size_t>(node_.num_epilogue_inputs());
    const auto index = first + static_cast<size_t>(it - inputs.begin()) - 1;
    if (it == inputs.begin() || index >= node_.inputs().size()) return std::nullopt;
    return EpilogueValue{static_cast<int>(index), node_.input(index)};
  }

  void MatchRegisters() {
    if (const Node* add = Next("Add")) {
      const auto other = OtherOperand(*add);
      if (!plan_.bias && other && other->value->is_constant() &&
          Classify(*other->value, shape_, axis_) == Kind::kPerColumn && TakeBias(*other)) {
        Advance(add);
      }
    }
    if (const Node* add = Next("Add")) {
      const auto other = OtherOperand(*add);
      if (other && !other->value->is_constant() &&
          Classify(*other->value, shape_, axis_) == Kind::kTensor) {
        plan_.residual = other;
        Advance(add);
      }
    }
    if (const Node* relu = Next("Relu")) {
      SetClip(relu, 0.0f, std::numeric_limits<float>::infinity());
    } else if (const Node* clip = Next("Clip")) {
      MatchClip(clip);
    } else if (const Node* swish = Next("HardSwish")) {
      plan_.activation = kernels::Activation::kHardSwish;
      Advance(swish);
    }
  }

  void MatchClip(const Node* clip) {
    float limits[2] = {-std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::infinity()};
    for (size_t i = 1; i <= 2; ++i) {
      if (!clip->input(i)) continue;
      const auto limit = Resolve(clip->input(i));
      if (!limit || !limit->value->is_constant() || limit->value->constant().num_elements() != 1) {
        return;
      }
      limits[i - 1] = static_cast<float>(limit->value->constant().GetDouble(0));
    }
    SetClip(clip, limits[0], limits[1]);
  }

  void SetClip(const Node* node, float low, float high) {
    plan_.activation = kernels::Activation::kClip;
    plan_.clip_low = low;
    plan_.clip_high = high;
    Advance(node);
  }

  /// The only reader of the chain's head when it is an `op` on it, else null.
  const Node* Next(const char* op) const {
    if (head_->num_uses() != 1 || head_->uses().size() != 1) return nullptr;
    const Node* reader = head_->uses()[0].node;
    return reader->op() == op && (reader->op() == "Add" || reader->input(0) == head_) ? reader
                                                                                      : nullptr;
  }
  std::optional<EpilogueValue> OtherOperand(const Node& add) const {
    return Resolve(add.input(0) == head_ ? add.input(1) : add.input(0));
  }
  void Advance(const Node* node) {
    head_ = node->output();
    std::erase(rest_, node);
  }

  bool MatchProgram() {
    const Value* outputs[] = {result_};
    auto translation = TranslateElementwise(rest_, outputs);
    if (!translation) return false;
    for (const Value* input : translation->inputs) {
      if (input == head_) {
        plan_.operands.push_back({Kind::kResult, {}});
        continue;
      }
      const auto source = Resolve(input);
      if (!source) return false;
      const auto kind = Classify(*source->value, shape_, axis_);
      if (!kind) return false;
      plan_.operands.push_back({*kind, *source});
    }
    plan_.program = translation->program;
    plan_.cycles_per_vector = translation->cycles_per_vector;
    return true;
  }

  const Node& node_;
  const size_t axis_;
  const Shape shape_;
  EpiloguePlan plan_;
  const Value* head_ = nullptr;
  const Value* result_ = nullptr;
  std::vector<const Node*> rest_;
};

Layout LayoutOf(Kind kind, Layout result) {
  return kind == Kind::kTensor ? result : Layout::kPlain;
}

Result<TensorId> Operand(Emitter& emit, const EpilogueValue& source, Layout layout) {
  if (source.value->is_constant()) return emit.ConstantTensor(source.value->constant(), layout);
  return emit.InAs(static_cast<size_t>(source.node_input), layout);
}

}  // namespace

std::optional<EpiloguePlan> MatchEpilogue(const Node& node, int bias_input, size_t channel_axis) {
  return Matcher(node, channel_axis).Run(bias_input);
}

void SetEpilogueLayouts(const EpiloguePlan& plan, Layout result, Candidate& candidate) {
  auto set = [&](const EpilogueValue& source, Layout layout) {
    if (source.node_input >= 0) candidate.inputs[static_cast<size_t>(source.node_input)] = layout;
  };
  if (plan.residual) set(*plan.residual, result);
  for (const auto& operand : plan.operands) {
    if (operand.kind != Kind::kResult) set(operand.source, LayoutOf(operand.kind, result));
  }
}

Status EmitEpilogue(Emitter& emit, const EpiloguePlan& plan, Layout result, int64_t channels,
                    std::vector<uint32_t>& inputs, TaskAttributes& attributes,
                    std::vector<uint32_t>& reusable) {
  const bool any_operands = plan.residual || plan.program;
  if (plan.bias) {
    const int64_t c0 = emit.context().c0();
    std::vector<float> padded(static_cast<size_t>((channels + c0 - 1) / c0 * c0), 0.0f);
    const Tensor& bias = plan.bias->value->constant();
    for (int64_t i = 0; i < channels; ++i) {
      padded[static_cast<size_t>(i)] = bias.data<float>()[i / plan.channel_repeats];
    }
    inputs.push_back(emit.FloatConstant(padded));
  } else if (any_operands) {
    inputs.push_back(kNoTensor);
  }
  if (plan.residual) {
    ASSIGN_OR_RETURN(TensorId id, Operand(emit, *plan.residual, result));
    reusable.push_back(static_cast<uint32_t>(inputs.size()));
    inputs.push_back(id);
  } else if (plan.program) {
    inputs.push_back(kNoTensor);
  }
  if (plan.activation != kernels::Activation::kNone) {
    attributes["activation"] = static_cast<int64_t>(plan.activation);
  }
  if (plan.activation == kernels::Activation::kClip) {
    attributes["clip"] = std::vector<double>{plan.clip_low, plan.clip_high};
  }
  if (!plan.program) return OkStatus();
  schedule::EncodeProgram(*plan.program, attributes);
  std::vector<int64_t> kinds;
  for (const auto& operand : plan.operands) {
    kinds.push_back(static_cast<int64_t>(operand.kind));
    if (operand.kind == Kind::kResult) continue;
    ASSIGN_OR_RETURN(TensorId id, Operand(emit, operand.source, LayoutOf(operand.kind, result)));
    inputs.push_back(id);
  }
  attributes["operand_kinds"] = std::move(kinds);
  return OkStatus();
}

}  // namespace cairn::plan
