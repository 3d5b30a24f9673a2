// SPDX-License-Identifier: Apache-2.0
// Between the attributes of the operator Aipp and the pre-processing they stand for.
#pragma once

#include "base/aipp.h"
#include "ir/graph.h"

namespace cairn {

/// The frame that the attributes of a static Aipp node describe; `source` gives the image size.
AippFrame AippFrameOf(const Node& node);
/// Sets the attributes of a static Aipp node.
void SetAippAttributes(const AippFrame& frame, Node& node);

}  // namespace cairn
