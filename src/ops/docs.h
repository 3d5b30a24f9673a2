// SPDX-License-Identifier: Apache-2.0
// The operator reference as Markdown, written from the definitions.
#pragma once

#include <string>

namespace cairn {

/// The text of docs/operators.md: one section per operator, sorted by name.
std::string RenderOperatorDocs();

}  // namespace cairn
