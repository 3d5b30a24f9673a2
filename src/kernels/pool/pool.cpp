// SPDX-License-Identifier: Apache-2.0
// Shares the output rows of a pooling among the threads.
#include "kernels/pool/pool.h"

#include <algorithm>

#include "kernels/pool/window.h"

namespace cairn::kernels {
namespace {

// A window that lies outside the input gives -infinity, in the lanes without a channel too.
void ZeroUnusedLanes(const PoolParams& p, int64_t plane, int64_t lanes, float* row) {
  const int64_t used = p.channels % lanes, blocks = (p.channels + lanes - 1) / lanes;
  if (used == 0 || plane % blocks != blocks - 1) return;
  for (int64_t i = 0; i < p.out[2]; ++i) std::fill_n(row + i * lanes + used, lanes - used, 0.0f);
}

}  // namespace

void RunPool(const PoolParams& p, const PoolBuffers& buffers, int /*phase*/, Part part) {
  const int64_t lanes = p.blocked ? VectorFloats(p.isa) : 1;
  const int64_t planes = p.batch * ((p.channels + lanes - 1) / lanes);
  const PoolRowFn run = p.blocked ? GetBlockedPoolRow(p.isa, p.kind) : PlainPoolRow;
  const int64_t in_plane = p.in[0] * p.in[1] * p.in[2] * lanes, out_row = p.out[2] * lanes;
  const Range rows = PartRange(planes * p.out[0] * p.out[1], 1, part);
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    const PoolRow row{i / (p.out[0] * p.out[1]), MakeWindow(p, 0, i / p.out[1] % p.out[0]),
                      MakeWindow(p, 1, i % p.out[1])};
    float* dst = buffers.dst + i * out_row;
    run(p, row, buffers.src + row.plane * in_plane, dst);
    if (p.kind == PoolKind::kMax) ZeroUnusedLanes(p, row.plane, lanes, dst);
  }
}

}  // namespace cairn::kernels
