// SPDX-License-Identifier: Apache-2.0
// Transpose, slice, concat, expand, tile, depth to space, where, fill and range for all element
// sizes.
#include "kernels/movement/strided_copy.h"

#include <numeric>

#include "kernel_testing.h"
#include "kernels/movement/select.h"

namespace cairn::kernels {
namespace {

using Dims = std::vector<int64_t>;

int64_t Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

// Multi-index of `flat` in `dims`.
Dims Unravel(int64_t flat, const Dims& dims) {
  Dims index(dims.size());
  for (int i = static_cast<int>(dims.size()) - 1; i >= 0; --i) {
    index[i] = flat % dims[i];
    flat /= dims[i];
  }
  return index;
}
int64_t Ravel(const Dims& index, const Dims& dims) {
  int64_t flat = 0;
  for (size_t i = 0; i < dims.size(); ++i) flat = flat * dims[i] + index[i];
  return flat;
}

// Elements of `bytes` bytes whose contents tell their number.
std::vector<uint8_t> Numbered(int64_t count, int bytes) {
  std::vector<uint8_t> data(count * bytes);
  for (int64_t i = 0; i < count * bytes; ++i) {
    data[i] = static_cast<uint8_t>((i / bytes) >> (8 * (i % bytes % 3)) ^ (i % bytes * 37));
  }
  return data;
}

// Runs the copy for 1, 2, 3 parts and checks each element of dst against element source(i) of src
// (-1: untouched).
template <class Source>
void Check(const StridedCopyParams& p, int64_t src_count, int64_t dst_count, const Source& source) {
  const int bytes = p.element_bytes;
  const std::vector<uint8_t> src = Numbered(src_count, bytes);
  for (int parts : {1, 2, 3}) {
    std::vector<uint8_t> dst(dst_count * bytes + 64, 0xa5), expected = dst;
    for (int64_t i = 0; i < dst_count; ++i) {
      const int64_t from = source(i);
      if (from >= 0) std::copy_n(&src[from * bytes], bytes, &expected[i * bytes]);
    }
    RunParts(StridedCopyPhases(p), parts, [&](int phase, Part part) {
      RunStridedCopy(p, {src.data(), dst.data()}, phase, part);
    });
    ASSERT_EQ(dst, expected) << bytes << " bytes, " << parts << " parts";
  }
}

class StridedCopy : public testing::TestWithParam<int> {
 protected:
  void ForEachIsa(const std::function<void(Isa)>& run) {
    for (Isa isa : AvailableIsas()) run(isa);
  }
};

TEST_P(StridedCopy, Transposes) {
  const std::vector<std::pair<Dims, std::vector<int>>> cases = {
      {{}, {}},
      {{5}, {0}},
      {{3, 0}, {1, 0}},
      {{37, 53}, {1, 0}},
      {{200, 3}, {1, 0}},
      {{3, 200}, {1, 0}},
      {{2, 5, 7, 9}, {0, 2, 3, 1}},
      {{2, 6, 4, 8}, {0, 2, 1, 3}},
      {{2, 3, 4, 5, 6}, {4, 3, 2, 1, 0}},
      {{1, 17, 1, 33}, {3, 2, 1, 0}},
      {{2, 2, 2, 2, 2, 2, 2, 2}, {7, 1, 3, 0, 2, 5, 4, 6}}};
  ForEachIsa([&](Isa isa) {
    for (const auto& [dims, perm] : cases) {
      Dims out;
      for (int axis : perm) out.push_back(dims[axis]);
      Check(MakeTranspose(isa, GetParam(), dims, perm), Product(dims), Product(dims),
            [&](int64_t i) {
              const Dims at = Unravel(i, out);
              Dims from(dims.size());
              for (size_t k = 0; k < perm.size(); ++k) from[perm[k]] = at[k];
              return Ravel(from, dims);
            });
    }
  });
}

TEST_P(StridedCopy, SlicesWithAnyStep) {
  struct Slice {
    Dims dims, starts, steps, out;
  };
  const Slice cases[] = {{{10}, {8}, {-3}, {3}},
                         {{4, 9, 6}, {1, 2, 0}, {2, 1, 1}, {2, 5, 6}},
                         {{4, 9, 6}, {3, 8, 5}, {-1, -2, -1}, {4, 5, 6}},
                         {{4, 9, 6}, {0, 0, 1}, {1, 1, 2}, {4, 9, 0}},
                         {{3, 9000}, {0, 5}, {1, 1}, {3, 8990}}};
  ForEachIsa([&](Isa isa) {
    for (const Slice& c : cases) {
      Check(MakeSlice(isa, GetParam(), c.dims, c.starts, c.steps, c.out), Product(c.dims),
            Product(c.out), [&](int64_t i) {
              Dims at = Unravel(i, c.out);
              for (size_t k = 0; k < at.size(); ++k) at[k] = c.starts[k] + at[k] * c.steps[k];
              return Ravel(at, c.dims);
            });
    }
  });
}

TEST_P(StridedCopy, ConcatPartWritesItsSliceOnly) {
  ForEachIsa([&](Isa isa) {
    for (int axis = 0; axis < 3; ++axis) {
      const Dims src = {3, 4, 5};
      Dims dst = src;
      dst[axis] = 11;
      Check(MakeConcatPart(isa, GetParam(), src, axis, 2, 11), Product(src), Product(dst),
            [&](int64_t i) {
              Dims at = Unravel(i, dst);
              at[axis] -= 2;
              return at[axis] < 0 || at[axis] >= src[axis] ? int64_t{-1} : Ravel(at, src);
            });
    }
  });
}

TEST_P(StridedCopy, ExpandsAndTiles) {
  ForEachIsa([&](Isa isa) {
    const Dims src = {3, 1, 5}, out = {2, 3, 4, 5};
    Check(MakeExpand(isa, GetParam(), src, out), 15, 120, [&](int64_t i) {
      const Dims at = Unravel(i, out);
      return at[1] * 5 + at[3];
    });
    const Dims dims = {2, 3, 4}, repeats = {2, 1, 3}, tiled = {4, 3, 12};
    ASSERT_TRUE(FitsTile(dims, repeats));
    Check(MakeTile(isa, GetParam(), dims, repeats), 24, 144, [&](int64_t i) {
      const Dims at = Unravel(i, tiled);
      return Ravel({at[0] % 2, at[1] % 3, at[2] % 4}, dims);
    });
  });
  EXPECT_FALSE(FitsTile(Dims{2, 2, 2, 2, 2}, Dims{2, 2, 2, 2, 1}));
}

TEST_P(StridedCopy, MovesDepthToSpaceAndBack) {
  ForEachIsa([&](Isa isa) {
    const int64_t b = 2;
    const Dims deep = {2, 12, 3, 5}, wide = {2, 3, 6, 10};
    const auto channel = [&](bool crd, int64_t d, int64_t row, int64_t column) {
      return crd ? (d * b + row) * b + column : (row * b + column) * 3 + d;
    };
    for (bool crd : {false, true}) {
      Check(MakeDepthToSpace(isa, GetParam(), deep, b, crd), 360, 360, [&](int64_t i) {
        const Dims at = Unravel(i, wide);
        return Ravel({at[0], channel(crd, at[1], at[2] % b, at[3] % b), at[2] / b, at[3] / b},
                     deep);
      });
    }
    Check(MakeSpaceToDepth(isa, GetParam(), wide, b), 360, 360, [&](int64_t i) {
      const Dims at = Unravel(i, deep);
      const int64_t d = at[1] % 3, row = at[1] / 3 / b, column = at[1] / 3 % b;
      return Ravel({at[0], d, at[2] * b + row, at[3] * b + column}, wide);
    });
  });
}

TEST_P(StridedCopy, WhereSelects) {
  const int bytes = GetParam();
  const Dims dims = {3, 4, 50};
  const std::vector<uint8_t> a = Numbered(600, bytes), b = Numbered(700, bytes);
  std::vector<uint8_t> condition(12 * 50);
  for (size_t i = 0; i < condition.size(); ++i) condition[i] = i % 5 == 2 ? 2 : i % 5 == 3;
  for (bool broadcast : {false, true}) {
    WhereParams p{bytes, {}};
    p.shape.rank = 3;
    p.shape.dims = {3, 4, 50};
    p.shape.strides[0] = {200, 50, 1};
    p.shape.strides[1] = broadcast ? NdArray{0, 50, 1} : NdArray{200, 50, 1};
    p.shape.strides[2] = broadcast ? NdArray{4, 1, 0} : NdArray{200, 50, 1};
    p.shape.strides[3] = {200, 50, 1};
    p.shape.Collapse();
    for (int parts : {1, 3}) {
      std::vector<uint8_t> dst(600 * bytes);
      RunParts(WherePhases(p), parts, [&](int phase, Part part) {
        RunWhere(p, {condition.data(), a.data(), b.data(), dst.data()}, phase, part);
      });
      for (int64_t i = 0; i < 600; ++i) {
        const bool chosen = condition[broadcast ? i % 200 : i] != 0;
        const int64_t from = broadcast && chosen ? i / 50 : i;
        const uint8_t* expected = (chosen ? a : b).data() + from * bytes;
        ASSERT_TRUE(std::equal(expected, expected + bytes, &dst[i * bytes])) << i;
      }
    }
  }
}

TEST_P(StridedCopy, FillRepeats) {
  const std::vector<uint8_t> value = Numbered(2, GetParam());
  const uint8_t* element = &value[GetParam()];
  std::vector<uint8_t> dst(333 * GetParam());
  for (int i = 0; i < 3; ++i) RunFill({GetParam(), 333}, element, dst.data(), {i, 3});
  for (int i = 0; i < 333; ++i) {
    ASSERT_TRUE(std::equal(element, element + GetParam(), &dst[i * GetParam()]));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, StridedCopy, testing::Values(1, 2, 4, 8, 16));

TEST(Range, CountsInItsType) {
  const int64_t start = 5, delta = -3;
  std::vector<int64_t> wide(100);
  for (int i = 0; i < 2; ++i)
    RunRange({ElementType::kI64, 100}, &start, &delta, wide.data(), {i, 2});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(wide[i], 5 - 3 * i);
  const float first = 0.5f, step = 0.25f;
  std::vector<float> floats(9);
  RunRange({ElementType::kF32, 9}, &first, &step, floats.data(), {0, 1});
  for (int i = 0; i < 9; ++i) ASSERT_EQ(floats[i], 0.5f + 0.25f * static_cast<float>(i));
}

}  // namespace
}  // namespace cairn::kernels
