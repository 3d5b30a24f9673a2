// SPDX-License-Identifier: Apache-2.0
// Kernel `reference`: executes a task's operator by the reference library. Attribute `graph`: the
// text form of a graph whose inputs and outputs are the task's present inputs and its outputs.
#include "schedule/kernel_binding.h"
#include "schedule/reference_library.h"

namespace cairn::schedule {
namespace {

struct ReferenceState {
  const CairnReferenceApi* api = nullptr;
  void* handle = nullptr;
  std::vector<ProgramTensor> operands;   ///< Inputs, then outputs.
  std::vector<size_t> present_inputs;    ///< Operand indices.
  size_t num_inputs = 0;

  ReferenceState() = default;
  ReferenceState(const ReferenceState&) = delete;
  ReferenceState& operator=(const ReferenceState&) = delete;
  ~ReferenceState() {
    if (handle) api->destroy(handle);
  }
};

CairnAbiTensor AbiTensor(const ProgramTensor& tensor, void* data) {
  return {static_cast<int32_t>(tensor.dtype), static_cast<int32_t>(tensor.dims.size()),
          tensor.dims.data(), data, tensor.bytes};
}

// A reference task has one part, which runs on the thread that asked for the run.
thread_local std::string last_error;

int RunReferenceTask(const void* opaque, void* const* operands, void*, int, kernels::Part) {
  const auto& state = *static_cast<const ReferenceState*>(opaque);
  std::vector<CairnAbiTensor> inputs, outputs;
  for (size_t i : state.present_inputs) {
    inputs.push_back(AbiTensor(state.operands[i], operands[i]));
  }
  for (size_t i = state.num_inputs; i < state.operands.size(); ++i) {
    outputs.push_back(AbiTensor(state.operands[i], operands[i]));
  }
  char error[512];
  if (state.api->run(state.handle, inputs.data(), inputs.size(), outputs.data(), outputs.size(),
                     error, sizeof(error)) == 0) {
    return kNoFault;
  }
  last_error = static_cast<const char*>(error);
  return kReferenceFailed;
}

}  // namespace

const std::string& LastReferenceError() { return last_error; }

Result<BoundTask> BindReference(const BindContext& context) {
  auto state = std::make_shared<ReferenceState>();
  ASSIGN_OR_RETURN(state->api, ReferenceLibrary());
  state->num_inputs = context.num_inputs();
  for (size_t i = 0; i < context.num_inputs(); ++i) {
    if (context.has_input(i)) {
      if (context.input(i).layout != Layout::kPlain) return context.Invalid("inputs are plain");
      state->operands.push_back(context.input(i));
      state->present_inputs.push_back(i);
    } else {
      state->operands.emplace_back();
    }
  }
  for (size_t i = 0; i < context.num_outputs(); ++i) {
    if (context.task.outputs[i] == kNoTensor) return context.Invalid("all outputs are present");
    if (context.output(i).layout != Layout::kPlain) return context.Invalid("outputs are plain");
    state->operands.push_back(context.output(i));
  }
  const std::string text = context.task.GetString("graph", "");
  char error[512];
  if (state->api->create(text.data(), text.size(), &state->handle, error, sizeof(error)) != 0) {
    return context.Invalid(StrCat("its graph is valid: ", static_cast<const char*>(error)));
  }
  return BoundTask{RunReferenceTask, state, 1, 1, 0};
}

}  // namespace cairn::schedule
