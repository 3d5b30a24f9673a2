// SPDX-License-Identifier: Apache-2.0
// Result files: raw bytes or text, one file per output.
#pragma once

#include <string>

#include "msame/dataset.h"
#include "msame/model.h"
#include "msame/options.h"

namespace msame {

/// Writes `<folder>/<stem>_output_<index>.{bin,txt}` for every output. False after a printed
/// failure.
bool WriteOutputs(const Model& model, const Options& options, const Dataset& outputs,
                  bool runs_on_device, const std::string& folder, const std::string& stem);

}  // namespace msame
