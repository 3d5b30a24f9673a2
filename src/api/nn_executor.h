// SPDX-License-Identifier: Apache-2.0
// Between the two phases of an operator call: the prepared operator and the views it works on.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "aclnn/aclnn_base.h"
#include "api/nn_tensor.h"
#include "api/op_call.h"

struct aclOpExecutor {
  cairn::api::PreparedOp op;  ///< Without buffers; they come from the views.
  std::vector<aclTensor> inputs, outputs;
};

namespace cairn::api {

/// Codes of the two-phase interface.
inline constexpr aclnnStatus kNnNullPointer = 161001;
inline constexpr aclnnStatus kNnInvalidArgument = 161002;
inline constexpr aclnnStatus kNnInner = 361001;

using NnAttributes = std::initializer_list<std::pair<const char*, runtime::OperatorAttribute>>;

/// First phase: prepares `type` on the operands and makes the executor. Outputs may be inputs too.
aclnnStatus PrepareNn(const char* function, const char* type,
                      std::initializer_list<const aclTensor*> inputs, const aclTensor* out,
                      NnAttributes attributes, uint64_t* workspaceSize, aclOpExecutor** executor);

/// Second phase: queues the run and releases the executor.
aclnnStatus LaunchNn(const char* function, aclOpExecutor* executor, aclrtStream stream);

/// Records that `name` is null and gives the code of it.
aclnnStatus NnNull(const char* function, const char* name);

}  // namespace cairn::api
