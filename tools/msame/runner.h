// SPDX-License-Identifier: Apache-2.0
// One invocation of msame: load, execute over files or folders, write results, report times.
#pragma once

#include "msame/acl_config.h"
#include "msame/options.h"

namespace msame {

/// False after a printed failure. Removes the configuration file at the end of a success. Ends the
/// process with status 0 when the result folder or an input folder is not accessible.
bool Run(const Options& options, AclConfig& config, bool runs_on_device);

}  // namespace msame
