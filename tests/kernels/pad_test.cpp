// SPDX-License-Identifier: Apache-2.0
// Padding in all modes, with cropping, against index arithmetic.
#include "kernels/movement/pad.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

int64_t Mapped(PadMode mode, int64_t i, int64_t size) {
  if (mode == PadMode::kConstant) return i >= 0 && i < size ? i : -1;
  if (mode == PadMode::kEdge) return std::clamp<int64_t>(i, 0, size - 1);
  // Walk back into the range step by step.
  while (i < 0 || i >= size) {
    if (mode == PadMode::kWrap) {
      i += i < 0 ? size : -size;
    } else {
      i = i < 0 ? -i : 2 * (size - 1) - i;
    }
  }
  return i;
}

TEST(Pad, MatchesIndexArithmetic) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 400; ++trial) {
    PadParams p{};
    p.element_bytes = 1 << (trial % 4);
    p.mode = static_cast<PadMode>(trial / 4 % 4);
    p.rank = 1 + static_cast<int>(random() % 4);
    int64_t src_count = 1, dst_count = 1;
    for (int i = 0; i < p.rank; ++i) {
      p.src_dims[i] = 2 + static_cast<int64_t>(random() % 5);
      const bool plain = random() % 3 == 0;
      p.begin[i] = plain ? 0 : static_cast<int64_t>(random() % 5) - 1;
      const int64_t end = plain ? 0 : static_cast<int64_t>(random() % 5) - 1;
      p.dst_dims[i] = std::max<int64_t>(0, p.src_dims[i] + p.begin[i] + end);
      src_count *= p.src_dims[i];
      dst_count *= p.dst_dims[i];
    }
    const int bytes = p.element_bytes;
    std::vector<uint8_t> src(src_count * bytes), value(bytes);
    for (uint8_t& x : src) x = static_cast<uint8_t>(random());
    for (uint8_t& x : value) x = static_cast<uint8_t>(random());
    for (int parts : {1, 2, 3}) {
      std::vector<uint8_t> dst(dst_count * bytes + 8, 0xa5);
      const std::vector<uint8_t> guard(dst.end() - 8, dst.end());
      RunParts(PadPhases(p), parts, [&](int phase, Part part) {
        RunPad(p, {src.data(), value.data(), dst.data()}, phase, part);
      });
      ASSERT_TRUE(std::equal(guard.begin(), guard.end(), dst.end() - 8));
      for (int64_t i = 0; i < dst_count; ++i) {
        int64_t rest = i, from = 0, scale = 1;
        bool constant = false;
        for (int d = p.rank - 1; d >= 0; --d) {
          const int64_t at = Mapped(p.mode, rest % p.dst_dims[d] - p.begin[d], p.src_dims[d]);
          rest /= p.dst_dims[d];
          constant = constant || at < 0;
          from += at * scale;
          scale *= p.src_dims[d];
        }
        const uint8_t* expected = constant ? value.data() : &src[from * bytes];
        ASSERT_TRUE(std::equal(expected, expected + bytes, &dst[i * bytes])) << "trial " << trial;
      }
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
