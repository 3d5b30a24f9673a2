// SPDX-License-Identifier: Apache-2.0
// Public operator names and what computes them.
#include "frontend/singleop/operator.h"

#include <algorithm>
#include <map>

#include "frontend/singleop/builder.h"
#include "ir/verifier.h"

namespace cairn::singleop {
namespace {

/// One node of ours with the same operands and no attributes.
const std::map<std::string, const char*, std::less<>> kSame = {
    {"Abs", "Abs"},          {"Acos", "Acos"},          {"Add", "Add"},
    {"AddV2", "Add"},        {"Asin", "Asin"},          {"Atan", "Atan"},
    {"Ceil", "Ceil"},        {"Cos", "Cos"},            {"Div", "Div"},
    {"Elu", "Elu"},          {"Equal", "Equal"},        {"Erf", "Erf"},
    {"Exp", "Exp"},          {"Floor", "Floor"},        {"Gelu", "Gelu"},
    {"Greater", "Greater"},  {"GreaterEqual", "GreaterOrEqual"},
    {"Identity", "Identity"}, {"Less", "Less"},         {"LessEqual", "LessOrEqual"},
    {"Log", "Log"},          {"LogicalAnd", "And"},     {"LogicalNot", "Not"},
    {"LogicalOr", "Or"},     {"Maximum", "Max"},        {"Minimum", "Min"},
    {"Mul", "Mul"},          {"Neg", "Neg"},            {"Pow", "Pow"},
    {"RealDiv", "Div"},      {"Reciprocal", "Reciprocal"},
    {"Relu", "Relu"},        {"Round", "Round"},        {"Select", "Where"},
    {"SelectV2", "Where"},   {"Sigmoid", "Sigmoid"},    {"Sign", "Sign"},
    {"Sin", "Sin"},          {"Softplus", "Softplus"},  {"Sqrt", "Sqrt"},
    {"Sub", "Sub"},          {"Tan", "Tan"},            {"Tanh", "Tanh"},
};

const std::map<std::string, LowerFn, std::less<>> kLowered = {
    {"Affine", LowerAffine},
    {"BNInference", LowerBatchNorm},
    {"BatchMatMul", LowerBatchMatMul},
    {"BatchMatMulV2", LowerBatchMatMul},
    {"BatchNorm", LowerBatchNorm},
    {"BroadcastTo", LowerBroadcastTo},
    {"BroadcastToD", LowerBroadcastTo},
    {"Cast", LowerCast},
    {"Concat", LowerConcat},
    {"ConcatD", LowerConcat},
    {"Conv2D", LowerConv2D},
    {"GEMM", LowerGemm},
    {"MatMul", LowerMatMul},
    {"MatMulV2", LowerMatMul},
    {"Muls", LowerMuls},
    {"Pooling", LowerPooling},
    {"ReduceMax", LowerReduceMax},
    {"ReduceMaxD", LowerReduceMax},
    {"ReduceMean", LowerReduceMean},
    {"ReduceMeanD", LowerReduceMean},
    {"ReduceMin", LowerReduceMin},
    {"ReduceMinD", LowerReduceMin},
    {"ReduceSum", LowerReduceSum},
    {"ReduceSumD", LowerReduceSum},
    {"Reshape", LowerReshape},
    {"Rsqrt", LowerRsqrt},
    {"ScaledAdd", LowerScaledAdd},
    {"Softmax", LowerSoftmax},
    {"SoftmaxV2", LowerSoftmax},
    {"Square", LowerSquare},
    {"TopK", LowerTopK},
    {"TopKD", LowerTopK},
    {"TopKV2", LowerTopK},
    {"Transpose", LowerTranspose},
    {"TransposeD", LowerTranspose},
};

Status LowerSame(Builder& b, const char* op) {
  std::vector<Value*> inputs;
  for (size_t i = 0; i < b.num_inputs(); ++i) {
    ASSIGN_OR_RETURN(Value * input, b.In(i));
    inputs.push_back(input);
  }
  if (inputs.size() == 2) RETURN_IF_ERROR(b.MakeAlike(inputs[0], inputs[1]));
  ASSIGN_OR_RETURN(Value * result, b.Make(op, std::move(inputs)));
  return b.AddOutput(result);
}

Status Lower(Builder& b) {
  const std::string& type = b.op().type;
  if (const auto same = kSame.find(type); same != kSame.end()) return LowerSame(b, same->second);
  const auto lowered = kLowered.find(type);
  if (lowered != kLowered.end()) return lowered->second(b);
  return Status(Code::kNotFound, StrCat("operator '", type, "' is not available; there are ",
                                        StrJoin(OperatorNames(), ", ")));
}

}  // namespace

Result<std::unique_ptr<Graph>> BuildGraph(const Operator& op) {
  Builder builder(op);
  const Status status = Lower(builder);
  if (!status.ok()) return status.WithContext(StrCat("operator '", op.type, "'"));
  std::unique_ptr<Graph> graph = builder.Release();
  if (graph->outputs().size() != op.outputs.size())
    return Status(Code::kInvalidArgument,
                  StrCat("operator '", op.type, "' has ", graph->outputs().size(), " outputs, ",
                         op.outputs.size(), " are given"));
  RETURN_IF_ERROR(VerifyGraph(*graph));
  return graph;
}

std::vector<std::string> OperatorNames() {
  std::vector<std::string> names;
  for (const auto& [name, op] : kSame) names.push_back(name);
  for (const auto& [name, fn] : kLowered) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace cairn::singleop
