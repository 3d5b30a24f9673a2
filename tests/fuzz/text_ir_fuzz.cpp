// SPDX-License-Identifier: Apache-2.0
// Fuzz target: the parser of the graph's text form. What is accepted prints and parses to the same text.
#include <string>
#include <string_view>

#include "base/check.h"
#include "ir/text.h"
#include "ir/verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto graph = cairn::ParseGraph(text);
  if (!graph.ok()) return 0;
  if (!cairn::VerifyGraph(**graph).ok()) return 0;
  cairn::PrintOptions all;
  all.max_constant_elements = -1;
  const std::string printed = cairn::PrintGraph(**graph, all);
  auto again = cairn::ParseGraph(printed);
  CAIRN_CHECK(again.ok(), "printed text parses");
  CAIRN_CHECK(cairn::PrintGraph(**again, all) == printed, "printing is stable");
  return 0;
}
