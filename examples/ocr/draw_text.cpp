// SPDX-License-Identifier: Apache-2.0
// FreeType: one glyph after another on a baseline.
#include "ocr/draw_text.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <memory>
#include <vector>

namespace ocr {
namespace {

using cairn::Code;
using cairn::Status;
using cairn::StrCat;

/// Code points of valid UTF-8; bytes of other text are taken one by one.
std::vector<uint32_t> CodePoints(const std::string& text) {
  std::vector<uint32_t> points;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t length = lead < 0x80    ? 1
                          : lead >= 0xf0 ? 4
                          : lead >= 0xe0 ? 3
                          : lead >= 0xc0 ? 2
                                         : 1;
    uint32_t point = length == 1 ? lead : lead & (0xffu >> (length + 1));
    for (size_t k = 1; k < length && i + k < text.size(); ++k)
      point = point << 6 | (static_cast<uint8_t>(text[i + k]) & 0x3fu);
    points.push_back(point);
    i += length;
  }
  return points;
}

struct LibraryDeleter {
  void operator()(FT_Library library) const { FT_Done_FreeType(library); }
};
struct FaceDeleter {
  void operator()(FT_Face face) const { FT_Done_Face(face); }
};
using Library = std::unique_ptr<FT_LibraryRec_, LibraryDeleter>;
using Face = std::unique_ptr<FT_FaceRec_, FaceDeleter>;

/// Darkens `picture` by the coverage of the face's current glyph.
void Paint(const FT_GlyphSlot glyph, int pen_x, int baseline, cairn::image::Image& picture) {
  const FT_Bitmap& bitmap = glyph->bitmap;
  for (int row = 0; row < static_cast<int>(bitmap.rows); ++row) {
    for (int column = 0; column < static_cast<int>(bitmap.width); ++column) {
      const int x = pen_x + glyph->bitmap_left + column, y = baseline - glyph->bitmap_top + row;
      if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
      const auto value = static_cast<uint8_t>(255 - bitmap.buffer[row * bitmap.pitch + column]);
      for (int c = 0; c < 3; ++c) picture.at(x, y)[c] = std::min(picture.at(x, y)[c], value);
    }
  }
}

}  // namespace

cairn::Result<cairn::image::Image> DrawText(const std::string& text, const std::string& font,
                                            int pixels) {
  FT_Library raw_library = nullptr;
  if (FT_Init_FreeType(&raw_library) != 0) return Status(Code::kInternal, "FreeType cannot start");
  const Library library(raw_library);
  FT_Face raw_face = nullptr;
  if (FT_New_Face(library.get(), font.c_str(), 0, &raw_face) != 0)
    return Status(Code::kIoError, StrCat(font, ": no such font (Debian: fonts-dejavu-core)"));
  const Face face(raw_face);
  if (FT_Set_Pixel_Sizes(face.get(), 0, static_cast<FT_UInt>(pixels)) != 0)
    return Status(Code::kInvalidArgument, StrCat(font, ": has no size of ", pixels, " pixels"));

  const std::vector<uint32_t> points = CodePoints(text);
  int advance = 0;
  for (const uint32_t point : points) {
    if (FT_Load_Char(face.get(), point, FT_LOAD_DEFAULT) != 0 ||
        FT_Get_Char_Index(face.get(), point) == 0)
      return Status(Code::kInvalidArgument, StrCat(font, ": has no character ", point));
    advance += static_cast<int>(face->glyph->advance.x >> 6);
  }
  const int margin = pixels / 2;
  cairn::image::Image picture(advance + 2 * margin, 2 * pixels, 255);
  int pen_x = margin;
  for (const uint32_t point : points) {
    if (FT_Load_Char(face.get(), point, FT_LOAD_RENDER) != 0) continue;
    Paint(face->glyph, pen_x, pixels + margin / 2, picture);
    pen_x += static_cast<int>(face->glyph->advance.x >> 6);
  }
  return picture;
}

}  // namespace ocr
