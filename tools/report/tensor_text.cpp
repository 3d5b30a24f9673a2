// SPDX-License-Identifier: Apache-2.0
// Names of types and formats, storage shapes.
#include "report/tensor_text.h"

#include <algorithm>

#include "base/strings.h"

namespace cairn::report {

std::string TypeText(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return "FLOAT";
    case ElementType::kF16:
      return "FLOAT16";
    case ElementType::kBf16:
      return "DT_BF16";
    case ElementType::kF64:
      return "DOUBLE";
    case ElementType::kI8:
      return "INT8";
    case ElementType::kU8:
      return "UINT8";
    case ElementType::kI16:
      return "INT16";
    case ElementType::kU16:
      return "UINT16";
    case ElementType::kI32:
      return "INT32";
    case ElementType::kU32:
      return "UINT32";
    case ElementType::kI64:
      return "INT64";
    case ElementType::kU64:
      return "UINT64";
    case ElementType::kBool:
      return "BOOL";
    case ElementType::kI4:
      return "INT4";
    default:
      return "N/A";
  }
}

std::string FormatText(const ProgramTensor& tensor) {
  switch (tensor.layout) {
    case Layout::kBlocked:
      return tensor.dims.size() == 5 ? "NDC1HWC0" : "NC1HWC0";
    case Layout::kPacked:
      return "FRACTAL_Z";
    case Layout::kPlain:
      break;
  }
  return tensor.dims.size() == 4 ? "NCHW" : "ND";
}

std::vector<int64_t> StorageDims(const ProgramTensor& tensor, int c0) {
  if (tensor.layout != Layout::kBlocked || tensor.dims.size() < 2) return tensor.dims;
  std::vector<int64_t> dims = tensor.dims;
  dims[1] = (dims[1] + c0 - 1) / c0;
  if (dims.size() == 3) dims.insert(dims.begin() + 2, 1);  // NC1HWC0 with H = 1.
  dims.push_back(c0);
  return dims;
}

OperandText DescribeOperands(const Program& program, const std::vector<uint32_t>& list) {
  std::vector<std::string> shapes, types, formats;
  for (const uint32_t index : list) {
    if (index >= program.tensors.size()) continue;
    const ProgramTensor& tensor = program.tensors[index];
    shapes.push_back(StrJoin(StorageDims(tensor, program.c0)));
    types.push_back(TypeText(tensor.dtype));
    formats.push_back(FormatText(tensor));
  }
  if (shapes.empty()) return {"N/A", "N/A", "N/A"};
  return {StrCat('"', StrJoin(shapes, ";"), '"'), StrJoin(types, ";"), StrJoin(formats, ";")};
}

const char* TaskTypeText(const Task& task) {
  return task.kernel == "reference" ? "AI_CPU" : "AI_CORE";
}

}  // namespace cairn::report
