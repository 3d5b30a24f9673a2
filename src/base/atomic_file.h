// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name complete or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/status.h"

namespace cairn {

/// Collects writes in an unnamed file of the target folder (a temporary name where the file system
/// has no unnamed files) and gives it its name in Commit(). Without Commit nothing is left.
class AtomicFile {
 public:
  /// Creates missing folders of `path`. An error when something other than a file lies there.
  static Result<AtomicFile> Create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  /// Appends all bytes. A full disk or a file size limit is an error; SIGXFSZ is not delivered.
  Status Write(std::span<const std::byte> bytes);
  Status Write(std::string_view text) { return Write(std::as_bytes(std::span(text))); }

  /// Replaces what was at `path`. The object is of no further use.
  Status Commit();

 private:
  AtomicFile(std::string path, int descriptor, std::string temporary)
      : path_(std::move(path)), descriptor_(descriptor), temporary_(std::move(temporary)) {}
  Status Failure(std::string_view what) const;

  std::string path_;
  int descriptor_;
  std::string temporary_;  // Name to remove or rename; empty while the file is unnamed.
};

}  // namespace cairn
