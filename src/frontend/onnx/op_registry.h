// SPDX-License-Identifier: Apache-2.0
// Which ONNX operators can be imported, and how.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

/// The newest operator set of the default domain whose semantics are known here.
inline constexpr int64_t kNewestOpset = 28;
/// Older operators than these are told apart by OpEntry::since.
inline constexpr int64_t kOldestOpset = 1;

struct OpEntry {
  std::string_view domain;  ///< "" for the default domain.
  std::string_view op_type;
  int64_t since = 1;  ///< First operator set whose form of it is understood.
  Converter convert = nullptr;
};

/// The entry of an operator, or nullptr. Domain "ai.onnx" is the same as "".
const OpEntry* FindEntry(std::string_view domain, std::string_view op_type);
/// Names of all operators of `domain`, for suggestions.
std::vector<std::string> OpTypesOf(std::string_view domain);
/// "" for the default domain's two spellings, else the domain itself.
std::string_view CanonicalDomain(std::string_view domain);

/// The node has the same inputs and attributes in all operator sets: emitted as it is.
Status ConvertUnchanged(NodeImport& node);

}  // namespace cairn::onnx
