// SPDX-License-Identifier: Apache-2.0
// Walks the output rows of a resize.
#include "kernels/resize/resize.h"

#include <algorithm>
#include <cstring>

#include "kernels/resize/resize_rows.h"

namespace cairn::kernels {
namespace {

int64_t RoundUp(int64_t floats) { return (floats + 15) / 16 * 16; }
int64_t MaxRows(const ResizeParams& p) { return int64_t{p.axes[0].taps} * p.axes[1].taps; }

// Of one part: an interpolated row, the pointers to its source rows (two floats each), their
// weights.
int64_t RowFloats(const ResizeParams& p) { return RoundUp(p.axes[2].in * p.inner); }
int64_t ScratchFloats(const ResizeParams& p) {
  return RowFloats(p) + RoundUp(2 * MaxRows(p)) + RoundUp(MaxRows(p));
}

// Copies one row of chosen elements of kBytes bytes, or of `bytes` when kBytes is 0.
template <int kBytes>
void CopyRow(const ResizeAxis& axis, int64_t bytes, const char* src, char* dst) {
  const int64_t size = kBytes != 0 ? kBytes : bytes;
  for (int64_t i = 0; i < axis.out; ++i) {
    std::memcpy(dst + i * size, src + axis.index[i] * size, size);
  }
}

using CopyRowFn = void (*)(const ResizeAxis&, int64_t, const char*, char*);
CopyRowFn CopyRowOf(int64_t bytes) {
  switch (bytes) {
    case 1:
      return CopyRow<1>;
    case 2:
      return CopyRow<2>;
    case 4:
      return CopyRow<4>;
    case 8:
      return CopyRow<8>;
    case 32:
      return CopyRow<32>;
    case 64:
      return CopyRow<64>;
    default:
      return CopyRow<0>;
  }
}

// Output row (outer, i0, i1) of `row` = its number.
struct RowPlace {
  int64_t outer, i0, i1;
};
RowPlace PlaceOf(const ResizeParams& p, int64_t row) {
  return {row / (p.axes[0].out * p.axes[1].out), row / p.axes[1].out % p.axes[0].out,
          row % p.axes[1].out};
}

// With an extrapolation value (kTfCropAndResize on f32) some rows have no source.
bool Extrapolated(const ResizeParams& p, const RowPlace& at) {
  return p.axes[0].index[at.i0] < 0 || p.axes[1].index[at.i1] < 0;
}

void NearestRows(const ResizeParams& p, const ResizeBuffers& b, Range range) {
  const int64_t bytes = p.inner * p.element_bytes;
  const CopyRowFn copy = CopyRowOf(bytes);
  const bool any_outside =
      std::any_of(p.axes[2].index.begin(), p.axes[2].index.end(), [](int32_t i) { return i < 0; });
  const auto* src = static_cast<const char*>(b.src);
  auto* dst = static_cast<char*>(b.dst);
  for (int64_t row = range.begin; row < range.end; ++row) {
    const RowPlace at = PlaceOf(p, row);
    char* to = dst + row * p.axes[2].out * bytes;
    if (Extrapolated(p, at) || any_outside) {
      // f32: the value everywhere, then what the row has.
      std::fill_n(reinterpret_cast<float*>(to), p.axes[2].out * p.inner, p.extrapolation);
      if (Extrapolated(p, at)) continue;
    }
    const char* from = src + ((at.outer * p.axes[0].in + p.axes[0].index[at.i0]) * p.axes[1].in +
                              p.axes[1].index[at.i1]) *
                                 p.axes[2].in * bytes;
    if (!any_outside) {
      copy(p.axes[2], bytes, from, to);
      continue;
    }
    for (int64_t i = 0; i < p.axes[2].out; ++i) {
      const int32_t index = p.axes[2].index[i];
      if (index >= 0) std::memcpy(to + i * bytes, from + index * bytes, bytes);
    }
  }
}

void InterpolatedRows(const ResizeParams& p, const ResizeBuffers& b, Range range, float* scratch) {
  const ResizeRowFns fns = GetResizeRows(p.isa);
  const ResizeAxis &a0 = p.axes[0], &a1 = p.axes[1], &a2 = p.axes[2];
  const int64_t in_row = a2.in * p.inner, out_row = a2.out * p.inner;
  auto** rows = reinterpret_cast<const float**>(scratch + RowFloats(p));
  float* weights = scratch + RowFloats(p) + RoundUp(2 * MaxRows(p));
  const auto* src = static_cast<const float*>(b.src);
  for (int64_t row = range.begin; row < range.end; ++row) {
    const RowPlace at = PlaceOf(p, row);
    float* dst = static_cast<float*>(b.dst) + row * out_row;
    if (Extrapolated(p, at)) {
      std::fill_n(dst, out_row, p.extrapolation);
      continue;
    }
    int count = 0;
    for (int k0 = 0; k0 < a0.taps; ++k0) {
      for (int k1 = 0; k1 < a1.taps; ++k1) {
        weights[count] = a0.weight[k0 * a0.out + at.i0] * a1.weight[k1 * a1.out + at.i1];
        rows[count++] = src + ((at.outer * a0.in + a0.index[k0 * a0.out + at.i0]) * a1.in +
                               a1.index[k1 * a1.out + at.i1]) *
                                  in_row;
      }
    }
    const float* source = rows[0];
    if (count != 1 || weights[0] != 1) {
      fns.across(rows, weights, count, in_row, scratch);
      source = scratch;
    }
    fns.along(a2, p.inner, p.extrapolation, source, dst);
  }
}

}  // namespace

size_t ResizeWorkspaceBytes(const ResizeParams& params, int num_parts) {
  return params.nearest ? 0
                        : static_cast<size_t>(ScratchFloats(params) * num_parts) * sizeof(float);
}

void RunResize(const ResizeParams& p, const ResizeBuffers& b, int /*phase*/, Part part) {
  if (p.axes[2].out * p.inner == 0) return;
  const Range range = PartRange(p.outer * p.axes[0].out * p.axes[1].out, 1, part);
  if (p.nearest) {
    NearestRows(p, b, range);
  } else {
    InterpolatedRows(p, b, range, static_cast<float*>(b.workspace) + part.index * ScratchFloats(p));
  }
}

}  // namespace cairn::kernels
