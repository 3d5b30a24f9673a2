// SPDX-License-Identifier: Apache-2.0
// Image pre-processing ("AIPP"): what is done to one image, its rules, and the parameter block that
// applications give at run time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"

namespace cairn {

/// Values are those of the public interface.
enum class PixelFormat : uint8_t {
  kNone = 0,
  kYuv420Sp = 1,  ///< A plane of luma, then a plane of interleaved chroma at half resolution.
  kXrgb8888 = 2,
  kRgb888 = 3,
  kYuv400 = 4,    ///< Luma alone.
};
const char* PixelFormatName(PixelFormat format);  ///< "RGB888_U8".

/// Of one image, in order: swaps, crop, colour conversion, normalisation, padding.
struct AippFrame {
  PixelFormat format = PixelFormat::kNone;
  bool csc = false;        ///< Colour conversion by `matrix` and the bias of the input format.
  bool rbuv_swap = false;  ///< Exchanges R and B, or U and V.
  bool ax_swap = false;    ///< Four channels: the first byte of a pixel becomes the last.
  int32_t src_w = 0, src_h = 0;
  bool crop = false;
  int32_t crop_x = 0, crop_y = 0, crop_w = 0, crop_h = 0;
  bool padding = false;
  int32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  float pad_value = 0;
  std::array<int16_t, 9> matrix{};        ///< Rows of the three results, times 256.
  std::array<uint8_t, 3> input_bias{};    ///< Subtracted from YUV before the product.
  std::array<uint8_t, 3> output_bias{};   ///< Added to the product of RGB.
  std::array<int16_t, 4> mean{};
  std::array<float, 4> min{};
  std::array<float, 4> var_reci{1, 1, 1, 1};

  int32_t cropped_w() const { return crop ? crop_w : src_w; }
  int32_t cropped_h() const { return crop ? crop_h : src_h; }
  int32_t out_w() const { return cropped_w() + (padding ? pad_left + pad_right : 0); }
  int32_t out_h() const { return cropped_h() + (padding ? pad_top + pad_bottom : 0); }
  int64_t bytes() const;   ///< Of the source image.
  bool is_yuv() const { return format == PixelFormat::kYuv420Sp || format == PixelFormat::kYuv400; }
};

/// Bytes of one pixel as stored; luma alone for kYuv420Sp.
int PixelBytes(PixelFormat format);

/// kInvalidArgument names the field, its value and its range: sizes positive, crop inside the
/// source, even numbers for YUV420SP, no conversion of YUV400, padding 0..32, and that `channels`
/// results can come of the format.
Status CheckAippFrame(const AippFrame& frame, int64_t channels);

/// ((x - mean) - min) * var_reci of channel `c` in float32, for x = 0..255.
void NormalizationTable(const AippFrame& frame, int c, std::span<float, 256> table);

/// Bytes of the parameter block for `batch` images.
inline constexpr size_t kAippHeadBytes = 64, kAippFrameBytes = 96;
constexpr size_t AippBlockBytes(size_t batch) { return kAippHeadBytes + batch * kAippFrameBytes; }

/// Writes frames that differ in crop, padding and normalisation only. `block` has
/// AippBlockBytes(frames.size()) bytes.
void WriteAippBlock(std::span<const AippFrame> frames, std::span<std::byte> block);

/// Reads a block. kInvalidArgument when it is too short, was never written, or asks for scaling;
/// the frames themselves are not checked.
Status ReadAippFrame(std::span<const std::byte> block, size_t index, AippFrame& frame);
size_t AippBlockFrames(std::span<const std::byte> block);  ///< As its head says; 0 if unwritten.

}  // namespace cairn
