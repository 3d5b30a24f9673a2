// SPDX-License-Identifier: Apache-2.0
// Weights that lie in files beside the `.om`: the partition that lists them, and their loading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace cairn {

/// A piece of the weights section.
struct WeightFile {
  std::string name;          ///< Relative to the folder of the `.om`.
  uint64_t offset = 0;       ///< Of the piece in the section.
  uint64_t file_offset = 0;  ///< Of the piece in the file.
  uint64_t bytes = 0;
  uint64_t hash = 0;  ///< HashBytes of the piece.
};

/// The partition: u32 count, then for each piece four u64 (offset, file offset, bytes, hash), u32
/// length of the name, name. Up to kOmWeightAlign - 1 zeros may follow.
std::vector<std::byte> WriteWeightFileTable(std::span<const WeightFile> files);

/// Reads untrusted bytes. kDataCorrupt unless names stay below the folder and pieces follow each
/// other with gaps of at most a page.
Result<std::vector<WeightFile>> ReadWeightFileTable(std::span<const std::byte> bytes);

/// The weights section; `bytes` live as long as `owner`.
struct LoadedWeights {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// Maps a single whole file, else gathers the pieces in memory; zeros between them. kNotFound and
/// kIoError name the file; kDataCorrupt when its contents are not those the model was built with.
Result<LoadedWeights> LoadWeightFiles(const std::string& folder, std::span<const WeightFile> files);

}  // namespace cairn
