// SPDX-License-Identifier: Apache-2.0
// Tensor contents that lie in files beside the model.
#include "frontend/onnx/external_data.h"

#include <charconv>
#include <cstring>
#include <filesystem>

namespace cairn::onnx {
namespace {

namespace fs = std::filesystem;

struct Location {
  std::string file;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

Result<uint64_t> ParseSize(const StringPairProto& entry) {
  const std::string& text = entry.value();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Status(Code::kInvalidModel, StrCat("external data: '", entry.key(), "' is '", text,
                                              "', expected a non-negative integer"));
  }
  return value;
}

Result<Location> ParseLocation(const TensorProto& proto) {
  Location location;
  for (const StringPairProto& entry : proto.external_data()) {
    if (entry.key() == "location") {
      location.file = entry.value();
    } else if (entry.key() == "offset") {
      ASSIGN_OR_RETURN(location.offset, ParseSize(entry));
    } else if (entry.key() == "length") {
      ASSIGN_OR_RETURN(location.length, ParseSize(entry));
    }
  }
  if (location.file.empty()) {
    return Status(Code::kInvalidModel, "external data: no 'location' is given");
  }
  return location;
}

Status Outside(const std::string& location, std::string_view why) {
  return Status(Code::kInvalidModel, StrCat("external data file '", location, "' ", why,
                                            "; only files inside the model's folder are read"));
}

}  // namespace

Result<MappedFile> ExternalData::Open(const std::string& location) {
  if (auto it = files_.find(location); it != files_.end()) return it->second;
  if (folder_.empty()) {
    return Status(Code::kInvalidModel,
                  StrCat("external data file '", location, "': the model has no folder"));
  }
  if (location.find('\0') != std::string::npos) return Outside(location, "has a bad name");
  const fs::path relative(location);
  if (relative.is_absolute()) return Outside(location, "is an absolute path");
  for (const fs::path& part : relative) {
    if (part == "..") return Outside(location, "leaves the folder by '..'");
  }
  std::error_code error;
  const fs::path root = fs::canonical(folder_, error);
  if (error) {
    return Status(Code::kIoError, StrCat("cannot read folder '", folder_, "': ", error.message()));
  }
  const fs::path file = fs::canonical(root / relative, error);
  if (error) {
    return Status(Code::kNotFound, StrCat("external data file '", (root / relative).string(),
                                          "': ", error.message()));
  }
  const fs::path inside = file.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") {
    return Outside(location, "is a symbolic link out of the folder");
  }
  ASSIGN_OR_RETURN(MappedFile mapped, MapFile(file.string()));
  files_[location] = mapped;
  return mapped;
}

Result<Tensor> ExternalData::Read(const TensorProto& proto, ElementType dtype, Shape shape) {
  ASSIGN_OR_RETURN(const Location location, ParseLocation(proto));
  if (dtype == ElementType::kString) {
    return Status(Code::kInvalidModel, "external data: strings must lie in the model file");
  }
  ASSIGN_OR_RETURN(const int64_t count, NumElements(shape));
  const size_t needed = ElementBytes(dtype, static_cast<size_t>(count));
  if (location.length && *location.length != needed) {
    return Status(Code::kInvalidModel,
                  StrCat("external data file '", location.file, "': length is ", *location.length,
                         " bytes, ", dtype, ShapeToString(shape), " needs ", needed));
  }
  ASSIGN_OR_RETURN(const MappedFile file, Open(location.file));
  if (location.offset > file.bytes.size() || needed > file.bytes.size() - location.offset) {
    return Status(
        Code::kInvalidModel,
        StrCat("external data file '", location.file, "' is too short: it has ", file.bytes.size(),
               " bytes, the tensor needs ", needed, " at offset ", location.offset));
  }
  const auto bytes = file.bytes.subspan(location.offset, needed);
  const size_t element = std::max<size_t>(1, static_cast<size_t>(ElementBits(dtype)) / 8);
  if (reinterpret_cast<uintptr_t>(bytes.data()) % std::min<size_t>(element, 8) != 0) {
    ASSIGN_OR_RETURN(Tensor copy, Tensor::Allocate(dtype, std::move(shape)));
    std::memcpy(copy.mutable_bytes(), bytes.data(), needed);
    return copy;
  }
  return Tensor::Wrap(dtype, std::move(shape), file.owner, bytes);
}

}  // namespace cairn::onnx
