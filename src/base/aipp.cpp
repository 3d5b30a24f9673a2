// SPDX-License-Identifier: Apache-2.0
// Rules and binary form of image pre-processing.
#include "base/aipp.h"

#include <cstring>

#include "base/half.h"

namespace cairn {
namespace {

// Offsets of the head of a block.
constexpr size_t kFormat = 0, kCsc = 1, kRbuvSwap = 2, kAxSwap = 3, kBatch = 4, kSrcW = 8,
                 kSrcH = 12, kMatrix = 16, kOutputBias = 40, kInputBias = 43;
// Offsets of one image's part.
constexpr size_t kCrop = 0, kScale = 1, kPadding = 2, kCropX = 8, kCropY = 12, kCropW = 16,
                 kCropH = 20, kPadTop = 40, kPadBottom = 44, kPadLeft = 48, kPadRight = 52,
                 kMean = 56, kMin = 64, kVarReci = 72;

template <class T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

template <class T>
void Store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(value));
}

Status Bad(const char* field, int64_t value, const std::string& rule) {
  return Status(Code::kInvalidArgument, StrCat(field, " is ", value, ", ", rule));
}

Status CheckRange(const char* field, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return OkStatus();
  return Bad(field, value, StrCat("it must be in [", low, ", ", high, "]"));
}

Status CheckEven(const char* field, int64_t value) {
  if (value % 2 == 0) return OkStatus();
  return Bad(field, value, "it must be even for YUV420SP_U8");
}

Status CheckCrop(const AippFrame& f) {
  RETURN_IF_ERROR(CheckRange("crop start w", f.crop_x, 0, 4095));
  RETURN_IF_ERROR(CheckRange("crop start h", f.crop_y, 0, 4095));
  RETURN_IF_ERROR(CheckRange("crop size w", f.crop_w, 1, 4096));
  RETURN_IF_ERROR(CheckRange("crop size h", f.crop_h, 1, 4096));
  if (f.crop_x + f.crop_w > f.src_w)
    return Bad("crop start w + size w", f.crop_x + f.crop_w,
               StrCat("the source is ", f.src_w, " wide"));
  if (f.crop_y + f.crop_h > f.src_h)
    return Bad("crop start h + size h", f.crop_y + f.crop_h,
               StrCat("the source is ", f.src_h, " high"));
  if (f.format != PixelFormat::kYuv420Sp) return OkStatus();
  RETURN_IF_ERROR(CheckEven("crop start w", f.crop_x));
  return CheckEven("crop start h", f.crop_y);
}

Status CheckPadding(const AippFrame& f) {
  RETURN_IF_ERROR(CheckRange("padding top", f.pad_top, 0, 32));
  RETURN_IF_ERROR(CheckRange("padding bottom", f.pad_bottom, 0, 32));
  RETURN_IF_ERROR(CheckRange("padding left", f.pad_left, 0, 32));
  return CheckRange("padding right", f.pad_right, 0, 32);
}

bool GivesChannels(const AippFrame& f, int64_t channels) {
  switch (f.format) {
    case PixelFormat::kYuv400:
      return channels == 1;
    case PixelFormat::kYuv420Sp:
      return channels == 3 || channels == 1;
    case PixelFormat::kRgb888:
      return channels == 3 || (f.csc && channels == 1);
    case PixelFormat::kXrgb8888:
      return channels == 3 || (f.csc ? channels == 1 : channels == 4);
    case PixelFormat::kNone:
      break;
  }
  return false;
}

}  // namespace

const char* PixelFormatName(PixelFormat format) {
  switch (format) {
    case PixelFormat::kYuv420Sp:
      return "YUV420SP_U8";
    case PixelFormat::kXrgb8888:
      return "XRGB8888_U8";
    case PixelFormat::kRgb888:
      return "RGB888_U8";
    case PixelFormat::kYuv400:
      return "YUV400_U8";
    case PixelFormat::kNone:
      break;
  }
  return "undefined";
}

int PixelBytes(PixelFormat format) {
  if (format == PixelFormat::kXrgb8888) return 4;
  return format == PixelFormat::kRgb888 ? 3 : 1;
}

int64_t AippFrame::bytes() const {
  const int64_t pixels = int64_t{src_w} * src_h;
  return format == PixelFormat::kYuv420Sp ? pixels * 3 / 2 : pixels * PixelBytes(format);
}

Status CheckAippFrame(const AippFrame& f, int64_t channels) {
  if (f.format == PixelFormat::kNone || f.format > PixelFormat::kYuv400)
    return Bad("input format", static_cast<int>(f.format),
               "available are YUV420SP_U8 (1), XRGB8888_U8 (2), RGB888_U8 (3), YUV400_U8 (4)");
  RETURN_IF_ERROR(CheckRange("source image width", f.src_w, 1, 4096));
  RETURN_IF_ERROR(CheckRange("source image height", f.src_h, 1, 4096));
  if (f.format == PixelFormat::kYuv420Sp) {
    RETURN_IF_ERROR(CheckEven("source image width", f.src_w));
    RETURN_IF_ERROR(CheckEven("source image height", f.src_h));
  }
  if (f.format == PixelFormat::kYuv400 && f.csc)
    return Bad("csc switch", 1, "YUV400_U8 has no colours to convert");
  if (f.crop) RETURN_IF_ERROR(CheckCrop(f));
  if (f.padding) RETURN_IF_ERROR(CheckPadding(f));
  for (const int16_t mean : f.mean) RETURN_IF_ERROR(CheckRange("mean", mean, 0, 255));
  if (GivesChannels(f, channels)) return OkStatus();
  return Bad("the number of channels of the model's input", channels,
             StrCat(PixelFormatName(f.format), f.csc ? " with" : " without",
                    " colour conversion does not give it"));
}

void NormalizationTable(const AippFrame& frame, int c, std::span<float, 256> table) {
  const auto channel = static_cast<size_t>(c);
  const float mean = frame.mean[channel], min = frame.min[channel];
  const float factor = frame.var_reci[channel];
  for (int x = 0; x < 256; ++x)
    table[static_cast<size_t>(x)] = (static_cast<float>(x) - mean - min) * factor;
}

void WriteAippBlock(std::span<const AippFrame> frames, std::span<std::byte> block) {
  std::memset(block.data(), 0, block.size());
  std::byte* head = block.data();
  const AippFrame& first = frames[0];
  Store(head + kFormat, static_cast<uint8_t>(first.format));
  Store(head + kCsc, static_cast<int8_t>(first.csc));
  Store(head + kRbuvSwap, static_cast<int8_t>(first.rbuv_swap));
  Store(head + kAxSwap, static_cast<int8_t>(first.ax_swap));
  Store(head + kBatch, static_cast<int8_t>(frames.size()));
  Store(head + kSrcW, first.src_w);
  Store(head + kSrcH, first.src_h);
  Store(head + kMatrix, first.matrix);
  Store(head + kOutputBias, first.output_bias);
  Store(head + kInputBias, first.input_bias);
  std::byte* at = head + kAippHeadBytes;
  for (const AippFrame& f : frames) {
    Store(at + kCrop, static_cast<int8_t>(f.crop));
    Store(at + kPadding, static_cast<int8_t>(f.padding));
    Store(at + kCropX, f.crop_x);
    Store(at + kCropY, f.crop_y);
    Store(at + kCropW, f.crop_w);
    Store(at + kCropH, f.crop_h);
    Store(at + kPadTop, f.pad_top);
    Store(at + kPadBottom, f.pad_bottom);
    Store(at + kPadLeft, f.pad_left);
    Store(at + kPadRight, f.pad_right);
    Store(at + kMean, f.mean);
    for (size_t c = 0; c < 4; ++c) {
      Store(at + kMin + 2 * c, F32ToF16(f.min[c]));
      Store(at + kVarReci + 2 * c, F32ToF16(f.var_reci[c]));
    }
    at += kAippFrameBytes;
  }
}

size_t AippBlockFrames(std::span<const std::byte> block) {
  if (block.size() < kAippHeadBytes) return 0;
  if (Load<uint8_t>(block.data() + kFormat) == 0) return 0;
  return Load<uint8_t>(block.data() + kBatch);
}

Status ReadAippFrame(std::span<const std::byte> block, size_t index, AippFrame& f) {
  if (AippBlockFrames(block) == 0)
    return Status(Code::kInvalidArgument, "the parameter block has not been written");
  if (block.size() < AippBlockBytes(index + 1))
    return Status(Code::kInvalidArgument, StrCat("the parameter block has ", block.size(),
                                                 " bytes, image ", index, " needs ",
                                                 AippBlockBytes(index + 1)));
  const std::byte* head = block.data();
  f.format = static_cast<PixelFormat>(Load<uint8_t>(head + kFormat));
  f.csc = Load<int8_t>(head + kCsc) != 0;
  f.rbuv_swap = Load<int8_t>(head + kRbuvSwap) != 0;
  f.ax_swap = Load<int8_t>(head + kAxSwap) != 0;
  f.src_w = Load<int32_t>(head + kSrcW);
  f.src_h = Load<int32_t>(head + kSrcH);
  f.matrix = Load<std::array<int16_t, 9>>(head + kMatrix);
  f.output_bias = Load<std::array<uint8_t, 3>>(head + kOutputBias);
  f.input_bias = Load<std::array<uint8_t, 3>>(head + kInputBias);
  const std::byte* at = head + kAippHeadBytes + index * kAippFrameBytes;
  if (Load<int8_t>(at + kScale) != 0)
    return Status(Code::kInvalidArgument, "scaling of images is not available");
  f.crop = Load<int8_t>(at + kCrop) != 0;
  f.padding = Load<int8_t>(at + kPadding) != 0;
  f.crop_x = Load<int32_t>(at + kCropX);
  f.crop_y = Load<int32_t>(at + kCropY);
  f.crop_w = Load<int32_t>(at + kCropW);
  f.crop_h = Load<int32_t>(at + kCropH);
  f.pad_top = Load<int32_t>(at + kPadTop);
  f.pad_bottom = Load<int32_t>(at + kPadBottom);
  f.pad_left = Load<int32_t>(at + kPadLeft);
  f.pad_right = Load<int32_t>(at + kPadRight);
  f.pad_value = 0;
  f.mean = Load<std::array<int16_t, 4>>(at + kMean);
  for (size_t c = 0; c < 4; ++c) {
    f.min[c] = F16ToF32(Load<uint16_t>(at + kMin + 2 * c));
    f.var_reci[c] = F16ToF32(Load<uint16_t>(at + kVarReci + 2 * c));
  }
  return OkStatus();
}

}  // namespace cairn
