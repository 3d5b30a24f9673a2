// SPDX-License-Identifier: Apache-2.0
// The configuration file of image pre-processing (`--insert_op_conf`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/aipp.h"
#include "base/status.h"

namespace cairn::aipp {

/// One `aipp_op`. Sizes that the file leaves at 0 are 0 here; Resolve fills them in.
struct AippOp {
  int line = 0;               ///< Where it begins.
  bool dynamic = false;
  int64_t input_rank = 0;     ///< Which input of the model.
  std::string input_name;     ///< Wins over the rank when not empty.
  int64_t max_src_image_size = 0;  ///< Dynamic: bytes of all images.
  AippFrame frame;            ///< Static.
};

/// Parses and checks what can be checked without the model. kInvalidArgument with line, field,
/// value and range; kDataCorrupt when the text is malformed; kUnsupported for scaling and formats
/// that no device has.
Result<std::vector<AippOp>> ParseAippConfig(std::string_view text);

/// Fills in sizes that the file left open from the height and width of the network's input.
void ResolveSizes(int64_t height, int64_t width, AippFrame& frame);

}  // namespace cairn::aipp
