// SPDX-License-Identifier: Apache-2.0
// One row per operator: how its inputs and attributes become instructions.
#include "plan/elt_program.h"

#include <algorithm>
#include <limits>
#include <map>

#include "kernels/elementwise/tile_ops.h"

namespace cairn::plan {
namespace {

using kernels::EltOp;
using Builder = kernels::EltProgramBuilder;
using Reg = Builder::Value;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// What a row sees: the node, its inputs as program values (-1: absent), and the builder.
struct OpContext {
  const Node& node;
  std::vector<Reg> in;
  Builder& builder;

  Reg Attr(const char* name, float fallback) {
    return builder.Constant(node.GetFloat(name, fallback));
  }
  bool Has(size_t i) const { return i < in.size() && in[i] >= 0; }
};
using OpFn = Reg (*)(OpContext&);

template <EltOp kOp>
Reg Unary(OpContext& c) {
  return c.builder.Emit(kOp, c.in[0]);
}
template <EltOp kOp>
Reg Binary(OpContext& c) {
  return c.builder.Emit(kOp, c.in[0], c.in[1]);
}
/// a op b op c ...
template <EltOp kOp>
Reg Chain(OpContext& c) {
  Reg result = c.in[0];
  for (size_t i = 1; i < c.in.size(); ++i) result = c.builder.Emit(kOp, result, c.in[i]);
  return result;
}
Reg Mean(OpContext& c) {
  return c.builder.Emit(EltOp::kDiv, Chain<EltOp::kAdd>(c),
                        c.builder.Constant(static_cast<float>(c.in.size())));
}
Reg Clip(OpContext& c) {
  const Reg low = c.Has(1) ? c.in[1] : c.builder.Constant(-kInfinity);
  const Reg high = c.Has(2) ? c.in[2] : c.builder.Constant(kInfinity);
  return c.builder.Emit(EltOp::kClip, c.in[0], low, high);
}
Reg LeakyRelu(OpContext& c) {
  return c.builder.Emit(EltOp::kLeakyRelu, c.in[0], c.Attr("alpha", 0.01f));
}
Reg HardSigmoid(OpContext& c) {
  return c.builder.Emit(EltOp::kHardSigmoid, c.in[0], c.Attr("alpha", 0.2f), c.Attr("beta", 0.5f));
}
Reg Elu(OpContext& c) { return c.builder.Emit(EltOp::kElu, c.in[0], c.Attr("alpha", 1.0f)); }
Reg Selu(OpContext& c) {
  return c.builder.Emit(EltOp::kSelu, c.in[0], c.Attr("alpha", 1.67326319217681884765625f),
                        c.Attr("gamma", 1.05070102214813232421875f));
}
Reg Celu(OpContext& c) { return c.builder.Emit(EltOp::kCelu, c.in[0], c.Attr("alpha", 1.0f)); }
Reg ThresholdedRelu(OpContext& c) {
  return c.builder.Emit(EltOp::kThresholdedRelu, c.in[0], c.Attr("alpha", 1.0f));
}
Reg Gelu(OpContext& c) {
  const bool tanh = c.node.GetString("approximate", "none") == "tanh";
  return c.builder.Emit(tanh ? EltOp::kGeluTanh : EltOp::kGelu, c.in[0]);
}
Reg Swish(OpContext& c) {
  const float alpha = c.node.GetFloat("alpha", 1.0f);
  if (alpha == 1.0f) return c.builder.Emit(EltOp::kSilu, c.in[0]);
  const Reg scaled = c.builder.Emit(EltOp::kMul, c.in[0], c.builder.Constant(alpha));
  return c.builder.Emit(EltOp::kMul, c.in[0], c.builder.Emit(EltOp::kSigmoid, scaled));
}
Reg IsInf(OpContext& c) {
  const bool negative = c.node.GetInt("detect_negative", 1) != 0;
  const bool positive = c.node.GetInt("detect_positive", 1) != 0;
  if (negative && positive) return c.builder.Emit(EltOp::kIsInf, c.in[0]);
  const Reg inf = c.builder.Constant(negative ? -kInfinity : kInfinity);
  if (!negative && !positive) return c.builder.Emit(EltOp::kLess, inf, inf);
  return c.builder.Emit(EltOp::kEqual, c.in[0], inf);
}
Reg Where(OpContext& c) { return c.builder.Emit(EltOp::kWhere, c.in[0], c.in[1], c.in[2]); }
Reg Cast(OpContext& c) {
  if (c.node.output()->type().dtype != ElementType::kBool) {
    return c.builder.Emit(EltOp::kCopy, c.in[0]);
  }
  return c.builder.Emit(EltOp::kNotEqual, c.in[0], c.builder.Constant(0.0f));
}

Reg RoundToType(OpContext& c) {
  const bool half = c.node.Get<TensorType>("to")->dtype == ElementType::kF16;
  return c.builder.Emit(half ? EltOp::kRoundF16 : EltOp::kRoundBf16, c.in[0]);
}

struct OpRow {
  OpFn emit;
  double cycles = 1.5;  ///< Of one vector.
};

const std::map<std::string, OpRow, std::less<>>& Rows() {
  static const auto& rows = *new std::map<std::string, OpRow, std::less<>>{
      {"Abs", {Unary<EltOp::kAbs>}},
      {"Add", {Binary<EltOp::kAdd>}},
      {"And", {Binary<EltOp::kAnd>}},
      {"Cast", {Cast}},
      {"Ceil", {Unary<EltOp::kCeil>}},
      {"Celu", {Celu, 16}},
      {"Clip", {Clip}},
      {"Cos", {Unary<EltOp::kCos>, 60}},
      {"Div", {Binary<EltOp::kDiv>, 5}},
      {"Elu", {Elu, 16}},
      {"Equal", {Binary<EltOp::kEqual>}},
      {"Erf", {Unary<EltOp::kErf>, 22}},
      {"Exp", {Unary<EltOp::kExp>, 10}},
      {"Floor", {Unary<EltOp::kFloor>}},
      {"Gelu", {Gelu, 24}},
      {"Greater", {Binary<EltOp::kGreater>}},
      {"GreaterOrEqual", {Binary<EltOp::kGreaterEqual>}},
      {"HardSigmoid", {HardSigmoid}},
      {"HardSwish", {Unary<EltOp::kHardSwish>, 3}},
      {"Identity", {Unary<EltOp::kCopy>, 1}},
      {"IsInf", {IsInf}},
      {"IsNaN", {Unary<EltOp::kIsNan>}},
      {"LeakyRelu", {LeakyRelu}},
      {"Less", {Binary<EltOp::kLess>}},
      {"LessOrEqual", {Binary<EltOp::kLessEqual>}},
      {"Log", {Unary<EltOp::kLog>, 16}},
      {"Max", {Chain<EltOp::kMax>, 2}},
      {"Mean", {Mean, 5}},
      {"Min", {Chain<EltOp::kMin>, 2}},
      {"Mish", {Unary<EltOp::kMish>, 20}},
      {"Mul", {Binary<EltOp::kMul>}},
      {"Neg", {Unary<EltOp::kNeg>}},
      {"Not", {Unary<EltOp::kNot>}},
      {"Or", {Binary<EltOp::kOr>}},
      {"PRelu", {Binary<EltOp::kLeakyRelu>}},
      {"Pow", {Binary<EltOp::kPow>, 80}},
      {"Reciprocal", {Unary<EltOp::kReciprocal>, 5}},
      {"Relu", {Unary<EltOp::kRelu>}},
      {"Round", {Unary<EltOp::kRound>}},
      {"RoundToType", {RoundToType, 3}},
      {"Selu", {Selu, 16}},
      {"Sigmoid", {Unary<EltOp::kSigmoid>, 16}},
      {"Sign", {Unary<EltOp::kSign>}},
      {"Sin", {Unary<EltOp::kSin>, 60}},
      {"Softplus", {Unary<EltOp::kSoftplus>, 26}},
      {"Softsign", {Unary<EltOp::kSoftsign>, 6}},
      {"Sqrt", {Unary<EltOp::kSqrt>, 6}},
      {"Sub", {Binary<EltOp::kSub>}},
      {"Sum", {Chain<EltOp::kAdd>}},
      {"Swish", {Swish, 18}},
      {"Tanh", {Unary<EltOp::kTanh>, 18}},
      {"ThresholdedRelu", {ThresholdedRelu}},
      {"Where", {Where, 2}},
      {"Xor", {Binary<EltOp::kXor>}},
  };
  return rows;
}

bool IsArithmeticType(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF16 || type == ElementType::kBf16 ||
         type == ElementType::kBool;
}

/// Whether the engine computes the node's types as the operator demands. `inner`: the result is
/// read inside the program, without the rounding that storing it would do.
bool TypesFit(const Node& node, bool inner) {
  for (const Value* input : node.inputs()) {
    if (!input) continue;
    const ElementType type = input->type().dtype;
    if (node.op() == "Cast" ? !kernels::IsTileType(type) : !IsArithmeticType(type)) return false;
  }
  const ElementType out = node.output()->type().dtype;
  if (node.op() != "Cast") return IsArithmeticType(out);
  const ElementType from = node.input(0)->type().dtype;
  if (IsInteger(from) && IsInteger(out)) return false;
  if (inner) return out == ElementType::kF32 || out == ElementType::kBool;
  return kernels::IsTileType(out);
}

class Translator {
 public:
  std::optional<EltTranslation> Run(std::span<const Node* const> nodes,
                                    std::span<const Value* const> outputs) {
    for (const Node* node : nodes) {
      for (const Value* input : node->inputs()) read_inside_.push_back(input);
    }
    for (const Node* node : nodes) {
      if (!Translate(*node)) return std::nullopt;
    }
    for (const Value* output : outputs) {
      auto it = registers_.find(output);
      if (it == registers_.end()) return std::nullopt;
      builder_.Output(it->second);
    }
    auto program = builder_.Build();
    if (!program.ok()) return std::nullopt;
    result_.program = *program;
    return std::move(result_);
  }

 private:
  bool Translate(const Node& node) {
    auto row = Rows().find(node.op());
    if (row == Rows().end() || node.outputs().size() != 1) return false;
    const bool inner =
        std::find(read_inside_.begin(), read_inside_.end(), node.output()) != read_inside_.end();
    if (!TypesFit(node, inner)) return false;
    OpContext context{node, {}, builder_};
    for (const Value* input : node.inputs()) context.in.push_back(input ? Register(*input) : -1);
    if (node.op() == "Pow" && !PowNeedsNoPow(context))
      result_.cycles_per_vector += row->second.cycles;
    if (node.op() != "Pow") result_.cycles_per_vector += row->second.cycles;
    registers_[node.output()] = EmitNode(context, *row);
    return true;
  }

  /// Constant exponents that have instructions of their own.
  static bool PowNeedsNoPow(const OpContext& context) {
    const Value* exponent = context.node.input(1);
    if (!exponent->is_constant() || exponent->constant().num_elements() != 1) return false;
    const double value = exponent->constant().GetDouble(0);
    return value == 2.0 || value == 3.0;
  }

  template <class Row>
  Reg EmitNode(OpContext& context, const Row& row) {
    if (context.node.op() != "Pow" || !PowNeedsNoPow(context)) return row.second.emit(context);
    const double value = context.node.input(1)->constant().GetDouble(0);
    const EltOp op = value == 2.0 ? EltOp::kSquare : EltOp::kCube;
    return builder_.Emit(op, context.in[0]);
  }

  Reg Register(const Value& value) {
    auto it = registers_.find(&value);
    if (it != registers_.end()) return it->second;
    Reg reg;
    if (value.is_constant() && value.constant().num_elements() == 1 &&
        IsArithmeticType(value.type().dtype)) {
      const Tensor& tensor = value.constant();
      const bool is_bool = tensor.dtype() == ElementType::kBool;
      reg = builder_.Constant(is_bool ? static_cast<float>(tensor.GetInt(0))
                                      : static_cast<float>(tensor.GetDouble(0)));
    } else {
      reg = builder_.Input();
      result_.inputs.push_back(&value);
    }
    registers_[&value] = reg;
    return reg;
  }

  EltTranslation result_;
  Builder builder_;
  std::map<const Value*, Reg> registers_;
  std::vector<const Value*> read_inside_;
};

}  // namespace

std::optional<EltTranslation> TranslateElementwise(std::span<const Node* const> nodes,
                                                   std::span<const Value* const> outputs) {
  return Translator().Run(nodes, outputs);
}

bool IsElementwiseOp(const std::string& op) { return Rows().contains(op); }

}  // namespace cairn::plan
