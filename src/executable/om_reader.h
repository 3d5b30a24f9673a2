// SPDX-License-Identifier: Apache-2.0
// Opens an `.om` file: maps it, checks every field of header and table, hands out the partitions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/status.h"
#include "executable/om_format.h"
#include "executable/program.h"

namespace cairn {

/// A checked container. Spans live as long as the object; moving it keeps them.
class OmFile {
 public:
  /// Maps `path` read-only. Errors: kNotFound, kIoError, and those of FromMemory.
  static Result<OmFile> Map(const std::string& path);

  /// As Map for showing what is inside: files of several parts are opened too, and the partitions
  /// are those of the first part.
  static Result<OmFile> MapForViewing(const std::string& path);

  /// Refers to `bytes`, which must outlive the object. kInvalidModel: some other kind of file (the
  /// message says which); kDataCorrupt: cut short or damaged; kUnsupported: encrypted or
  /// multi-part files. Both table layouts (32 and 64 bits) are read.
  static Result<OmFile> FromMemory(std::span<const std::byte> bytes);

  const OmHeader& header() const { return header_; }
  std::string model_name() const;
  /// The partition, empty when the file has none of this type.
  std::span<const std::byte> partition(OmPartition type) const;

  /// Program and weights for the runtime, both aligned to kOmWeightAlign (copied when `bytes` of
  /// FromMemory were not). kIncompatible for a file without a Cairn program, such as a model
  /// compiled for NPU hardware; the message tells how to rebuild it. Weights in files beside the
  /// `.om` are loaded; their errors name the file, kFailedPrecondition when it came from memory.
  Result<ProgramImage> Image();

 private:
  OmFile() = default;
  static Result<OmFile> Open(const std::string& path, bool viewing);
  static Result<OmFile> Read(std::span<const std::byte> bytes, bool viewing);
  Status ReadHeader(std::span<const std::byte> bytes);
  Status ReadTable(std::span<const std::byte> payload);
  Status CheckChecksum() const;
  Status LoadExternalWeights(ProgramImage& image);

  struct Entry {
    uint32_t type;
    std::span<const std::byte> bytes;
  };
  OmHeader header_{};
  std::span<const std::byte> table_;
  std::vector<Entry> entries_;
  std::shared_ptr<const void> owner_;               // The mapping.
  std::shared_ptr<const void> external_weights_;
  std::string folder_;                              // Of the file; empty for bytes in memory.
  bool viewing_ = false;
  std::vector<std::shared_ptr<std::byte>> copies_;  // Aligned copies made by Image().
};

}  // namespace cairn
