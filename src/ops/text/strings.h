// SPDX-License-Identifier: Apache-2.0
// What operators over strings share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/op_def.h"

namespace cairn {

/// An error unless input `i` holds strings (unknown passes).
Status RequireString(const InferContext& in, size_t i);

/// The code points of UTF-8 text; a byte that begins no valid character stands for itself.
std::vector<char32_t> CodePoints(std::string_view text);
/// The reverse.
std::string ToUtf8(const std::vector<char32_t>& points);

/// Upper or lower case of Latin (with Latin-1 and Extended-A), Greek and Cyrillic letters, one for
/// one; other characters stay.
std::string ChangeCase(std::string_view text, bool to_upper);

}  // namespace cairn
