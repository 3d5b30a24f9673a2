// SPDX-License-Identifier: Apache-2.0
// The profiler options of acl.json, of the environment and of msprof: one set of keys.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "profile/session.h"

namespace cairn::profile {

struct Options {
  bool enabled = true;  ///< "switch".
  Settings settings;
  std::string output;  ///< Parent of the profile folder; empty: the current directory.
  std::string folder;  ///< "cairn_folder": the profile folder itself, made by msprof.
};

/// Reads a JSON object of options. kInvalidArgument names the key, its value and what is valid.
/// Keys of hardware that a CPU does not have are accepted.
Result<Options> ParseOptions(std::string_view json);

/// Sets one option of the object by its key ("task_time", "storage_limit", ...); the value may be
/// "on", "off" or what the key takes. Unknown keys are accepted.
Status SetOption(const std::string& key, const std::string& value, Options& options);

/// Bytes of a limit such as "200MB"; at least 200 MB, at most 4294967295 MB.
Result<uint64_t> ParseStorageLimit(const std::string& text);

/// Starts what `options` ask for; makes the profile folder unless they name one.
Status StartRecording(const Options& options);

}  // namespace cairn::profile
