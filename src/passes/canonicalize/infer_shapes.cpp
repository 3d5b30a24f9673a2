// SPDX-License-Identifier: Apache-2.0
// InferShapes: types and shapes of every value.
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {

Result<int> InferShapes(Graph& graph, const PassContext& /*context*/) {
  RETURN_IF_ERROR(InferGraph(graph));
  return 0;
}

}  // namespace cairn
