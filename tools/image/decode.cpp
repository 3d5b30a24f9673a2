// SPDX-License-Identifier: Apache-2.0
// Reads a picture file and chooses the decoder by its first bytes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "image/image.h"

namespace cairn::image {
namespace {

bool StartsWith(std::span<const uint8_t> bytes, std::initializer_list<uint8_t> magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

Result<Image> Decode(std::span<const uint8_t> bytes) {
  if (StartsWith(bytes, {0xff, 0xd8, 0xff})) return DecodeJpeg(bytes);
  if (StartsWith(bytes, {0x89, 'P', 'N', 'G'})) return DecodePng(bytes);
  if (StartsWith(bytes, {'P', '5'}) || StartsWith(bytes, {'P', '6'})) return DecodePnm(bytes);
  return Status(Code::kUnsupported, "not a JPEG, PNG, PGM (P5) or PPM (P6) picture");
}

}  // namespace

Result<Image> ReadImage(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return Status(Code::kIoError, StrCat(path, ": is a folder, expected a picture"));
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(Code::kIoError, StrCat(path, ": cannot be opened"));
  const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return Status(Code::kIoError, StrCat(path, ": cannot be read"));
  const auto* data = reinterpret_cast<const uint8_t*>(content.data());
  Result<Image> image = Decode({data, content.size()});
  if (!image.ok()) return image.status().WithContext(path);
  return image;
}

}  // namespace cairn::image
