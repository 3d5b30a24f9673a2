// SPDX-License-Identifier: Apache-2.0
// One invocation of msame: load, execute over files or folders, write results, report times.
#pragma once

#include "msame/options.h"

namespace msame {

enum class Outcome {
  kDone,      ///< Results are written.
  kFailed,    ///< A failure has been printed; the process ends with 1.
  kNoFolder,  ///< The result folder is not accessible; the process ends with 0.
};

Outcome Run(const Options& options, bool runs_on_device);

}  // namespace msame
