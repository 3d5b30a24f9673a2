// SPDX-License-Identifier: Apache-2.0
// The C face of the specializer.
#include "abi/specializer_api.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>

#include "specialize/specializer.h"

namespace cairn::specialize {
namespace {

/// What a CairnStage points into.
struct OwnedStage {
  CairnStage view{};
  Stage stage;
};

struct Handle {
  std::unique_ptr<Specializer> specializer;
  std::map<const CairnStage*, std::unique_ptr<OwnedStage>> stages;  // Given out.
  uint32_t num_values() const {
    return static_cast<uint32_t>(specializer->index().values().size());
  }
  uint32_t num_nodes() const { return static_cast<uint32_t>(specializer->index().nodes().size()); }
};

int Fail(const std::string& message, char* error, size_t error_bytes) {
  if (error && error_bytes > 0) {
    const size_t length = std::min(message.size(), error_bytes - 1);
    std::memcpy(error, message.data(), length);
    error[length] = '\0';
  }
  return 1;
}

/// Runs `body`, turning failures and exceptions of the standard library into error text.
template <class Body>
int Guard(char* error, size_t error_bytes, const Body& body) {
  try {
    const Status status = body();
    return status.ok() ? 0 : Fail(status.message(), error, error_bytes);
  } catch (const std::exception& exception) {
    return Fail(exception.what(), error, error_bytes);
  }
}

Shape DimsOf(const CairnAbiTensor& tensor) { return Shape(tensor.dims, tensor.dims + tensor.rank); }

int Create(const void* program, size_t program_bytes, const void* weights, size_t weight_bytes,
           void** handle, char* error, size_t error_bytes) {
  return Guard(error, error_bytes, [&]() -> Status {
    auto result = std::make_unique<Handle>();
    ASSIGN_OR_RETURN(result->specializer,
                     Specializer::Create({static_cast<const std::byte*>(program), program_bytes},
                                         {static_cast<const std::byte*>(weights), weight_bytes}));
    *handle = result.release();
    return OkStatus();
  });
}

void Counts(const void* handle, uint32_t* num_values, uint32_t* num_nodes) {
  const Handle& self = *static_cast<const Handle*>(handle);
  *num_values = self.num_values();
  *num_nodes = self.num_nodes();
}

void ModelValues(const void* handle, int outputs, const uint32_t** values, size_t* count) {
  const ModelIndex& index = static_cast<const Handle*>(handle)->specializer->index();
  const auto& list = outputs ? index.outputs() : index.inputs();
  *values = list.data();
  *count = list.size();
}

int Plan(void* handle, uint32_t node, const CairnAbiTensor* values, const CairnStage** stage,
         char* error, size_t error_bytes) {
  return Guard(error, error_bytes, [&]() -> Status {
    Handle& self = *static_cast<Handle*>(handle);
    KnownTypes known(self.num_values());
    for (uint32_t i = 0; i < self.num_values(); ++i) {
      if (values[i].rank < 0) continue;
      known[i] = TensorType(static_cast<ElementType>(values[i].dtype));
      const Shape dims = DimsOf(values[i]);
      known[i]->dims = Dims(dims.begin(), dims.end());
    }
    auto owned = std::make_unique<OwnedStage>();
    ASSIGN_OR_RETURN(owned->stage, self.specializer->Plan(node, known));
    const Stage& made = owned->stage;
    owned->view = {made.program.data(),  made.program.size(), made.inputs.data(),
                   made.inputs.size(),   made.outputs.data(), made.outputs.size(),
                   made.end};
    *stage = &owned->view;
    self.stages[*stage] = std::move(owned);
    return OkStatus();
  });
}

void Release(void* handle, const CairnStage* stage) {
  static_cast<Handle*>(handle)->stages.erase(stage);
}

int Evaluate(void* handle, uint32_t node, const CairnAbiTensor* values, CairnResultFn result,
             void* context, char* error, size_t error_bytes) {
  return Guard(error, error_bytes, [&]() -> Status {
    const Handle& self = *static_cast<const Handle*>(handle);
    const ModelIndex& index = self.specializer->index();
    const Node& model_node = *index.nodes()[node];
    std::vector<Tensor> inputs;
    for (const Value* input : model_node.inputs()) {
      if (input == nullptr) {
        inputs.emplace_back();
      } else if (input->is_constant()) {
        inputs.push_back(input->constant());
      } else {
        const CairnAbiTensor& t = values[index.IdOf(input)];
        inputs.push_back(
            Tensor::WrapMutable(static_cast<ElementType>(t.dtype), DimsOf(t),
                                {static_cast<std::byte*>(t.data), static_cast<size_t>(t.bytes)}));
      }
    }
    ASSIGN_OR_RETURN(const std::vector<Tensor> results,
                     self.specializer->Evaluate(node, std::move(inputs)));
    for (size_t i = 0; i < results.size(); ++i) {
      if (model_node.output(i) == nullptr) continue;
      const Tensor& tensor = results[i];
      const CairnAbiTensor type = {static_cast<int32_t>(tensor.dtype()),
                                   static_cast<int32_t>(tensor.rank()), tensor.shape().data(),
                                   nullptr, tensor.num_bytes()};
      void* memory = result(context, index.IdOf(model_node.output(i)), &type);
      if (memory == nullptr && tensor.num_bytes() > 0)
        return Status(Code::kOutOfMemory, StrCat("no memory for a result of '", model_node.name(), "'"));
      if (tensor.num_bytes() > 0) std::memcpy(memory, tensor.bytes(), tensor.num_bytes());
    }
    return OkStatus();
  });
}

void Destroy(void* handle) { delete static_cast<Handle*>(handle); }

}  // namespace
}  // namespace cairn::specialize

extern "C" __attribute__((visibility("default"))) const CairnSpecializerApi* cairn_specializer_api(
    void) {
  namespace s = cairn::specialize;
  static const CairnSpecializerApi api = {
      CAIRN_SPECIALIZER_API_VERSION, s::Create,  s::Counts,   s::ModelValues,
      s::Plan,                       s::Release, s::Evaluate, s::Destroy};
  return &api;
}
