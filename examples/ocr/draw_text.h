// SPDX-License-Identifier: Apache-2.0
// Draws a line of text with a TrueType font.
#pragma once

#include <string>

#include "base/status.h"
#include "image/image.h"

namespace ocr {

/// Black `text` (UTF-8) on white with a margin of half the `pixels` height. kIoError when the font
/// cannot be read, kInvalidArgument when it lacks a character.
cairn::Result<cairn::image::Image> DrawText(const std::string& text, const std::string& font,
                                            int pixels);

}  // namespace ocr
