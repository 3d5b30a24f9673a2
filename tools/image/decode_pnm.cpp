// SPDX-License-Identifier: Apache-2.0
// Binary PGM (P5) and PPM (P6) with 8 bits per sample.
#include <algorithm>
#include <cctype>

#include "image/image.h"

namespace cairn::image {
namespace {

/// The next decimal number of the header after blanks and comments; -1 when there is none.
long NextNumber(std::span<const uint8_t> bytes, size_t& pos) {
  while (pos < bytes.size() && (std::isspace(bytes[pos]) != 0 || bytes[pos] == '#')) {
    if (bytes[pos] == '#')
      while (pos < bytes.size() && bytes[pos] != '\n') ++pos;
    else
      ++pos;
  }
  if (pos == bytes.size() || std::isdigit(bytes[pos]) == 0) return -1;
  long value = 0;
  for (; pos < bytes.size() && std::isdigit(bytes[pos]) != 0; ++pos)
    value = std::min(value * 10 + (bytes[pos] - '0'), 1000000L);
  return value;
}

}  // namespace

Result<Image> DecodePnm(std::span<const uint8_t> bytes) {
  const size_t channels = bytes[1] == '6' ? 3 : 1;
  size_t pos = 2;
  const long width = NextNumber(bytes, pos);
  const long height = NextNumber(bytes, pos);
  const long max_value = NextNumber(bytes, pos);
  if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide)
    return Status(Code::kDataCorrupt, StrCat("PNM: size ", width, " x ", height, ", expected 1 to ",
                                             kMaxSide, " a side"));
  if (max_value != 255)
    return Status(Code::kUnsupported, StrCat("PNM: maximum value ", max_value, ", expected 255"));
  ++pos;  // The single blank between header and samples.
  const size_t samples = static_cast<size_t>(width) * height * channels;
  if (pos > bytes.size() || bytes.size() - pos < samples)
    return Status(Code::kDataCorrupt, StrCat("PNM: ", bytes.size() - std::min(pos, bytes.size()),
                                             " bytes of samples, expected ", samples));
  Image image(static_cast<int>(width), static_cast<int>(height));
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = bytes[pos + (channels == 3 ? i : i / 3)];
  return image;
}

}  // namespace cairn::image
