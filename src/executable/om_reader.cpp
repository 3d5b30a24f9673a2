// SPDX-License-Identifier: Apache-2.0
// Checks of an `.om` container; FromMemory is a pure function of untrusted bytes.
#include "executable/om_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "executable/program_file.h"
#include "executable/weight_files.h"

namespace cairn {
namespace {

constexpr uint32_t kMinPartitions = 1;
constexpr uint32_t kMaxPartitions = 8;
constexpr uint32_t kMaxPartitionType = 32;
constexpr uint32_t kFlowSubmodel = 7;  // The one type that a file may hold several times.
constexpr const char* kRebuild =
    "build it from the original model with: atc --model=<model>.onnx --framework=5 "
    "--output=<name> --soc_version=native";

Status Corrupt(std::string message) { return Status(Code::kDataCorrupt, std::move(message)); }

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
T ReadAt(std::span<const std::byte> bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string FixedText(const char* text, size_t size) {
  return std::string(text, strnlen(text, size));
}

bool HoldsProgram(std::span<const std::byte> task_info) {
  return AsText(task_info).starts_with({kProgramMagic, sizeof(kProgramMagic)});
}

// What a file without the magic number probably is.
Status NotAnOm(std::span<const std::byte> bytes) {
  const std::string_view text = AsText(bytes);
  std::string kind = "not an offline model (no IMOD at its start)";
  if (text.starts_with("PK\x03\x04")) {
    kind = "a zip archive, perhaps an .om2 package, which is not supported";
  } else if (text.starts_with("version https://git-lfs")) {
    kind = "a Git LFS pointer, not the model itself";
  } else if (text.starts_with('\x08') && text.substr(0, 4096).find(':') != std::string_view::npos) {
    kind = "not an offline model; it looks like an ONNX model, which atc must compile first";
  }
  return Status(Code::kInvalidModel, StrCat("the file is ", kind, "; ", kRebuild));
}

}  // namespace

Result<OmFile> OmFile::Map(const std::string& path) { return Open(path, false); }
Result<OmFile> OmFile::MapForViewing(const std::string& path) { return Open(path, true); }

Result<OmFile> OmFile::Open(const std::string& path, bool viewing) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat state {};
  if (descriptor < 0 || fstat(descriptor, &state) != 0) {
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    return Status(error == ENOENT ? Code::kNotFound : Code::kIoError,
                  StrCat("cannot open '", path, "': ", std::strerror(error)));
  }
  const auto size = static_cast<size_t>(state.st_size);
  if (!S_ISREG(state.st_mode) || size == 0) {
    close(descriptor);
    return Status(Code::kInvalidModel,
                  StrCat("'", path, "' is ", S_ISREG(state.st_mode) ? "empty" : "not a file"));
  }
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int error = errno;
  close(descriptor);
  if (memory == MAP_FAILED) {
    return Status(Code::kIoError, StrCat("cannot map '", path, "': ", std::strerror(error)));
  }
  std::shared_ptr<const void> owner(
      memory, [size](const void* address) { munmap(const_cast<void*>(address), size); });
  Result<OmFile> file = Read({static_cast<const std::byte*>(memory), size}, viewing);
  if (!file.ok()) return file.status().WithContext(StrCat("'", path, "'"));
  file->owner_ = std::move(owner);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  file->folder_ = folder.empty() ? "." : folder;
  return file;
}

Result<OmFile> OmFile::FromMemory(std::span<const std::byte> bytes) { return Read(bytes, false); }

Result<OmFile> OmFile::Read(std::span<const std::byte> bytes, bool viewing) {
  OmFile file;
  file.viewing_ = viewing;
  RETURN_IF_ERROR(file.ReadHeader(bytes));
  RETURN_IF_ERROR(file.ReadTable(bytes.subspan(sizeof(OmHeader))));
  RETURN_IF_ERROR(file.CheckChecksum());
  return file;
}

Status OmFile::ReadHeader(std::span<const std::byte> bytes) {
  if (bytes.size() < 4 || !AsText(bytes).starts_with("IMOD")) return NotAnOm(bytes);
  if (bytes.size() < sizeof(OmHeader)) {
    return Corrupt(StrCat("the file is cut short: ", bytes.size(), " bytes, the header alone has ",
                          sizeof(OmHeader)));
  }
  header_ = ReadAt<OmHeader>(bytes, 0);
  if (header_.header_bytes != sizeof(OmHeader)) {
    return Corrupt(StrCat("header size is ", header_.header_bytes, ", expected 256"));
  }
  const uint64_t payload = bytes.size() - sizeof(OmHeader);
  const uint64_t stated =
      header_.payload_bytes != 0 ? header_.payload_bytes : header_.legacy_length;
  if (stated != payload) {
    return Corrupt(StrCat("the header states ", stated, " bytes after it, the file has ", payload,
                          payload < stated ? " (cut short)" : ""));
  }
  if (header_.is_encrypted != 0) {
    return Status(Code::kUnsupported, "the model is encrypted, which is not supported");
  }
  // Open shapes in one part are for the program to judge.
  const bool has_parts = header_.version >= kOmVersion && header_.model_num > 1;
  if (!viewing_ && (header_.model_type > 1 || has_parts)) {
    return Status(Code::kUnsupported,
                  StrCat("the file is of model type ", int{header_.model_type}, " with ",
                         header_.model_num, " parts; expected one plain model; ", kRebuild));
  }
  return OkStatus();
}

// Walks either table layout; partitions must follow each other and fill the payload.
Status OmFile::ReadTable(std::span<const std::byte> payload) {
  const bool wide = header_.payload_bytes != 0;
  const uint64_t head_bytes = wide ? 8 : 4;
  const uint64_t entry_bytes = wide ? sizeof(OmPartitionEntry) : 12;
  if (payload.size() < head_bytes) return Corrupt("the partition table is missing");
  const auto count = ReadAt<uint32_t>(payload, 0);
  if (count < kMinPartitions || count > kMaxPartitions) {
    return Corrupt(StrCat("the table has ", count, " partitions, expected 1 to 8"));
  }
  const uint64_t table_bytes = head_bytes + count * entry_bytes;
  if (payload.size() < table_bytes) return Corrupt("the partition table is cut short");
  table_ = payload.first(table_bytes);
  payload = payload.subspan(table_bytes);
  uint64_t expected_offset = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = head_bytes + i * entry_bytes;
    const auto type = ReadAt<uint32_t>(table_, at);
    const uint64_t offset =
        wide ? ReadAt<uint64_t>(table_, at + 8) : ReadAt<uint32_t>(table_, at + 4);
    const uint64_t size =
        wide ? ReadAt<uint64_t>(table_, at + 16) : ReadAt<uint32_t>(table_, at + 8);
    if (type > kMaxPartitionType) return Corrupt(StrCat("partition ", i, " has type ", type));
    const bool occurs =
        std::ranges::any_of(entries_, [&](const Entry& e) { return e.type == type; });
    if (occurs && !(viewing_ && type == kFlowSubmodel)) {
      return Corrupt(StrCat("partition type ", type, " occurs twice"));
    }
    if (offset != expected_offset || size > payload.size() - offset) {
      return Corrupt(StrCat("partition ", i, " (type ", type, ") lies at ", offset, " with ", size,
                            " bytes, expected to start at ", expected_offset, " and to end by ",
                            payload.size()));
    }
    entries_.push_back({type, payload.subspan(offset, size)});
    expected_offset = offset + size;
  }
  const bool more_parts = viewing_ && header_.model_num > 1;
  if (expected_offset != payload.size() && !more_parts) {
    return Corrupt(StrCat(payload.size() - expected_offset, " bytes follow the last partition"));
  }
  if (std::ranges::none_of(entries_, [](const Entry& e) {
        return e.type == static_cast<uint32_t>(OmPartition::kModelDef);
      })) {
    return Corrupt("the model definition (partition 0) is missing");
  }
  return OkStatus();
}

// Files with a Cairn program carry a checksum over header, table and inout info.
Status OmFile::CheckChecksum() const {
  const bool has_program = HoldsProgram(partition(OmPartition::kTaskInfo));
  if (!has_program && header_.cairn_checksum == 0) return OkStatus();
  const uint64_t found = OmChecksum(header_, table_, partition(OmPartition::kInoutInfo));
  if (found != header_.cairn_checksum) {
    return Corrupt("the checksum of header and tables does not match: the file is damaged");
  }
  return has_program ? OkStatus() : Corrupt("the start of the program is damaged");
}

std::string OmFile::model_name() const { return FixedText(header_.name, sizeof(header_.name)); }

std::span<const std::byte> OmFile::partition(OmPartition type) const {
  for (const Entry& entry : entries_) {
    if (entry.type == static_cast<uint32_t>(type)) return entry.bytes;
  }
  return {};
}

// Weights in files replace the partition that is not there.
Status OmFile::LoadExternalWeights(ProgramImage& image) {
  const auto table = partition(OmPartition::kWeightFiles);
  if (table.empty() || !image.weights.empty()) return OkStatus();
  ASSIGN_OR_RETURN(const std::vector<WeightFile> files, ReadWeightFileTable(table));
  if (folder_.empty()) {
    return Status(Code::kFailedPrecondition,
                  StrCat("the weights of model '", model_name(), "' lie in files such as '",
                         files[0].name, "' beside it: load it from its file, not from memory"));
  }
  ASSIGN_OR_RETURN(LoadedWeights weights, LoadWeightFiles(folder_, files));
  image.weights = weights.bytes;
  external_weights_ = std::move(weights.owner);
  return OkStatus();
}

Result<ProgramImage> OmFile::Image() {
  ProgramImage image{partition(OmPartition::kTaskInfo), partition(OmPartition::kWeights)};
  if (!HoldsProgram(image.program)) {
    return Status(Code::kIncompatible,
                  StrCat("model '", model_name(),
                         "' was compiled for NPU hardware: it holds no program that this device "
                         "can run; ",
                         kRebuild));
  }
  RETURN_IF_ERROR(LoadExternalWeights(image));
  for (std::span<const std::byte>* part : {&image.program, &image.weights}) {
    if (reinterpret_cast<uintptr_t>(part->data()) % kOmWeightAlign == 0) continue;
    const size_t size = (part->size() + kOmWeightAlign - 1) / kOmWeightAlign * kOmWeightAlign;
    auto* copy = static_cast<std::byte*>(std::aligned_alloc(kOmWeightAlign, size));
    if (copy == nullptr) {
      return Status(Code::kOutOfMemory, StrCat("cannot allocate ", size, " bytes for the model"));
    }
    copies_.emplace_back(copy, [](std::byte* memory) { std::free(memory); });
    std::memcpy(copy, part->data(), part->size());
    *part = {copy, part->size()};
  }
  return image;
}

}  // namespace cairn
