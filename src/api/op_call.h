// SPDX-License-Identifier: Apache-2.0
// A call of one operator: how it is compiled, on which buffers it runs, and its way into a stream.
#pragma once

#include <memory>
#include <vector>

#include "acl/acl_op.h"
#include "api/call.h"
#include "runtime/model.h"
#include "runtime/operators.h"

namespace cairn::api {

/// One input or output in memory.
struct OpBuffer {
  void* data = nullptr;
  size_t bytes = 0;
};

/// `inputs` and `outputs` are parallel to the lists of `spec`.
struct OpCall {
  runtime::OperatorSpec spec;
  std::vector<OpBuffer> inputs, outputs;
};

/// An operator ready to run, and its buffers in the order of the model's inputs and outputs.
struct PreparedOp {
  std::shared_ptr<runtime::Model> model;
  std::vector<runtime::Buffer> inputs, outputs;
};

/// Compiles, or finds, the operator of `call` for the current device. Inputs whose elements the
/// operator must know are read now, after the work of `stream`, and become constants of
/// `call.spec`.
Answer Prepare(OpCall& call, aclrtStream stream, PreparedOp& op);

/// Queues the run. Outputs may share memory with inputs.
Answer Enqueue(PreparedOp op, aclrtStream stream);

/// The operands of the public interface as a call. Buffers may be null (for compilation alone).
Answer MakeCall(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                const aclDataBuffer* const inputs[], int numOutputs,
                const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
                const aclopAttr* attr, OpCall& call);

/// How a failure of Operators::Find is answered.
Answer FindAnswer(const Status& status);

}  // namespace cairn::api
