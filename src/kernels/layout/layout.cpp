// SPDX-License-Identifier: Apache-2.0
// Walks images, channel blocks and pieces of pixels; each piece is a small transposition or copies.
#include "kernels/layout/layout.h"

#include <algorithm>
#include <cstring>

#include "kernels/layout/transpose2d.h"

namespace cairn::kernels {
namespace {

// Pixels of one unit of work.
constexpr int64_t kPixels = 256;

struct Piece {
  int64_t image, block, channel0, channels, pixel0, pixels;
};

class Converter {
 public:
  Converter(const LayoutParams& params, const LayoutBuffers& buffers)
      : p_(params),
        src_(static_cast<const float*>(buffers.src)),
        dst_(static_cast<float*>(buffers.dst)),
        transpose_(GetTranspose2d(params.isa)),
        blocks_(GetBlockTransposes(params.isa)),
        fast_(params.c0 == VectorFloats(params.isa)) {}

  void Run(Part part) const {
    const bool blocked = p_.src == ImageLayout::kBlocked || p_.dst == ImageLayout::kBlocked;
    const int64_t width = blocked ? p_.c0 : std::min<int64_t>(p_.channels, 64);
    if (p_.batch == 0 || p_.channels == 0 || p_.pixels == 0) return;
    const int64_t blocks = (p_.channels + width - 1) / width;
    const int64_t pieces = (p_.pixels + kPixels - 1) / kPixels;
    const Range range = PartRange(p_.batch * blocks * pieces, 1, part);
    for (int64_t i = range.begin; i < range.end; ++i) {
      Piece piece;
      piece.image = i / (blocks * pieces);
      piece.block = i / pieces % blocks;
      piece.channel0 = piece.block * width;
      piece.channels = std::min(width, p_.channels - piece.channel0);
      piece.pixel0 = i % pieces * kPixels;
      piece.pixels = std::min(kPixels, p_.pixels - piece.pixel0);
      Convert(piece, blocks);
    }
  }

 private:
  int64_t First(const Piece& piece) const {  // Offset in channels-first storage.
    return (piece.image * p_.channels + piece.channel0) * p_.pixels + piece.pixel0;
  }
  int64_t Last(const Piece& piece) const {
    return (piece.image * p_.pixels + piece.pixel0) * p_.channels + piece.channel0;
  }
  int64_t Blocked(const Piece& piece, int64_t blocks) const {
    return ((piece.image * blocks + piece.block) * p_.pixels + piece.pixel0) * p_.c0;
  }

  void Convert(const Piece& piece, int64_t blocks) const {
    if (p_.dst == ImageLayout::kBlocked) {
      float* dst = dst_ + Blocked(piece, blocks);
      if (p_.src == ImageLayout::kChannelsFirst) {
        ToBlock(src_ + First(piece), dst, piece);
      } else {
        CopyLanes(src_ + Last(piece), p_.channels, dst, p_.c0, piece);
      }
    } else if (p_.src == ImageLayout::kBlocked) {
      const float* src = src_ + Blocked(piece, blocks);
      if (p_.dst == ImageLayout::kChannelsFirst) {
        FromBlock(src, dst_ + First(piece), piece);
      } else {
        CopyLanes(src, p_.c0, dst_ + Last(piece), p_.channels, piece);
      }
    } else if (p_.src == ImageLayout::kChannelsFirst) {
      transpose_(src_ + First(piece), p_.pixels, dst_ + Last(piece), p_.channels, piece.channels,
                 piece.pixels);
    } else {
      transpose_(src_ + Last(piece), p_.channels, dst_ + First(piece), p_.pixels, piece.pixels,
                 piece.channels);
    }
  }

  void ToBlock(const float* src, float* dst, const Piece& piece) const {
    if (fast_) {
      blocks_.block(src, p_.pixels, piece.channels, dst, piece.pixels);
      return;
    }
    transpose_(src, p_.pixels, dst, p_.c0, piece.channels, piece.pixels);
    for (int64_t i = 0; i < piece.pixels && piece.channels < p_.c0; ++i) {
      std::fill_n(dst + i * p_.c0 + piece.channels, p_.c0 - piece.channels, 0.0f);
    }
  }
  void FromBlock(const float* src, float* dst, const Piece& piece) const {
    if (fast_) {
      blocks_.unblock(src, piece.channels, dst, p_.pixels, piece.pixels);
    } else {
      transpose_(src, p_.c0, dst, p_.pixels, piece.pixels, piece.channels);
    }
  }

  // Between blocks and channels last a pixel's lanes are contiguous on both sides.
  void CopyLanes(const float* src, int64_t src_stride, float* dst, int64_t dst_stride,
                 const Piece& piece) const {
    const bool pad = p_.dst == ImageLayout::kBlocked && piece.channels < p_.c0;
    // Constant sizes copy in a few instructions.
    if (!pad && piece.channels == 16) {
      return CopyFixed<16>(src, src_stride, dst, dst_stride, piece.pixels);
    }
    if (!pad && piece.channels == 8) {
      return CopyFixed<8>(src, src_stride, dst, dst_stride, piece.pixels);
    }
    for (int64_t i = 0; i < piece.pixels; ++i) {
      std::memcpy(dst, src, piece.channels * sizeof(float));
      if (pad) std::fill_n(dst + piece.channels, p_.c0 - piece.channels, 0.0f);
      src += src_stride;
      dst += dst_stride;
    }
  }

  template <int kCount>
  static void CopyFixed(const float* src, int64_t src_stride, float* dst, int64_t dst_stride,
                        int64_t pixels) {
    for (int64_t i = 0; i < pixels; ++i) {
      std::memcpy(dst + i * dst_stride, src + i * src_stride, kCount * sizeof(float));
    }
  }

  const LayoutParams& p_;
  const float* src_;
  float* dst_;
  Transpose2dFn transpose_;
  BlockTransposes blocks_;
  bool fast_;
};

}  // namespace

void RunLayout(const LayoutParams& params, const LayoutBuffers& buffers, int /*phase*/, Part part) {
  Converter(params, buffers).Run(part);
}

}  // namespace cairn::kernels
