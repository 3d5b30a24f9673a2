// SPDX-License-Identifier: Apache-2.0
// Runs operator cases: inference under four states of knowledge, and the reference.
#include <cmath>

#include "ops/op_case.h"
#include "ops/op_def.h"
#include "reference/interpreter.h"

namespace cairn {
namespace {

/// What inference is told about the inputs.
enum class Knowledge { kConstants, kShapes, kSymbols, kTypes };

constexpr const char* kKnowledgeNames[] = {"constants", "shapes", "symbolic shapes",
                                           "element types"};

/// A graph of one node, and the values of its symbols.
struct OneNode {
  Graph graph;
  Node* node = nullptr;
  std::map<std::string, int64_t> symbols;
};

TensorType TypeOf(const Tensor& tensor, Knowledge knowledge, size_t input, OneNode& one) {
  TensorType type(tensor.dtype());
  type.kind = tensor.kind();
  if (!tensor.is_tensor()) return type;
  if (knowledge == Knowledge::kTypes) return type;
  Dims dims;
  for (size_t d = 0; d < tensor.shape().size(); ++d) {
    if (knowledge == Knowledge::kShapes) {
      dims.emplace_back(tensor.shape()[d]);
      continue;
    }
    const std::string name = StrCat("s", input, "_", d);
    one.symbols[name] = tensor.shape()[d];
    dims.push_back(Dim::Symbol(name));
  }
  type.dims = std::move(dims);
  return type;
}

void Build(const std::string& op, const OpCase& test, Knowledge knowledge, OneNode& one) {
  std::vector<Value*> inputs;
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    if (!test.inputs[i]) {
      inputs.push_back(nullptr);
    } else if (knowledge == Knowledge::kConstants && test.inputs[i]->is_tensor()) {
      inputs.push_back(one.graph.AddConstant(StrCat("x", i), *test.inputs[i]));
    } else {
      inputs.push_back(
          one.graph.AddInput(StrCat("x", i), TypeOf(*test.inputs[i], knowledge, i, one)));
    }
  }
  const int outputs = std::max(1, static_cast<int>(test.outputs.size()));
  one.node = one.graph.AddNode(op, "case", std::move(inputs), outputs);
  for (const auto& [name, value] : test.attributes) one.node->Set(name, value);
}

std::string CheckTensor(const Tensor& actual, const Tensor& expected, double tolerance) {
  if (actual.TypeToString() != expected.TypeToString()) {
    return StrCat("is ", actual.TypeToString(), ", expected ", expected.TypeToString());
  }
  for (size_t i = 0; !expected.is_tensor() && i < expected.items().size(); ++i) {
    const std::string problem = CheckTensor(actual.items()[i], expected.items()[i], tolerance);
    if (!problem.empty()) return StrCat("item ", i, " ", problem);
  }
  if (!expected.is_tensor()) return "";
  if (expected.dtype() == ElementType::kString) {
    return actual.strings() == expected.strings() ? ""
                                                  : StrCat("is ", StrJoin(actual.strings(), " "));
  }
  for (int64_t i = 0; i < expected.num_elements(); ++i) {
    if (!IsFloat(expected.dtype())) {
      if (actual.GetInt(i) == expected.GetInt(i)) continue;
      return StrCat("element ", i, " is ", actual.GetInt(i), ", expected ", expected.GetInt(i));
    }
    const double a = actual.GetDouble(i), e = expected.GetDouble(i);
    const bool same = std::isnan(e) ? std::isnan(a)
                      : std::isinf(e) || std::isinf(a)
                          ? a == e
                          : std::fabs(a - e) <= tolerance * std::max(1.0, std::fabs(e));
    if (!same) return StrCat("element ", i, " is ", a, ", expected ", e);
  }
  return "";
}

/// Holds inferred types and known elements against a computed tensor.
std::string CheckInferred(const Value& value, const Tensor& actual, const OneNode& one) {
  const TensorType& type = value.type();
  const std::string mismatch =
      StrCat("inferred ", type.ToString(), ", computed ", actual.TypeToString());
  if (type.kind != actual.kind()) return mismatch;
  if (!actual.is_tensor()) return type.dtype == actual.dtype() ? "" : mismatch;
  if (type.dtype != actual.dtype() || (type.dims && type.rank() != actual.rank())) return mismatch;
  for (size_t d = 0; type.dims && d < type.dims->size(); ++d) {
    auto size = (*type.dims)[d].Evaluate(one.symbols);
    if (size.ok() && *size != actual.shape()[d]) return mismatch;
  }
  if (!value.elements()) return "";
  if (static_cast<int64_t>(value.elements()->size()) != actual.num_elements()) {
    return StrCat("inferred ", value.elements()->size(), " elements, computed ",
                  actual.num_elements());
  }
  for (int64_t i = 0; i < actual.num_elements(); ++i) {
    const Dim& element = (*value.elements())[static_cast<size_t>(i)];
    auto number = element.Evaluate(one.symbols);
    if (number.ok() && *number != actual.GetInt(i)) {
      return StrCat("inferred element ", i, " = ", element, " = ", *number, ", computed ",
                    actual.GetInt(i));
    }
  }
  return "";
}

std::vector<Tensor> Inputs(const OpCase& test) {
  std::vector<Tensor> inputs;
  for (const auto& input : test.inputs) inputs.push_back(input ? *input : Tensor());
  return inputs;
}

std::string RunError(const std::string& op, const OpCase& test) {
  OneNode one;
  Build(op, test, test.error_is_static ? Knowledge::kShapes : Knowledge::kConstants, one);
  Status status = InferNode(*one.node);
  if (status.ok() && !test.error_is_static) {
    status = EvaluateNode(*one.node, Inputs(test)).status();
  }
  if (status.ok()) return "succeeds, expected an error";
  if (status.message().find(test.error) != std::string::npos) return "";
  return StrCat("fails with '", status.message(), "', expected '", test.error, "'");
}

std::string RunWith(const std::string& op, const OpCase& test, Knowledge knowledge) {
  OneNode one;
  Build(op, test, knowledge, one);
  if (const Status status = InferNode(*one.node); !status.ok()) {
    return StrCat("inference: ", status.message());
  }
  auto outputs = EvaluateNode(*one.node, Inputs(test));
  if (!outputs.ok()) return StrCat("reference: ", outputs.status().message());
  for (size_t i = 0; i < test.outputs.size(); ++i) {
    if (!(*outputs)[i].defined()) return StrCat("output ", i, " has no value");
    std::string problem = CheckInferred(*one.node->output(i), (*outputs)[i], one);
    if (problem.empty() && test.outputs[i]) {
      problem = CheckTensor((*outputs)[i], *test.outputs[i], test.tolerance);
    }
    if (!problem.empty()) return StrCat("output ", i, ": ", problem);
  }
  return "";
}

}  // namespace

std::string RunOpCase(const std::string& op, const OpCase& test) {
  if (!test.error.empty()) return RunError(op, test);
  for (const Knowledge knowledge :
       {Knowledge::kConstants, Knowledge::kShapes, Knowledge::kSymbols, Knowledge::kTypes}) {
    const std::string problem = RunWith(op, test, knowledge);
    if (!problem.empty()) {
      return StrCat("with known ", kKnowledgeNames[static_cast<int>(knowledge)], ": ", problem);
    }
  }
  return "";
}

}  // namespace cairn
