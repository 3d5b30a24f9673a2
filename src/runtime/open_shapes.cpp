// SPDX-License-Identifier: Apache-2.0
// Messages about shapes and buffers.
#include "runtime/open_shapes.h"

#include <algorithm>
#include <string>

namespace cairn::runtime {
namespace {

std::string RangeText(int64_t low, int64_t high) {
  if (low == high) return std::to_string(low);
  return high < 0 ? StrCat(low, "~") : StrCat(low, "~", high);
}

std::string AllowedText(std::span<const int64_t> ranges) {
  std::vector<std::string> texts;
  for (size_t i = 0; i + 1 < ranges.size(); i += 2)
    texts.push_back(RangeText(ranges[i], ranges[i + 1]));
  return StrCat("[", StrJoin(texts), "]");
}

}  // namespace

Status CheckOpenDims(size_t index, const ProgramIo& input, std::span<const int64_t> ranges,
                     std::span<const int64_t> dims) {
  bool fits = 2 * dims.size() == ranges.size();
  for (size_t i = 0; i < dims.size() && fits; ++i) {
    const int64_t low = ranges[2 * i], high = ranges[2 * i + 1];
    fits = dims[i] >= std::max<int64_t>(low, 0) && (high < 0 || dims[i] <= high);
  }
  if (fits) return OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat("input ", index, " '", input.name, "' has the shape [", StrJoin(dims),
                       "], the model takes ", AllowedText(ranges)));
}

Status MissingShape(size_t index, const ProgramIo& input) {
  return Status(Code::kInvalidArgument,
                StrCat("input ", index, " '", input.name, "' [", StrJoin(input.dims),
                       "] has open dims and no shape was given; set it with "
                       "aclmdlSetDatasetTensorDesc (msame: --dymShape)"));
}

Status SmallBuffer(const char* kind, size_t index, const ProgramIo& io,
                   std::span<const int64_t> dims, uint64_t needed, uint64_t given) {
  return Status(Code::kInvalidArgument,
                StrCat(kind, " ", index, " '", io.name, "' (", ElementTypeName(io.dtype), " [",
                       StrJoin(dims), "]) needs ", needed, " bytes, the buffer has ", given));
}

}  // namespace cairn::runtime
