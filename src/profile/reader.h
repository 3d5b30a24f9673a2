// SPDX-License-Identifier: Apache-2.0
// Reads a profile folder back: records, programs and processes, however the recording ended.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "executable/program.h"
#include "profile/record.h"

namespace cairn::profile {

/// A record with its process, its times as time of day, and its whole text.
struct Event {
  Record record;
  uint32_t process = 0;
  int64_t begin_ns = 0;  ///< Since 1970.
  int64_t end_ns = 0;
  std::string text;

  double duration_us() const { return static_cast<double>(end_ns - begin_ns) / 1000.0; }
};

struct ProcessEntry {
  uint32_t pid = 0;
  std::string program;
  std::string log_level;  ///< ASCEND_GLOBAL_LOG_LEVEL; empty: not set.
  bool ended = false;  ///< False: it was killed, or runs still.
};

struct RawProfile {
  std::string folder;
  std::vector<Event> tasks;   ///< kTask, kPart, kRun; by begin.
  std::vector<Event> events;  ///< All others; by begin.
  std::map<std::pair<uint32_t, uint32_t>, Program> programs;  ///< Of (process, number).
  std::vector<ProcessEntry> processes;
  std::map<uint32_t, std::string> thread_names;
  bool times_only = false;    ///< Attributes were not asked for.
  uint64_t lost_slices = 0;           ///< Dropped because of the storage limit.
  std::vector<std::string> warnings;  ///< Parts that could not be read, and why.

  const Program* FindProgram(const Event& task) const;
};

/// Reads everything that is intact in a folder made by CreateProfileFolder. kNotFound when `folder`
/// is no such folder; damaged parts become warnings.
Result<RawProfile> ReadProfile(const std::string& folder);

/// `path` itself when it is a profile folder, else the profile folders in it, oldest first.
std::vector<std::string> FindProfileFolders(const std::string& path);

}  // namespace cairn::profile
