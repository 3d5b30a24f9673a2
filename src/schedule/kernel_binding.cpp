// SPDX-License-Identifier: Apache-2.0
// The kernel list and the common checks of binding.
#include "schedule/kernel_binding.h"

#include <algorithm>

namespace cairn::schedule {

#define CAIRN_KERNEL(name, Bind) Result<BoundTask> Bind(const BindContext&);
#include "schedule/kernel_list.def"
#undef CAIRN_KERNEL

namespace {

constexpr KernelEntry kEntries[] = {
#define CAIRN_KERNEL(name, Bind) {name, Bind},
#include "schedule/kernel_list.def"
#undef CAIRN_KERNEL
};

}  // namespace

std::string KernelFaultText(int fault) {
  switch (fault) {
    case kNoFault: return "no fault";
    case kIndexOutOfRange: return "an index is outside its axis";
    case kDivisionByZero: return "an integer is divided by zero";
    case kReferenceFailed: return LastReferenceError();
    case kBadAippParameters:
      return "the parameters of the image pre-processing are missing or do not fit the model (set "
             "them with aclmdlSetInputAIPP)";
    default: return "unknown kernel fault";
  }
}

Status BindContext::Invalid(const std::string& rule) const {
  return Status(Code::kDataCorrupt, StrCat("task '", task.name, "' (kernel ", task.kernel,
                                           ") violates the rule: ", rule));
}

const KernelEntry* FindKernel(std::string_view name) {
  for (const KernelEntry& entry : kEntries) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

Result<BoundTask> BindTask(const BindContext& context) {
  const KernelEntry* entry = FindKernel(context.task.kernel);
  if (!entry) {
    return Status(Code::kIncompatible,
                  StrCat("task '", context.task.name, "' needs kernel '", context.task.kernel,
                         "', which this build does not have; rebuild the model with atc"));
  }
  ASSIGN_OR_RETURN(BoundTask bound, entry->bind(context));
  const int limit = static_cast<int>(std::min<uint32_t>(context.task.max_parts, 1u << 16));
  bound.max_parts = std::clamp(std::min(bound.max_parts, limit), 1, context.num_threads);
  return bound;
}

}  // namespace cairn::schedule
