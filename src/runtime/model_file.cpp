// SPDX-License-Identifier: Apache-2.0
// Opens containers and keeps them alive.
#include "runtime/model_file.h"

#include <cstring>
#include <filesystem>
#include <vector>

#include "executable/om_reader.h"

namespace cairn::runtime {
namespace {

/// A container with the copied bytes it refers to, if any.
struct Holder {
  std::vector<std::byte> bytes;
  std::optional<OmFile> file;
};

Result<ModelFile> WithImage(std::shared_ptr<Holder> holder, const std::string& what) {
  Result<ProgramImage> image = holder->file->Image();
  if (!image.ok()) return image.status().WithContext(what);
  return ModelFile{std::move(holder), *image};
}

}  // namespace

Result<ModelFile> MapModelFile(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) == 0)
    return Status(Code::kIoError, StrCat("'", path, "' is empty"));
  auto holder = std::make_shared<Holder>();
  ASSIGN_OR_RETURN(holder->file, OmFile::Map(path));
  return WithImage(std::move(holder), StrCat("'", path, "'"));
}

Result<ModelFile> CopyModel(std::span<const std::byte> bytes, const std::string& what) {
  auto holder = std::make_shared<Holder>();
  holder->bytes.assign(bytes.begin(), bytes.end());
  Result<OmFile> file = OmFile::FromMemory(holder->bytes);
  if (!file.ok()) return file.status().WithContext(what);
  holder->file = std::move(*file);
  return WithImage(std::move(holder), what);
}

}  // namespace cairn::runtime
