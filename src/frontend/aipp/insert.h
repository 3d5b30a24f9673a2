// SPDX-License-Identifier: Apache-2.0
// Puts image pre-processing before the inputs of a network.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "frontend/aipp/config.h"
#include "ir/graph.h"

namespace cairn::aipp {

/// Name of the input that takes the parameter block of dynamic pre-processing.
inline constexpr const char* kParamsName = "ascend_dynamic_aipp_data";

/// Adds an Aipp node for every op: the model's input becomes images of u8, and dynamic ones add an
/// input for the parameters at the end. Inputs must have static shapes (N, C, H, W), or
/// (N, H, W, C) with `channels_last`. Appends lines that describe what is done to `lines`.
/// kInvalidArgument when an op does not fit its input.
Status InsertAipp(const std::vector<AippOp>& ops, bool channels_last, Graph& graph,
                  std::vector<std::string>& lines);

}  // namespace cairn::aipp
