// SPDX-License-Identifier: Apache-2.0
// The options that give several sizes for the -1 dimensions: batch, image size, dims.
#pragma once

#include <span>

#include "arguments.h"
#include "compiler/compiler.h"
#include "input_shape.h"

namespace cairn::atc {

/// Checks --dynamic_batch_size, --dynamic_image_size and --dynamic_dims against each other and the
/// given shapes and fills `gears`. Reports E10001 to E10046 and returns false when a rule is broken.
/// Without these options there is nothing to check.
bool CheckProfiles(const Arguments& arguments, std::span<const InputShape> shapes,
                   compiler::GearOptions& gears, ErrorReport& report);

}  // namespace cairn::atc
