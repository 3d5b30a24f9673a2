// SPDX-License-Identifier: Apache-2.0
// Mapped files, and the parsing of a model's bytes into its protobuf form.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "frontend/onnx/cairn_onnx.pb.h"

namespace cairn::onnx {

/// A file mapped read-only. The mapping lives as long as a copy of `owner`.
struct MappedFile {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// Maps the regular file `path`. Errors name the path and the system's reason.
Result<MappedFile> MapFile(const std::string& path);

/// Parses a serialised ModelProto. Errors say what the bytes look like instead when that is
/// recognisable (empty, another format, truncated). Checks that a graph and operator sets exist.
Result<std::unique_ptr<ModelProto>> ParseModel(std::span<const std::byte> bytes);

}  // namespace cairn::onnx
