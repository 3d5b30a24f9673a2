// SPDX-License-Identifier: Apache-2.0
// Conversion between the storage layouts of images: channels first, channels last, channel blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

enum class ImageLayout : uint8_t {
  kChannelsFirst = 0,  ///< [N, C, pixels]: the plain row-major layout.
  kChannelsLast = 1,   ///< [N, pixels, C]
  kBlocked = 2,        ///< [N, ceil(C / c0), pixels, c0], zero in the lanes beyond C.
};

/// `pixels` is the product of the spatial dimensions, of any rank. Elements have 4 bytes and are
/// moved as bits.
struct LayoutParams {
  Isa isa;
  ImageLayout src, dst;  ///< Different.
  int64_t batch, channels, pixels;
  int64_t c0;  ///< Channels of a block, at most 64; the fast paths are for VectorFloats(isa).
};

struct LayoutBuffers {
  const void* src;
  void* dst;  ///< Overlaps nothing.
};

inline size_t LayoutWorkspaceBytes(const LayoutParams&, int /*num_parts*/) { return 0; }
inline int LayoutPhases(const LayoutParams&) { return 1; }
void RunLayout(const LayoutParams& params, const LayoutBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
