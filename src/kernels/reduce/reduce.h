// SPDX-License-Identifier: Apache-2.0
// Reductions of f32 tensors over any set of axes, and positions of extremes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

enum class ReduceKind : uint8_t {
  kSum = 0,
  kMean = 1,
  kMax = 2,  ///< NaN wins; -infinity over nothing.
  kMin = 3,  ///< NaN wins; infinity over nothing.
  kProd = 4,
  kL1 = 5,
  kL2 = 6,
  kSumSquare = 7,
  kLogSum = 8,
  kLogSumExp = 9,
};

inline constexpr int kReduceMaxRank = 8;

/// `src` is dense row-major over `dims`; `dst` is dense over the dimensions that are not reduced,
/// in the same order. A blocked image [N, ceil(C / c0), pixels, c0] is reduced over its pixels by
/// reduced = {0, 0, 1, 0}; unused lanes stay 0 except for kLogSum and kLogSumExp.
struct ReduceParams {
  Isa isa;
  ReduceKind kind;
  int32_t rank;
  std::array<int64_t, kReduceMaxRank> dims;
  std::array<bool, kReduceMaxRank> reduced;
};

struct ReduceBuffers {
  const float* src;
  float* dst;  ///< Overlaps nothing.
};

inline size_t ReduceWorkspaceBytes(const ReduceParams&, int /*num_parts*/) { return 0; }
inline int ReducePhases(const ReduceParams&) { return 1; }
/// Pieces of at most 4096 terms are folded in f32, the pieces in double, in a fixed order. Shared
/// by outputs: a reduction to one value runs on one thread.
void RunReduce(const ReduceParams& params, const ReduceBuffers& buffers, int phase, Part part);

/// Index along the middle dimension of [outer, axis, inner] of the greatest (smallest) element; the
/// first of equals, or the last. NaN counts as an extreme.
struct ArgExtremeParams {
  bool greatest;
  bool last_of_equals;
  int64_t outer, axis, inner;
};

struct ArgExtremeBuffers {
  const float* src;
  int64_t* dst;  ///< [outer, inner]
};

inline size_t ArgExtremeWorkspaceBytes(const ArgExtremeParams&, int /*num_parts*/) { return 0; }
inline int ArgExtremePhases(const ArgExtremeParams&) { return 1; }
/// The axis is not empty.
void RunArgExtreme(const ArgExtremeParams& params, const ArgExtremeBuffers& buffers, int phase,
                   Part part);

}  // namespace cairn::kernels
