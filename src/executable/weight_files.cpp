// SPDX-License-Identifier: Apache-2.0
// Table and loading of external weights.
#include "executable/weight_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/hash.h"
#include "executable/om_format.h"

namespace cairn {
namespace {

constexpr size_t kFixedBytes = 4 * sizeof(uint64_t) + sizeof(uint32_t);

void Append(std::vector<std::byte>& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

Status Corrupt(std::string_view what) {
  return Status(Code::kDataCorrupt, StrCat("the list of weight files is damaged: ", what));
}

bool StaysBelow(std::string_view name) {
  return !name.empty() && name[0] != '/' && name.find("..") == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

/// A whole file mapped read-only.
Result<LoadedWeights> MapWhole(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat state {};
  if (descriptor < 0 || fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode)) {
    const int error = descriptor < 0 ? errno : EINVAL;
    if (descriptor >= 0) close(descriptor);
    return Status(error == ENOENT ? Code::kNotFound : Code::kIoError,
                  StrCat("cannot open the weight file '", path, "': ", std::strerror(error)));
  }
  const auto size = static_cast<size_t>(state.st_size);
  LoadedWeights file;
  if (size > 0) {
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory != MAP_FAILED) {
      file.owner = {memory, [size](const void* at) { munmap(const_cast<void*>(at), size); }};
      file.bytes = {static_cast<const std::byte*>(memory), size};
    }
  }
  close(descriptor);
  if (size > 0 && !file.owner) {
    return Status(Code::kIoError, StrCat("cannot map the weight file '", path, "'"));
  }
  return file;
}

/// The piece inside its mapped file.
Result<std::span<const std::byte>> PieceOf(const LoadedWeights& whole, const WeightFile& file,
                                           const std::string& path) {
  if (file.file_offset > whole.bytes.size() || file.bytes > whole.bytes.size() - file.file_offset) {
    return Status(Code::kDataCorrupt,
                  StrCat("the weight file '", path, "' has ", whole.bytes.size(),
                         " bytes, the model needs ", file.file_offset + file.bytes));
  }
  const auto piece = whole.bytes.subspan(file.file_offset, file.bytes);
  if (HashBytes(piece) != file.hash) {
    return Status(Code::kDataCorrupt,
                  StrCat("the weight file '", path, "' is not the one the model was built with"));
  }
  return piece;
}

Result<LoadedWeights> Gather(const std::string& folder, std::span<const WeightFile> files) {
  const uint64_t total = files.back().offset + files.back().bytes;
  const uint64_t size = (total + kOmWeightAlign - 1) / kOmWeightAlign * kOmWeightAlign;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(kOmWeightAlign, size));
  if (!memory) return Status(Code::kOutOfMemory, StrCat("no memory for ", size, " weight bytes"));
  LoadedWeights weights;
  weights.owner = {memory, [](const void* at) { std::free(const_cast<void*>(at)); }};
  weights.bytes = {memory, static_cast<size_t>(total)};
  std::memset(memory, 0, size);
  for (const WeightFile& file : files) {
    const std::string path = StrCat(folder, "/", file.name);
    ASSIGN_OR_RETURN(const LoadedWeights whole, MapWhole(path));
    ASSIGN_OR_RETURN(const auto piece, PieceOf(whole, file, path));
    if (!piece.empty()) std::memcpy(memory + file.offset, piece.data(), piece.size());
  }
  return weights;
}

}  // namespace

std::vector<std::byte> WriteWeightFileTable(std::span<const WeightFile> files) {
  std::vector<std::byte> out;
  const auto count = static_cast<uint32_t>(files.size());
  Append(out, &count, sizeof(count));
  for (const WeightFile& file : files) {
    const uint64_t numbers[4] = {file.offset, file.file_offset, file.bytes, file.hash};
    Append(out, numbers, sizeof(numbers));
    const auto length = static_cast<uint32_t>(file.name.size());
    Append(out, &length, sizeof(length));
    Append(out, file.name.data(), file.name.size());
  }
  return out;
}

Result<std::vector<WeightFile>> ReadWeightFileTable(std::span<const std::byte> bytes) {
  uint32_t count = 0;
  if (bytes.size() < sizeof(count)) return Corrupt("it is empty");
  std::memcpy(&count, bytes.data(), sizeof(count));
  bytes = bytes.subspan(sizeof(count));
  if (count == 0 || count > bytes.size() / kFixedBytes) return Corrupt("its count is wrong");
  std::vector<WeightFile> files;
  uint64_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (bytes.size() < kFixedBytes) return Corrupt("it is cut short");
    uint64_t numbers[4];
    uint32_t length = 0;
    std::memcpy(numbers, bytes.data(), sizeof(numbers));
    std::memcpy(&length, bytes.data() + sizeof(numbers), sizeof(length));
    bytes = bytes.subspan(kFixedBytes);
    if (length > bytes.size()) return Corrupt("a name is cut short");
    WeightFile file{{reinterpret_cast<const char*>(bytes.data()), length},
                    numbers[0],
                    numbers[1],
                    numbers[2],
                    numbers[3]};
    bytes = bytes.subspan(length);
    if (!StaysBelow(file.name)) return Corrupt("a name leaves the folder of the model");
    const bool in_order = file.offset >= end && file.offset - end <= kOmPageBytes;
    if (!in_order || file.bytes > UINT64_MAX / 4 || file.file_offset > UINT64_MAX / 4) {
      return Corrupt("its pieces do not follow each other");
    }
    end = file.offset + file.bytes;
    files.push_back(std::move(file));
  }
  if (bytes.size() >= kOmWeightAlign) return Corrupt("bytes follow its end");
  return files;
}

Result<LoadedWeights> LoadWeightFiles(const std::string& folder,
                                      std::span<const WeightFile> files) {
  if (files.size() != 1 || files[0].offset != 0 || files[0].file_offset != 0) {
    return Gather(folder, files);
  }
  const std::string path = StrCat(folder, "/", files[0].name);
  ASSIGN_OR_RETURN(LoadedWeights whole, MapWhole(path));
  ASSIGN_OR_RETURN(whole.bytes, PieceOf(whole, files[0], path));
  return whole;
}

}  // namespace cairn
