// SPDX-License-Identifier: Apache-2.0
// UTF-8 and letter case without a locale.
#include "ops/text/strings.h"

namespace cairn {
namespace {

/// Length of the character that `lead` begins; 1 for bytes that begin none.
size_t CharacterLength(unsigned char lead) {
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 1;
}

bool IsBetween(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

/// Blocks where upper and lower case letters lie side by side, upper first.
bool IsPaired(char32_t c, bool* upper_is_odd) {
  *upper_is_odd = IsBetween(c, 0x139, 0x148) || IsBetween(c, 0x179, 0x17E);
  return *upper_is_odd || IsBetween(c, 0x100, 0x12F) || IsBetween(c, 0x132, 0x137) ||
         IsBetween(c, 0x14A, 0x177) || IsBetween(c, 0x460, 0x481) || IsBetween(c, 0x48A, 0x4BF) ||
         IsBetween(c, 0x4D0, 0x52F);
}

char32_t ToUpper(char32_t c) {
  if (IsBetween(c, 'a', 'z') || (IsBetween(c, 0xE0, 0xFE) && c != 0xF7)) return c - 32;
  if (IsBetween(c, 0x3B1, 0x3C9) && c != 0x3C2) return c - 32;
  if (IsBetween(c, 0x430, 0x44F)) return c - 32;
  if (IsBetween(c, 0x450, 0x45F)) return c - 80;
  bool odd = false;
  if (IsPaired(c, &odd) && (c % 2 == 1) != odd) return c - 1;
  return c;
}

char32_t ToLower(char32_t c) {
  if (IsBetween(c, 'A', 'Z') || (IsBetween(c, 0xC0, 0xDE) && c != 0xD7)) return c + 32;
  if (IsBetween(c, 0x391, 0x3A9) && c != 0x3A2) return c + 32;
  if (IsBetween(c, 0x410, 0x42F)) return c + 32;
  if (IsBetween(c, 0x400, 0x40F)) return c + 80;
  bool odd = false;
  if (IsPaired(c, &odd) && (c % 2 == 1) == odd) return c + 1;
  return c;
}

}  // namespace

std::vector<char32_t> CodePoints(std::string_view text) {
  std::vector<char32_t> points;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = CharacterLength(lead);
    char32_t point = length == 1 ? lead : lead & (0x7Fu >> length);
    bool valid = i + length <= text.size();
    for (size_t k = 1; valid && k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      valid = (byte & 0xC0) == 0x80;
      point = (point << 6) | (byte & 0x3Fu);
    }
    points.push_back(valid ? point : lead);
    i += valid ? length : 1;
  }
  return points;
}

std::string ToUtf8(const std::vector<char32_t>& points) {
  std::string text;
  for (const char32_t c : points) {
    if (c < 0x80) {
      text += static_cast<char>(c);
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    const unsigned lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
    text += static_cast<char>(lead | (c >> (6 * more)));
    for (int k = more - 1; k >= 0; --k) {
      text += static_cast<char>(0x80 | ((c >> (6 * k)) & 0x3F));
    }
  }
  return text;
}

std::string ChangeCase(std::string_view text, bool to_upper) {
  std::vector<char32_t> points = CodePoints(text);
  for (char32_t& c : points) c = to_upper ? ToUpper(c) : ToLower(c);
  return ToUtf8(points);
}

}  // namespace cairn
