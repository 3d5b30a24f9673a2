// SPDX-License-Identifier: Apache-2.0
// Which inputs of a program are images that it pre-processes, and how.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/aipp.h"
#include "executable/program.h"

namespace cairn::runtime {

enum class ImageInputKind : uint8_t {
  kNone,
  kStatic,   ///< Images; parameters are compiled in.
  kDynamic,  ///< Images; parameters come with another input.
  kParams,   ///< The parameter block of such images.
};

struct ImageInput {
  ImageInputKind kind = ImageInputKind::kNone;
  size_t images = 0;                ///< Input of the images.
  size_t params = 0;                ///< Input of the block; dynamic ones only.
  AippFrame frame;                  ///< Static ones only.
  std::array<int64_t, 4> result{};  ///< N, C, H, W of what the network sees.
  uint64_t result_bytes = 0;
};

/// What input `index` of the program is.
ImageInput FindImageInput(const Program& program, size_t index);

}  // namespace cairn::runtime
