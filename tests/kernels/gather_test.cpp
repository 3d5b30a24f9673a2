// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters: values, negative and repeated indices, faults.
#include "kernels/movement/gather.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

std::vector<int32_t> Counting(int64_t count) {
  std::vector<int32_t> data(count);
  for (int64_t i = 0; i < count; ++i) data[i] = static_cast<int32_t>(i * 3 + 1);
  return data;
}

// The fault of any part; all parts run.
template <class Run>
Fault RunAll(int phases, int parts, const Run& run) {
  Fault fault = Fault::kNone;
  RunParts(phases, parts, [&](int phase, Part part) {
    const Fault found = run(phase, part);
    if (found != Fault::kNone) fault = found;
  });
  return fault;
}

TEST(Gather, TakesSlicesAndReportsBadIndices) {
  for (int64_t inner : {1, 2, 5}) {
    const GatherParams p{4, true, 3, 7, inner, 40};
    const auto data = Counting(3 * 7 * inner);
    std::vector<int64_t> indices(40);
    for (int64_t i = 0; i < 40; ++i) indices[i] = i % 14 - 7;
    for (int parts : {1, 2, 3}) {
      std::vector<int32_t> dst(3 * 40 * inner);
      const IndexedBuffers b{data.data(), indices.data(), dst.data(), nullptr};
      const auto run = [&](int phase, Part part) { return RunGather(p, b, phase, part); };
      ASSERT_EQ(RunAll(GatherPhases(p), parts, run), Fault::kNone);
      for (int64_t i = 0; i < static_cast<int64_t>(dst.size()); ++i) {
        const int64_t at = (indices[i / inner % 40] + 7) % 7;
        ASSERT_EQ(dst[i], data[(i / inner / 40 * 7 + at) * inner + i % inner]);
      }
      for (int64_t bad : {int64_t{7}, int64_t{-8}, INT64_MAX, INT64_MIN}) {
        indices[33] = bad;
        EXPECT_EQ(RunAll(1, parts, run), Fault::kIndexOutOfRange);
      }
      indices[33] = 0;
    }
  }
}

TEST(GatherElements, ReplacesTheAxisIndex) {
  for (int axis = 0; axis < 3; ++axis) {
    GatherElementsParams p{4, false, 3, axis, {4, 5, 6}, {3, 4, 2}};
    p.index_dims[axis] = 9;
    const auto data = Counting(120);
    const int64_t count = p.index_dims[0] * p.index_dims[1] * p.index_dims[2];
    std::vector<int32_t> indices(count), dst(count);
    const auto size = static_cast<int32_t>(p.data_dims[axis]);
    for (int64_t i = 0; i < count; ++i)
      indices[i] = static_cast<int32_t>(i * 5 % (2 * size)) - size;
    const IndexedBuffers b{data.data(), indices.data(), dst.data(), nullptr};
    const auto run = [&](int phase, Part part) { return RunGatherElements(p, b, phase, part); };
    for (int parts : {1, 3}) {
      std::fill(dst.begin(), dst.end(), 0);
      ASSERT_EQ(RunAll(1, parts, run), Fault::kNone);
      for (int64_t i = 0; i < count; ++i) {
        int64_t at[3] = {i / p.index_dims[2] / p.index_dims[1],
                         i / p.index_dims[2] % p.index_dims[1], i % p.index_dims[2]};
        at[axis] = (indices[i] + size) % size;
        ASSERT_EQ(dst[i], data[(at[0] * 5 + at[1]) * 6 + at[2]]);
      }
    }
    indices[count / 2] = size;
    EXPECT_EQ(RunAll(1, 2, run), Fault::kIndexOutOfRange);
  }
}

TEST(GatherNd, TakesSlicesByTuples) {
  const GatherNdParams p{4, true, 2, 5, 3, 2, {4, 6}};
  const auto data = Counting(2 * 24 * 3);
  std::vector<int64_t> indices(2 * 5 * 2);
  for (size_t i = 0; i < indices.size(); ++i) {
    indices[i] = static_cast<int64_t>(i * 7 % 8) - 4;
  }
  std::vector<int32_t> dst(2 * 5 * 3);
  const IndexedBuffers b{data.data(), indices.data(), dst.data(), nullptr};
  const auto run = [&](int phase, Part part) { return RunGatherNd(p, b, phase, part); };
  ASSERT_EQ(RunAll(1, 2, run), Fault::kNone);
  for (int64_t i = 0; i < 30; ++i) {
    const int64_t tuple = i / 3, x = (indices[tuple * 2] + 4) % 4,
                  y = (indices[tuple * 2 + 1] + 6) % 6;
    ASSERT_EQ(dst[i], data[((tuple / 5 * 4 + x) * 6 + y) * 3 + i % 3]);
  }
  indices[7] = 6;
  EXPECT_EQ(RunAll(1, 2, run), Fault::kIndexOutOfRange);
}

TEST(Scatter, AppliesUpdatesInOrder) {
  const std::vector<int32_t> data = Counting(12), updates = {10, 20, 30, 40};
  const std::vector<int64_t> indices = {2, -1, 2, 0};
  const auto run = [&](ScatterReduction reduction, int parts) {
    std::vector<int32_t> dst(12);
    const ScatterNdParams p{ElementType::kI32, reduction, true, 1, 4, 1, 1, {12}};
    const IndexedBuffers b{data.data(), indices.data(), dst.data(), updates.data()};
    EXPECT_EQ(RunAll(ScatterNdPhases(p), parts,
                     [&](int phase, Part part) { return RunScatterNd(p, b, phase, part); }),
              Fault::kNone);
    return dst;
  };
  for (int parts : {1, 3}) {
    const auto expect = [&](ScatterReduction reduction, int32_t at0, int32_t at2, int32_t at11) {
      std::vector<int32_t> expected = data;
      expected[0] = at0, expected[2] = at2, expected[11] = at11;
      EXPECT_EQ(run(reduction, parts), expected);
    };
    expect(ScatterReduction::kNone, 40, 30, 20);
    expect(ScatterReduction::kAdd, 41, 7 + 40, 54);
    expect(ScatterReduction::kMul, 40, 7 * 300, 34 * 20);
    expect(ScatterReduction::kMin, 1, 7, 20);
    expect(ScatterReduction::kMax, 40, 30, 34);
  }
}

TEST(Scatter, NanWinsAndBadIndicesAreReported) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> data = {1, nan, 3}, updates = {nan, 5};
  std::vector<int32_t> indices = {0, 1};
  for (ScatterReduction reduction : {ScatterReduction::kMin, ScatterReduction::kMax}) {
    std::vector<float> dst(3);
    const ScatterElementsParams p{ElementType::kF32, reduction, false, 1, 0, {3}, {2}};
    const IndexedBuffers b{data.data(), indices.data(), dst.data(), updates.data()};
    const auto run = [&](int phase, Part part) { return RunScatterElements(p, b, phase, part); };
    EXPECT_EQ(RunAll(2, 2, run), Fault::kNone);
    EXPECT_TRUE(std::isnan(dst[0]) && std::isnan(dst[1]));
    EXPECT_EQ(dst[2], 3);
    indices[1] = -4;
    EXPECT_EQ(RunAll(2, 2, run), Fault::kIndexOutOfRange);
    indices[1] = 1;
  }
}

TEST(Scatter, ElementsGoAlongTheAxis) {
  for (int axis = 0; axis < 2; ++axis) {
    ScatterElementsParams p{
        ElementType::kU8, ScatterReduction::kNone, true, 2, axis, {4, 5}, {2, 3}};
    std::vector<uint8_t> data(20), updates = {1, 2, 3, 4, 5, 6};
    const std::vector<int64_t> indices = {3, 1, 0, -1, 2, 1};
    std::vector<uint8_t> expected = data;
    for (int64_t i = 0; i < 6; ++i) {
      int64_t at[2] = {i / 3, i % 3};
      at[axis] = (indices[i] + p.data_dims[axis]) % p.data_dims[axis];
      expected[at[0] * 5 + at[1]] = updates[i];
    }
    // In place: the data is the destination.
    const IndexedBuffers b{data.data(), indices.data(), data.data(), updates.data()};
    EXPECT_EQ(
        RunAll(2, 3, [&](int phase, Part part) { return RunScatterElements(p, b, phase, part); }),
        Fault::kNone);
    EXPECT_EQ(data, expected);
  }
  EXPECT_TRUE(SupportsScatter(ElementType::kBool, ScatterReduction::kNone));
  EXPECT_FALSE(SupportsScatter(ElementType::kF16, ScatterReduction::kAdd));
  EXPECT_FALSE(SupportsScatter(ElementType::kI4, ScatterReduction::kNone));
}

}  // namespace
}  // namespace cairn::kernels
