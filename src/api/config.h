// SPDX-License-Identifier: Apache-2.0
// The JSON file given to aclInit.
#pragma once

#include <string>

#include "api/call.h"

namespace cairn::api {

/// What aclInit takes from its file; unknown keys are ignored.
struct Config {
  bool shared_error_text = false;  ///< "err_msg_mode": "1".
  bool has_dump = false;           ///< A "dump" section.
  std::string profiler;            ///< The "profiler" section as JSON; empty: none.
};

/// Reads `path`; NULL, "" and an empty file are an empty configuration. 100003 for a file that
/// cannot be read, 100006 for one that is not JSON or nested deeper than 10.
Answer ReadConfig(const char* path, Config& config);

}  // namespace cairn::api
