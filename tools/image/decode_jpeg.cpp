// SPDX-License-Identifier: Apache-2.0
// JPEG through libjpeg; its error exit is turned into a Status.
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

#include "image/image.h"

namespace cairn::image {
namespace {

struct ErrorExit {
  jpeg_error_mgr base;
  std::jmp_buf target;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void OnError(j_common_ptr info) {
  auto* exit = reinterpret_cast<ErrorExit*>(info->err);
  info->err->format_message(info, exit->message);
  std::longjmp(exit->target, 1);
}

/// Warnings pass, but for the one that says that the rest of the picture is missing.
void OnMessage(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) OnError(info);
}

/// Runs between setjmp and longjmp: owns nothing with a destructor.
bool Decompress(std::span<const uint8_t> bytes, Image& image, ErrorExit& exit) {
  jpeg_decompress_struct info{};
  info.err = jpeg_std_error(&exit.base);
  exit.base.error_exit = OnError;
  exit.base.emit_message = OnMessage;
  if (setjmp(exit.target) != 0) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes.data(), bytes.size());
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  image = Image(static_cast<int>(info.output_width), static_cast<int>(info.output_height));
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = image.at(0, static_cast<int>(info.output_scanline));
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

}  // namespace

Result<Image> DecodeJpeg(std::span<const uint8_t> bytes) {
  Image image;
  ErrorExit exit{};
  if (!Decompress(bytes, image, exit))
    return Status(Code::kDataCorrupt, StrCat("JPEG: ", exit.message));
  return image;
}

}  // namespace cairn::image
