// SPDX-License-Identifier: Apache-2.0
// PNG through libpng's simplified interface.
#include <png.h>

#include "image/image.h"

namespace cairn::image {

Result<Image> DecodePng(std::span<const uint8_t> bytes) {
  png_image info{};
  info.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&info, bytes.data(), bytes.size()) == 0)
    return Status(Code::kDataCorrupt, StrCat("PNG: ", info.message));
  if (info.width > kMaxSide || info.height > kMaxSide) {
    png_image_free(&info);
    return Status(Code::kUnsupported, StrCat("PNG: ", info.width, " x ", info.height,
                                             " pixels, at most ", kMaxSide, " a side are read"));
  }
  info.format = PNG_FORMAT_RGB;
  Image image(static_cast<int>(info.width), static_cast<int>(info.height));
  const png_color white{255, 255, 255};
  if (png_image_finish_read(&info, &white, image.pixels.data(), 0, nullptr) == 0) {
    png_image_free(&info);
    return Status(Code::kDataCorrupt, StrCat("PNG: ", info.message));
  }
  return image;
}

}  // namespace cairn::image
