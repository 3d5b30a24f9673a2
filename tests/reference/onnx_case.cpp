// SPDX-License-Identifier: Apache-2.0
// Cases of the ONNX backend test suite.
#include "reference/onnx_case.h"

#include <cmath>

#include "frontend/onnx/importer.h"
#include "frontend/onnx/model_file.h"
#include "frontend/onnx/tensor_import.h"
#include "reference/interpreter.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

bool Close(double actual, double expected, double relative, double absolute) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return actual == expected;
  return std::fabs(actual - expected) <= absolute + relative * std::fabs(expected);
}

/// Complex numbers as pairs of real ones, so that one comparison serves all.
Tensor AsPairs(const Tensor& tensor) {
  const bool single = tensor.dtype() == ElementType::kC64;
  if (!single && tensor.dtype() != ElementType::kC128) return tensor;
  Shape shape = tensor.shape();
  shape.push_back(2);
  auto copy = std::make_shared<Tensor>(tensor);
  return Tensor::Wrap(single ? ElementType::kF32 : ElementType::kF64, std::move(shape), copy,
                      {copy->bytes(), copy->num_bytes()});
}

std::string ItemDifference(const Tensor& actual, const Tensor& expected,
                           const Tolerance& tolerance) {
  if (actual.kind() != expected.kind() || actual.items().size() != expected.items().size()) {
    return StrCat(actual.TypeToString(), " instead of ", expected.TypeToString());
  }
  for (size_t i = 0; i < expected.items().size(); ++i) {
    std::string difference = Difference(actual.items()[i], expected.items()[i], tolerance);
    if (!difference.empty()) return StrCat("item ", i, ": ", difference);
  }
  return "";
}

Result<Tensor> ImportSequence(onnx::SequenceProto& proto, onnx::ExternalData& external,
                              ElementType dtype) {
  std::vector<Tensor> items;
  for (onnx::TensorProto& item : *proto.mutable_tensor_values()) {
    ASSIGN_OR_RETURN(Tensor tensor, onnx::ImportTensor(item, external));
    items.push_back(std::move(tensor));
  }
  return Tensor::Sequence(dtype, std::move(items));
}

/// Old case data hold bf16 bits as u16; this gives them their type back.
void RestoreBf16(Tensor& tensor, ElementType wanted) {
  if (wanted != ElementType::kBf16 || tensor.dtype() != ElementType::kU16) return;
  auto copy = std::make_shared<Tensor>(tensor);
  tensor =
      Tensor::Wrap(ElementType::kBf16, copy->shape(), copy, {copy->bytes(), copy->num_bytes()});
}

Status RunDataSet(const Graph& original, const fs::path& folder, const PrepareFn& prepare) {
  const std::unique_ptr<Graph> copy = original.Clone();
  const Graph& graph = *copy;
  ASSIGN_OR_RETURN(std::vector<Tensor> inputs, ReadValues(folder, "input", graph.inputs()));
  ASSIGN_OR_RETURN(std::vector<Tensor> expected, ReadValues(folder, "output", graph.outputs()));
  // Data for inputs that are initialisers in the model come last and repeat them.
  inputs.resize(std::min(inputs.size(), graph.inputs().size()));
  for (size_t i = 0; i < inputs.size(); ++i)
    RestoreBf16(inputs[i], graph.inputs()[i]->type().dtype);
  if (prepare) RETURN_IF_ERROR(prepare(*copy, inputs));
  ASSIGN_OR_RETURN(const std::vector<Tensor> actual, RunReference(graph, std::move(inputs)));
  if (actual.size() < expected.size())
    return Status(Code::kInternal, "fewer outputs than expected");
  for (size_t i = 0; i < expected.size(); ++i) {
    RestoreBf16(expected[i], actual[i].dtype());
    const std::string difference = Difference(actual[i], expected[i]);
    if (!difference.empty()) return Status(Code::kInternal, StrCat("output ", i, ": ", difference));
    const TensorType& type = graph.outputs()[i]->type();
    if (type.kind != actual[i].kind()) {
      return Status(Code::kInternal, StrCat("output ", i, ": inferred ", type.ToString(),
                                            ", computed ", actual[i].TypeToString()));
    }
    if (!actual[i].is_tensor()) continue;
    if (type.dtype != actual[i].dtype() || (type.dims && type.rank() != actual[i].rank())) {
      return Status(Code::kInternal,
                    StrCat("output ", i, ": inferred ", type.ToString(), ", computed ",
                           actual[i].dtype(), ShapeToString(actual[i].shape())));
    }
    for (size_t d = 0; type.dims && d < type.dims->size(); ++d) {
      const Dim& dim = (*type.dims)[d];
      if (dim.is_const() && dim.value() != actual[i].shape()[d]) {
        return Status(Code::kInternal, StrCat("output ", i, ": inferred ", type.ToString(),
                                              ", computed ", ShapeToString(actual[i].shape())));
      }
    }
  }
  return OkStatus();
}

}  // namespace

Result<Tensor> ReadValueFile(const fs::path& path, const TensorType& type) {
  ASSIGN_OR_RETURN(const onnx::MappedFile file, onnx::MapFile(path.string()));
  const auto parse = [&](auto& proto) {
    return proto.ParseFromArray(file.bytes.data(), static_cast<int>(file.bytes.size()))
               ? OkStatus()
               : Status(Code::kInvalidModel, StrCat(path.string(), " is damaged"));
  };
  onnx::ExternalData external("");
  if (type.kind == ValueKind::kTensor) {
    onnx::TensorProto proto;
    RETURN_IF_ERROR(parse(proto));
    return onnx::ImportTensor(proto, external);
  }
  if (type.kind == ValueKind::kSequence) {
    onnx::SequenceProto proto;
    RETURN_IF_ERROR(parse(proto));
    return ImportSequence(proto, external, type.dtype);
  }
  onnx::OptionalProto proto;
  RETURN_IF_ERROR(parse(proto));
  if (proto.has_tensor_value()) {
    ASSIGN_OR_RETURN(Tensor value, onnx::ImportTensor(*proto.mutable_tensor_value(), external));
    return Tensor::Optional(std::move(value));
  }
  if (!proto.has_sequence_value()) return Tensor::Nothing(type);
  ASSIGN_OR_RETURN(Tensor value,
                   ImportSequence(*proto.mutable_sequence_value(), external, type.dtype));
  return Tensor::Optional(std::move(value));
}

Result<std::vector<Tensor>> ReadValues(const fs::path& folder, const std::string& prefix,
                                       const std::vector<Value*>& values) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; fs::exists(folder / StrCat(prefix, "_", i, ".pb")); ++i) {
    const TensorType type = i < values.size() ? values[i]->type() : TensorType();
    ASSIGN_OR_RETURN(Tensor tensor, ReadValueFile(folder / StrCat(prefix, "_", i, ".pb"), type));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::string Difference(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance) {
  if (!expected.is_tensor() || !actual.is_tensor()) {
    return actual.is_tensor() || expected.is_tensor()
               ? StrCat(actual.TypeToString(), " instead of ", expected.TypeToString())
               : ItemDifference(actual, expected, tolerance);
  }
  if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape()) {
    return StrCat(actual.TypeToString(), " instead of ", expected.TypeToString());
  }
  if (AsPairs(expected).dtype() != expected.dtype()) {
    return Difference(AsPairs(actual), AsPairs(expected), tolerance);
  }
  if (expected.dtype() == ElementType::kString) {
    return actual.Identical(expected) ? "" : "the strings differ";
  }
  const bool real = IsFloat(expected.dtype());
  const double relative = real ? tolerance.relative : tolerance.integer_relative;
  const double absolute = real ? tolerance.absolute : tolerance.integer_absolute;
  for (int64_t i = 0; i < expected.num_elements(); ++i) {
    if (!real && actual.GetInt(i) == expected.GetInt(i)) continue;
    if (!Close(actual.GetDouble(i), expected.GetDouble(i), relative, absolute) ||
        (!real && relative == 0)) {
      return StrCat("element ", i, " is ", actual.GetDouble(i), " instead of ",
                    expected.GetDouble(i));
    }
  }
  return "";
}

CaseResult RunOnnxCase(const fs::path& folder, const PrepareFn& prepare) {
  using Outcome = CaseResult::Outcome;
  std::vector<onnx::UnsupportedNode> unsupported;
  auto model = onnx::ImportOnnxFile((folder / "model.onnx").string(), {}, &unsupported);
  if (!model.ok()) {
    const bool known = model.status().code() == Code::kUnsupported;
    std::string reason = model.status().message();
    if (!unsupported.empty()) reason = StrCat(unsupported[0].op, ": ", unsupported[0].reason);
    return {known ? Outcome::kUnsupported : Outcome::kFailed, std::move(reason)};
  }
  int sets = 0;
  for (int i = 0; fs::exists(folder / StrCat("test_data_set_", i)); ++i, ++sets) {
    const Status status = RunDataSet(*model->graph, folder / StrCat("test_data_set_", i), prepare);
    if (status.code() == Code::kUnsupported) return {Outcome::kUnsupported, status.message()};
    if (!status.ok()) return {Outcome::kFailed, status.message()};
  }
  return {Outcome::kPassed, sets == 0 ? "no data sets" : ""};
}

}  // namespace cairn
