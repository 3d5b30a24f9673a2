// SPDX-License-Identifier: Apache-2.0
// Parsing of a serialised ModelDef.
#pragma once

#include <span>

#include "base/status.h"
#include "modeldef/cairn_ge.pb.h"

namespace cairn::modeldef {

/// kDataCorrupt when `bytes` are no ModelDef.
Status ParseModelDef(std::span<const std::byte> bytes, ge::ModelDef& model);

}  // namespace cairn::modeldef
