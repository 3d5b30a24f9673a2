// SPDX-License-Identifier: Apache-2.0
// Mapped files, and the parsing of a model's bytes into its protobuf form.
#include "frontend/onnx/model_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <string_view>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

namespace cairn::onnx {
namespace {

constexpr int64_t kMinIrVersion = 3;

Status SystemError(const std::string& path, std::string_view what) {
  const Code code = errno == ENOENT ? Code::kNotFound : Code::kIoError;
  return Status(code, StrCat("cannot ", what, " '", path, "': ", std::strerror(errno)));
}

/// A guess at what bytes that are no ONNX model are; "" when nothing is recognised.
std::string_view LooksLike(std::string_view bytes) {
  if (bytes.starts_with("PK\x03\x04")) return "a zip archive (a PyTorch checkpoint?)";
  if (bytes.starts_with("IMOD")) return "a compiled .om model";
  if (bytes.starts_with("version https://git-lfs")) return "a Git LFS pointer, not the file itself";
  if (bytes.starts_with("\x89HDF")) return "an HDF5 file (a Keras model?)";
  if (bytes.size() > 8 && bytes.substr(4, 4) == "TFL3") return "a TensorFlow Lite model";
  if (bytes.starts_with("<")) return "an XML or HTML document";
  return "";
}

Status NotAModel(std::span<const std::byte> bytes, std::string_view problem) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view guess = LooksLike(text);
  return Status(Code::kInvalidModel, guess.empty()
                                         ? StrCat("is not a valid ONNX model: ", problem)
                                         : StrCat("is not an ONNX model but looks like ", guess));
}

}  // namespace

Result<MappedFile> MapFile(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return SystemError(path, "open");
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    const Status status = SystemError(path, "read");
    ::close(fd);
    return status;
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    return Status(Code::kIoError, StrCat("'", path, "' is not a regular file"));
  }
  const auto size = static_cast<size_t>(info.st_size);
  MappedFile file;
  if (size > 0) {
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (memory == MAP_FAILED) {
      const Status status = SystemError(path, "map");
      ::close(fd);
      return status;
    }
    file.owner = std::shared_ptr<const void>(
        memory, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
    file.bytes = {static_cast<const std::byte*>(memory), size};
  }
  ::close(fd);
  return file;
}

Result<std::unique_ptr<ModelProto>> ParseModel(std::span<const std::byte> bytes) {
  if (bytes.empty()) return Status(Code::kInvalidModel, "is empty");
  if (bytes.size() > static_cast<size_t>(INT_MAX)) {
    return Status(Code::kInvalidModel,
                  StrCat("has ", bytes.size(), " bytes, a protobuf file at most ", INT_MAX,
                         "; store the weights as external data"));
  }
  auto model = std::make_unique<ModelProto>();
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(INT_MAX);
  if (!model->ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    return NotAModel(bytes, "its protobuf encoding is damaged or truncated");
  }
  if (!model->has_graph()) return NotAModel(bytes, "it has no graph");
  if (model->ir_version() < kMinIrVersion) {
    return NotAModel(bytes, StrCat("its IR version is ", model->ir_version(),
                                   ", expected at least ", kMinIrVersion));
  }
  if (model->opset_import().empty()) return NotAModel(bytes, "it imports no operator set");
  return model;
}

}  // namespace cairn::onnx
