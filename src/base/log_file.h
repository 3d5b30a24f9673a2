// SPDX-License-Identifier: Apache-2.0
// A log file that starts anew when full and keeps the last few files of its process.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace cairn {

/// Writes `<folder>/plog-<pid>_<YYYYMMDDhhmmssmmm>.log`. Folder and file are created by the first
/// record. Not thread-safe; failures to write are dropped.
class RotatingLogFile {
 public:
  RotatingLogFile(std::string folder, uint64_t max_bytes, int max_files)
      : folder_(std::move(folder)), max_bytes_(max_bytes), max_files_(max_files) {}
  ~RotatingLogFile();
  RotatingLogFile(const RotatingLogFile&) = delete;
  RotatingLogFile& operator=(const RotatingLogFile&) = delete;

  /// Appends one complete record. A record that would pass `max_bytes` opens the next file; beyond
  /// `max_files` files of this process the oldest is removed. After a fork the child opens its own.
  void Append(std::string_view record);

 private:
  void OpenNext();
  void Close();

  std::string folder_;
  uint64_t max_bytes_;
  int max_files_;
  int descriptor_ = -1;
  int owner_pid_ = -1;
  uint64_t written_ = 0;
  std::deque<std::string> files_;  // Of this process, oldest first.
};

}  // namespace cairn
