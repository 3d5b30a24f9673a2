// SPDX-License-Identifier: Apache-2.0
// The bytes of a model and the parts in them.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "executable/program.h"

namespace cairn::runtime {

/// `image` points into the bytes that `owner` keeps alive.
struct ModelFile {
  std::shared_ptr<const void> owner;
  ProgramImage image;
};

/// Maps a model file, shared with other processes. kIoError when it is missing, empty or
/// unreadable; the container reader's errors for its content.
Result<ModelFile> MapModelFile(const std::string& path);

/// Copies a model from memory of the caller. `what` names it in messages.
Result<ModelFile> CopyModel(std::span<const std::byte> bytes, const std::string& what);

}  // namespace cairn::runtime
