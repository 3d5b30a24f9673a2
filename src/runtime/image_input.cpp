// SPDX-License-Identifier: Apache-2.0
// Found through the tasks that read the inputs.
#include "runtime/image_input.h"

#include <algorithm>

#include "schedule/aipp.h"

namespace cairn::runtime {
namespace {

/// The input that operand `i` of the task is; nothing when it is no input.
std::optional<size_t> InputOf(const Program& program, const Task& task, size_t i) {
  if (i >= task.inputs.size() || task.inputs[i] == kNoTensor) return std::nullopt;
  const ProgramTensor& tensor = program.tensors[task.inputs[i]];
  if (tensor.storage != Storage::kInput) return std::nullopt;
  return tensor.io_index;
}

}  // namespace

ImageInput FindImageInput(const Program& program, size_t index) {
  for (const Task& task : program.tasks) {
    if (task.kernel != "aipp") continue;
    const auto images = InputOf(program, task, 0), params = InputOf(program, task, 1);
    const bool dynamic = task.GetInt("dynamic", 0) != 0;
    ImageInput input;
    if (images == index)
      input.kind = dynamic ? ImageInputKind::kDynamic : ImageInputKind::kStatic;
    else if (dynamic && params == index)
      input.kind = ImageInputKind::kParams;
    else
      continue;
    input.images = images.value_or(0);
    input.params = params.value_or(0);
    if (!dynamic) (void)schedule::ReadTaskFrame(task, input.frame);  // Checked by the binding.
    const ProgramTensor& result = program.tensors[task.outputs[0]];
    std::copy_n(result.dims.begin(), std::min<size_t>(result.dims.size(), 4),
                input.result.begin());
    input.result_bytes = result.bytes;
    return input;
  }
  return {};
}

}  // namespace cairn::runtime
