// SPDX-License-Identifier: Apache-2.0
// Pre-processing of images of 8-bit pixels, with parameters known at compile time or given in a
// block at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aipp.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// Type of the results.
enum class AippResult : uint8_t { kF32 = 0, kF16 = 1, kU8 = 2 };

struct AippParams {
  AippFrame frame;      ///< Of every image; not used when `dynamic`. Checked for `channels`.
  bool dynamic;         ///< The frames come with the block.
  AippResult result;    ///< kU8 is not normalised.
  int64_t batch, channels, height, width;  ///< Of the result, channels first.
  size_t image_bytes;   ///< Of all images.
  size_t block_bytes;   ///< Of the block.
};

struct AippBuffers {
  const uint8_t* images;
  const std::byte* block;  ///< Null unless dynamic.
  void* dst;               ///< Overlaps nothing.
};

/// Shared by result rows. False when the block does not fit: unwritten, against the rules, images
/// beyond `image_bytes`, or another size of the result.
bool RunAipp(const AippParams& params, const AippBuffers& buffers, Part part);

}  // namespace cairn::kernels
