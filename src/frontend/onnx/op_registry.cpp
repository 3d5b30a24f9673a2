// SPDX-License-Identifier: Apache-2.0
// Which ONNX operators can be imported, and how.
#include "frontend/onnx/op_registry.h"

#include <algorithm>
#include <iterator>

namespace cairn::onnx {

#define ONNX_OP(op, since)
#define ONNX_OP_BY(domain, op, since, converter) Status converter(NodeImport&);
#include "frontend/onnx/onnx_op_list.def"
#undef ONNX_OP
#undef ONNX_OP_BY

namespace {

constexpr OpEntry kEntries[] = {
#define ONNX_OP(op, since) {"", #op, since, ConvertUnchanged},
#define ONNX_OP_BY(domain, op, since, converter) {domain, #op, since, converter},
#include "frontend/onnx/onnx_op_list.def"
#undef ONNX_OP
#undef ONNX_OP_BY
};

}  // namespace

std::string_view CanonicalDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

const OpEntry* FindEntry(std::string_view domain, std::string_view op_type) {
  domain = CanonicalDomain(domain);
  const auto* it = std::find_if(
      std::begin(kEntries), std::end(kEntries),
      [&](const OpEntry& entry) { return entry.domain == domain && entry.op_type == op_type; });
  return it == std::end(kEntries) ? nullptr : it;
}

std::vector<std::string> OpTypesOf(std::string_view domain) {
  std::vector<std::string> names;
  for (const OpEntry& entry : kEntries) {
    if (entry.domain == CanonicalDomain(domain)) names.emplace_back(entry.op_type);
  }
  return names;
}

Status ConvertUnchanged(NodeImport& node) { return node.PassThrough(); }

}  // namespace cairn::onnx
