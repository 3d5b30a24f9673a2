// SPDX-License-Identifier: Apache-2.0
// Kernel `copy`: the bytes of input 0 to output 0, tensors of equal size.
#include <cstring>

#include "schedule/kernel_binding.h"

namespace cairn::schedule {
namespace {

int RunCopy(const void* state, void* const* operands, void*, int, kernels::Part part) {
  const auto bytes = static_cast<int64_t>(*static_cast<const uint64_t*>(state));
  const kernels::Range range = kernels::PartRange(bytes, 64, part);
  if (range.size() > 0) {
    std::memmove(static_cast<std::byte*>(operands[1]) + range.begin,
                 static_cast<const std::byte*>(operands[0]) + range.begin,
                 static_cast<size_t>(range.size()));
  }
  return kNoFault;
}

}  // namespace

Result<BoundTask> BindCopy(const BindContext& context) {
  if (context.num_inputs() != 1 || !context.has_input(0) || !context.has_output(0) ||
      context.num_outputs() != 1) {
    return context.Invalid("there are one input and one output");
  }
  if (context.input(0).bytes != context.output(0).bytes) {
    return context.Invalid("input and output have the same number of bytes");
  }
  return BoundTask{RunCopy, std::make_shared<uint64_t>(context.input(0).bytes), 1, 1 << 16, 0};
}

}  // namespace cairn::schedule
