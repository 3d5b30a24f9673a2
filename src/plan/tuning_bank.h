// SPDX-License-Identifier: Apache-2.0
// TuningBank: measured times of tasks, kept in a file between compilations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"

namespace cairn::plan {

/// Nanoseconds by content key. File: a header line, then "key nanoseconds" per line, sorted by key;
/// a damaged line is left out, a file of another version is not used.
class TuningBank {
 public:
  /// An absent file gives an empty bank; an empty path one that is never written.
  static Result<TuningBank> Open(const std::string& path);

  std::optional<int64_t> Find(uint64_t key) const;
  void Add(uint64_t key, int64_t nanoseconds);
  /// Writes the file when something was added: under a temporary name, then renamed.
  Status Save() const;

 private:
  std::string path_;
  std::map<uint64_t, int64_t> entries_;
  bool changed_ = false;
};

}  // namespace cairn::plan
