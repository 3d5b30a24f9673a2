// SPDX-License-Identifier: Apache-2.0
// The C face of the reference interpreter.
#include "abi/reference_api.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ir/text.h"
#include "ir/verifier.h"
#include "ops/op_def.h"
#include "reference/interpreter.h"

namespace cairn {
namespace {

int Fail(const std::string& message, char* error, size_t error_bytes) {
  if (error && error_bytes > 0) {
    const size_t length = std::min(message.size(), error_bytes - 1);
    std::memcpy(error, message.data(), length);
    error[length] = '\0';
  }
  return 1;
}

Result<std::unique_ptr<Graph>> CreateGraph(std::string_view text) {
  ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, ParseGraph(text));
  RETURN_IF_ERROR(VerifyGraph(*graph));
  RETURN_IF_ERROR(InferGraph(*graph));
  return graph;
}

Shape DimsOf(const CairnAbiTensor& tensor) { return Shape(tensor.dims, tensor.dims + tensor.rank); }

Status CopyOutput(const Tensor& result, const CairnAbiTensor& output, size_t index) {
  if (static_cast<int32_t>(result.dtype()) != output.dtype || result.shape() != DimsOf(output) ||
      result.num_bytes() != output.bytes) {
    return Status(Code::kInvalidModel,
                  StrCat("output ", index, " is ", result.dtype(), ShapeToString(result.shape()),
                         ", expected ", static_cast<ElementType>(output.dtype),
                         ShapeToString(DimsOf(output))));
  }
  if (output.bytes > 0) std::memcpy(output.data, result.bytes(), output.bytes);
  return OkStatus();
}

Status RunGraph(const Graph& graph, const CairnAbiTensor* inputs, size_t num_inputs,
                const CairnAbiTensor* outputs, size_t num_outputs) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < num_inputs; ++i) {
    const CairnAbiTensor& t = inputs[i];
    tensors.push_back(
        Tensor::WrapMutable(static_cast<ElementType>(t.dtype), DimsOf(t),
                            {static_cast<std::byte*>(t.data), static_cast<size_t>(t.bytes)}));
  }
  ASSIGN_OR_RETURN(const std::vector<Tensor> results, RunReference(graph, std::move(tensors)));
  if (results.size() != num_outputs) {
    return Status(Code::kInvalidModel,
                  StrCat("the run gives ", results.size(), " outputs, expected ", num_outputs));
  }
  for (size_t i = 0; i < num_outputs; ++i) RETURN_IF_ERROR(CopyOutput(results[i], outputs[i], i));
  return OkStatus();
}

/// Runs `body`, turning failures and exceptions of the standard library into error text.
template <class Body>
int Guard(char* error, size_t error_bytes, const Body& body) {
  try {
    const Status status = body();
    return status.ok() ? 0 : Fail(status.ToString(), error, error_bytes);
  } catch (const std::exception& exception) {
    return Fail(exception.what(), error, error_bytes);
  }
}

int Create(const char* text, size_t length, void** handle, char* error, size_t error_bytes) {
  return Guard(error, error_bytes, [&]() -> Status {
    ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, CreateGraph({text, length}));
    *handle = graph.release();
    return OkStatus();
  });
}

int Run(const void* handle, const CairnAbiTensor* inputs, size_t num_inputs,
        const CairnAbiTensor* outputs, size_t num_outputs, char* error, size_t error_bytes) {
  return Guard(error, error_bytes, [&] {
    return RunGraph(*static_cast<const Graph*>(handle), inputs, num_inputs, outputs, num_outputs);
  });
}

void Destroy(void* handle) { delete static_cast<Graph*>(handle); }

}  // namespace
}  // namespace cairn

extern "C" __attribute__((visibility("default"))) const CairnReferenceApi* cairn_reference_api(
    void) {
  static const CairnReferenceApi api = {CAIRN_REFERENCE_API_VERSION, cairn::Create, cairn::Run,
                                        cairn::Destroy};
  return &api;
}
