// SPDX-License-Identifier: Apache-2.0
// Broadcasting over physical index spaces.
#include "schedule/strided.h"

namespace cairn::schedule {
namespace {

/// Row-major strides of `dims`, 0 where the dim is 1.
std::vector<int64_t> StridesOf(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 0);
  int64_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] != 1) strides[i] = step;
    step *= dims[i];
  }
  return strides;
}

bool Broadcasts(const std::vector<int64_t>& dims, const std::vector<int64_t>& to) {
  if (dims.size() > to.size()) return false;
  const size_t skip = to.size() - dims.size();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1 && dims[i] != to[skip + i]) return false;
  }
  return true;
}

}  // namespace

std::vector<int64_t> PhysicalDims(const ProgramTensor& tensor, int c0) {
  std::vector<int64_t> dims = tensor.dims;
  if (tensor.layout == Layout::kBlocked) {
    dims[1] = (dims[1] + c0 - 1) / c0;
    dims.push_back(c0);
  }
  return dims;
}

std::optional<std::vector<int64_t>> BroadcastStrides(const ProgramTensor& operand,
                                                     const ProgramTensor& result, int c0) {
  if (!Broadcasts(operand.dims, result.dims)) return std::nullopt;
  const size_t rank = result.dims.size();
  if (result.layout == Layout::kPlain) {
    if (operand.layout != Layout::kPlain) return std::nullopt;
    std::vector<int64_t> strides = StridesOf(operand.dims);
    strides.insert(strides.begin(), rank - operand.dims.size(), 0);
    return strides;
  }
  if (result.layout != Layout::kBlocked) return std::nullopt;
  if (operand.layout == Layout::kBlocked) {
    if (operand.dims.size() != rank || operand.dims[1] != result.dims[1]) return std::nullopt;
    return StridesOf(PhysicalDims(operand, c0));
  }
  if (operand.layout != Layout::kPlain) return std::nullopt;
  std::vector<int64_t> strides = StridesOf(operand.dims);
  strides.insert(strides.begin(), rank - operand.dims.size(), 0);
  if (operand.dims.size() + 1 >= rank && operand.dims[operand.dims.size() + 1 - rank] != 1) {
    return std::nullopt;
  }
  strides.push_back(0);
  return strides;
}

void CollapseStrided(std::vector<int64_t>& dims, std::vector<std::vector<int64_t>>& strides) {
  std::vector<int64_t> merged_dims;
  std::vector<std::vector<int64_t>> merged(strides.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    bool joins = !merged_dims.empty();
    for (size_t k = 0; k < strides.size() && joins; ++k) {
      joins = merged[k].back() == strides[k][i] * dims[i];
    }
    if (joins) {
      merged_dims.back() *= dims[i];
      for (size_t k = 0; k < strides.size(); ++k) merged[k].back() = strides[k][i];
    } else {
      merged_dims.push_back(dims[i]);
      for (size_t k = 0; k < strides.size(); ++k) merged[k].push_back(strides[k][i]);
    }
  }
  if (merged_dims.empty()) {
    merged_dims.push_back(1);
    for (auto& list : merged) list.push_back(0);
  }
  dims = std::move(merged_dims);
  strides = std::move(merged);
}

}  // namespace cairn::schedule
