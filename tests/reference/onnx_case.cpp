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

bool Close(double actual, double expected) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return actual == expected;
  return std::fabs(actual - expected) <= 1e-7 + 1e-3 * std::fabs(expected);
}

Result<std::vector<Tensor>> ReadTensors(const fs::path& folder, const std::string& prefix) {
  std::vector<Tensor> tensors;
  for (int i = 0; fs::exists(folder / StrCat(prefix, "_", i, ".pb")); ++i) {
    ASSIGN_OR_RETURN(Tensor tensor, ReadTensorFile(folder / StrCat(prefix, "_", i, ".pb")));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
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
  ASSIGN_OR_RETURN(std::vector<Tensor> inputs, ReadTensors(folder, "input"));
  ASSIGN_OR_RETURN(std::vector<Tensor> expected, ReadTensors(folder, "output"));
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

Result<Tensor> ReadTensorFile(const fs::path& path) {
  ASSIGN_OR_RETURN(const onnx::MappedFile file, onnx::MapFile(path.string()));
  onnx::TensorProto proto;
  if (!proto.ParseFromArray(file.bytes.data(), static_cast<int>(file.bytes.size())) ||
      proto.data_type() == 0) {
    return Status(Code::kUnsupported, "the data are a sequence or an optional");
  }
  onnx::ExternalData external("");
  return onnx::ImportTensor(proto, external);
}

std::string Difference(const Tensor& actual, const Tensor& expected) {
  if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape()) {
    return StrCat(actual.dtype(), ShapeToString(actual.shape()), " instead of ", expected.dtype(),
                  ShapeToString(expected.shape()));
  }
  if (!IsFloat(expected.dtype())) {
    if (actual.Identical(expected)) return "";
    for (int64_t i = 0; i < expected.num_elements() && expected.dtype() != ElementType::kString;
         ++i) {
      if (actual.GetInt(i) != expected.GetInt(i)) {
        return StrCat("element ", i, " is ", actual.GetInt(i), " instead of ", expected.GetInt(i));
      }
    }
    return "the contents differ";
  }
  for (int64_t i = 0; i < expected.num_elements(); ++i) {
    if (!Close(actual.GetDouble(i), expected.GetDouble(i))) {
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
