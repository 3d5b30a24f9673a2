// SPDX-License-Identifier: Apache-2.0
// Matrix products against sums in double precision.
#include "kernels/matmul/matmul.h"

#include "kernels/kernel_testing.h"

namespace cairn::kernels {
namespace {

int64_t RoundUp(int64_t a, int64_t b) { return (a + b - 1) / b * b; }

struct Case {
  MatmulParams params;
  bool bias = false;
  bool residual = false;
};

struct Operands {
  Buffer a, b, bias, residual;
};

int64_t BatchOffset(const MatmulParams& p, const MatrixStrides& s, int64_t x, int64_t y,
                    int64_t z) {
  (void)p;
  return x * s.batch[0] + y * s.batch[1] + z * s.batch[2];
}

int64_t ColumnOffset(const MatmulParams& p, const MatrixStrides& s, int64_t column) {
  if (&s != &p.a || p.a_block == 0) return column * s.column;
  return column / p.a_block * p.a_block_step + column % p.a_block;
}

int64_t Extent(const MatmulParams& p, const MatrixStrides& s, int64_t rows, int64_t cols) {
  int64_t last = (rows - 1) * s.row + ColumnOffset(p, s, cols - 1);
  for (int d = 0; d < kMatmulBatchDims; ++d) last += (p.batch[d] - 1) * s.batch[d];
  return last + 1;
}

template <class Visit>
void ForEachElement(const MatmulParams& p, Visit visit) {
  for (int64_t x = 0; x < p.batch[0]; ++x)
    for (int64_t y = 0; y < p.batch[1]; ++y)
      for (int64_t z = 0; z < p.batch[2]; ++z)
        for (int64_t i = 0; i < p.m; ++i)
          for (int64_t j = 0; j < p.n; ++j) visit(x, y, z, i, j);
}

double Activate(const Epilogue& epilogue, double x) {
  if (epilogue.activation == Activation::kClip) {
    return std::fmin(std::fmax(x, epilogue.clip_low), epilogue.clip_high);
  }
  if (epilogue.activation == Activation::kHardSwish) {
    return x * std::fmin(std::fmax(x + 3, 0.0), 6.0) / 6;
  }
  return x;
}

/// `p.b` describes the plain matrix even when the product uses its packed form.
void Check(const Case& test, std::mt19937& random) {
  MatmulParams p = test.params;
  Operands in{Buffer(Extent(p, p.a, p.m, p.k)), Buffer(Extent(p, p.b, p.k, p.n)),
              Buffer(RoundUp(p.n, VectorFloats(p.isa))), Buffer(Extent(p, p.c, p.m, p.n))};
  in.a.FillRandom(random);
  in.b.FillRandom(random);
  in.bias.FillRandom(random);
  in.residual.FillRandom(random);
  for (int64_t i = p.n; i < in.bias.size(); ++i) in.bias[i] = 0;
  std::vector<double> expected;
  ForEachElement(p, [&](int64_t x, int64_t y, int64_t z, int64_t i, int64_t j) {
    const float* a = in.a.data() + BatchOffset(p, p.a, x, y, z) + i * p.a.row;
    const float* b = in.b.data() + BatchOffset(p, p.b, x, y, z) + j * p.b.column;
    double sum = test.bias ? in.bias[j] : 0;
    for (int64_t k = 0; k < p.k; ++k) sum += double{a[ColumnOffset(p, p.a, k)]} * b[k * p.b.row];
    if (test.residual) sum += in.residual[BatchOffset(p, p.c, x, y, z) + i * p.c.row + j];
    expected.push_back(Activate(p.epilogue, sum));
  });
  Buffer packed(MatmulPackedFloats(p.isa, p.k, p.n));
  MatmulParams run = p;
  if (p.b_packed) PackMatmul(p.isa, p.k, p.n, in.b.data(), p.b.row, p.b.column, packed.data());
  std::unique_ptr<Buffer> first;
  for (int count : {1, 2, 3, 7}) {
    Buffer workspace(MatmulWorkspaceBytes(run, count) / sizeof(float));
    auto c = std::make_unique<Buffer>(Extent(p, p.c, p.m, p.n), -77.0f);
    const MatmulBuffers buffers{.a = in.a.data(),
                                .b = p.b_packed ? packed.data() : in.b.data(),
                                .bias = test.bias ? in.bias.data() : nullptr,
                                .residual = test.residual ? in.residual.data() : nullptr,
                                .c = c->data(),
                                .workspace = workspace.data()};
    RunParts(MatmulPhases(run), count,
             [&](int phase, Part part) { RunMatmul(run, buffers, phase, part); });
    c->CheckGuards();
    workspace.CheckGuards();
    if (first == nullptr) {
      std::vector<float> actual;
      ForEachElement(p, [&](int64_t x, int64_t y, int64_t z, int64_t i, int64_t j) {
        actual.push_back((*c)[BatchOffset(p, p.c, x, y, z) + i * p.c.row + j]);
      });
      ExpectClose(expected, actual);
      first = std::move(c);
    } else {
      EXPECT_TRUE(SameBits(*first, *c)) << "result depends on the number of shares: " << count;
    }
  }
}

MatmulParams Plain(Isa isa, int64_t m, int64_t n, int64_t k) {
  MatmulParams p{.isa = isa, .m = m, .n = n, .k = k};
  p.a.row = k;
  p.b.row = n;
  p.c.row = n;
  return p;
}

class Matmul : public ::testing::TestWithParam<Isa> {
 protected:
  std::mt19937 random_{7};
  int64_t Pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }
};

TEST_P(Matmul, RandomShapesWithPackedWeights) {
  for (int i = 0; i < 60; ++i) {
    Case test{.params = Plain(GetParam(), Pick(1, 40), Pick(1, 70), Pick(1, 90)),
              .bias = Pick(0, 1) == 1,
              .residual = Pick(0, 1) == 1};
    if (Pick(0, 2) == 0) {
      test.params.epilogue = {.activation = Activation::kClip, .clip_low = 0.0f, .clip_high = 2.0f};
    } else if (Pick(0, 2) == 0) {
      test.params.epilogue = {.activation = Activation::kHardSwish};
    }
    SCOPED_TRACE(testing::Message()
                 << "m " << test.params.m << " n " << test.params.n << " k " << test.params.k);
    Check(test, random_);
  }
}

TEST_P(Matmul, DepthBeyondOnePiece) {
  for (int64_t m : {1, 2, 3, 4, 13})
    Check({.params = Plain(GetParam(), m, 35, 1111), .bias = true}, random_);
  Check({.params = Plain(GetParam(), 500, 17, 530)}, random_);
}

TEST_P(Matmul, RunTimeOperandsInAnyOrder) {
  for (int i = 0; i < 40; ++i) {
    MatmulParams p = Plain(GetParam(), Pick(1, 20), Pick(1, 40), Pick(1, 40));
    p.b_packed = false;
    p.batch = {Pick(1, 2), Pick(1, 3), Pick(1, 2)};
    if (Pick(0, 1) == 1) p.a = {.row = 1, .column = p.m};
    if (Pick(0, 1) == 1) p.b = {.row = 1, .column = p.k};
    int64_t a = p.m * p.k, b = p.k * p.n, c = p.m * p.n;
    const bool repeat_a = Pick(0, 2) == 0, repeat_b = Pick(0, 2) == 0;
    for (int d = kMatmulBatchDims - 1; d >= 0; --d) {
      p.a.batch[d] = repeat_a && d != 1 ? 0 : a;
      p.b.batch[d] = repeat_b && d != 0 ? 0 : b;
      p.c.batch[d] = c;
      a *= p.batch[d];
      b *= p.batch[d];
      c *= p.batch[d];
    }
    Check({.params = p, .bias = Pick(0, 1) == 1}, random_);
  }
}

TEST_P(Matmul, RowMajorOperandOfWholeVectors) {
  for (int64_t m : {1, 3, 7, 64, 65}) {
    MatmulParams p = Plain(GetParam(), m, 48, 801);
    p.b_packed = false;
    p.b.row = 50;
    Check({.params = p, .bias = true}, random_);
  }
}

TEST_P(Matmul, HeadsInsideRowsByStrides) {
  // [batch, row, head, depth] x [batch, column, head, depth] transposed, as attention scores.
  const int64_t batch = 2, rows = 19, heads = 3, depth = 16;
  MatmulParams p{.isa = GetParam(), .batch = {1, batch, heads}, .m = rows, .n = rows, .k = depth};
  p.a = {.batch = {0, rows * heads * depth, depth}, .row = heads * depth};
  p.b = {.batch = {0, rows * heads * depth, depth}, .row = 1, .column = heads * depth};
  p.c = {.batch = {0, heads * rows * rows, rows * rows}, .row = rows};
  p.b_packed = false;
  Check({.params = p}, random_);
}

TEST_P(Matmul, BatchOfSharedWeightsBecomesRows) {
  MatmulParams p = Plain(GetParam(), 1, 24, 20);
  p.batch = {2, 3, 5};
  p.a.batch = {300, 100, 20};
  p.c.batch = {360, 120, 24};
  Check({.params = p, .bias = true, .residual = true}, random_);
}

TEST_P(Matmul, RowsThatArePixelsOfABlockedImage) {
  const int64_t c0 = VectorFloats(GetParam());
  for (int i = 0; i < 20; ++i) {
    const int64_t pixels = Pick(1, 30), channels = Pick(1, 70), images = Pick(1, 3);
    Case test{.params = Plain(GetParam(), pixels, Pick(1, 50), channels), .bias = true};
    MatmulParams& p = test.params;
    p.a.row = p.a_block = c0;
    p.a_block_step = pixels * c0;
    p.batch[2] = images;
    p.a.batch[2] = RoundUp(channels, c0) * pixels;
    p.c.batch[2] = p.m * p.n;
    SCOPED_TRACE(testing::Message() << pixels << " pixels, " << channels << " channels");
    Check(test, random_);
  }
}

TEST_P(Matmul, RowsThatShareCacheSets) {
  Check({.params = Plain(GetParam(), 37, 270, 1024), .bias = true}, random_);
  MatmulParams p = Plain(GetParam(), 6, 260, 512);
  p.batch = {1, 2, 3};
  p.a.batch = {0, 3 * 6 * 512, 6 * 512};
  p.c.batch = {0, 3 * 6 * 260, 6 * 260};
  Check({.params = p, .residual = true}, random_);
}

TEST_P(Matmul, EmptySumsAreBiasAndEmptyResultsAreNothing) {
  for (int64_t m : {2, 9}) {
    MatmulParams p = Plain(GetParam(), m, 19, 0);
    Buffer bias(RoundUp(19, VectorFloats(p.isa))), c(m * 19, -1.0f);
    bias.FillRandom(random_);
    RunMatmul(p, {.bias = bias.data(), .c = c.data()}, 0, {});
    for (int64_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], bias[i % 19]);
  }
  for (auto [m, n] : {std::pair<int64_t, int64_t>{0, 5}, {5, 0}, {0, 0}}) {
    MatmulParams p = Plain(GetParam(), m, n, 4);
    for (bool packed : {true, false}) {
      p.b_packed = packed;
      Buffer a(20), b(20), c(1), workspace(MatmulWorkspaceBytes(p, 2) / 4);
      const MatmulBuffers buffers{
          .a = a.data(), .b = b.data(), .c = c.data(), .workspace = workspace.data()};
      RunParts(MatmulPhases(p), 2,
               [&](int phase, Part part) { RunMatmul(p, buffers, phase, part); });
      c.CheckGuards();
    }
  }
}

TEST_P(Matmul, NotANumberStaysInItsRow) {
  MatmulParams p = Plain(GetParam(), 9, 21, 30);
  p.epilogue = {.activation = Activation::kClip, .clip_low = 0.0f};
  Buffer a(p.m * p.k, 1.0f), b(p.k * p.n, 0.5f), packed(MatmulPackedFloats(p.isa, p.k, p.n)),
      c(p.m * p.n);
  a[4 * p.k + 7] = std::numeric_limits<float>::quiet_NaN();
  a[6 * p.k + 1] = std::numeric_limits<float>::infinity();
  PackMatmul(p.isa, p.k, p.n, b.data(), p.b.row, 1, packed.data());
  RunMatmul(p, {.a = a.data(), .b = packed.data(), .c = c.data()}, 0, {});
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      const float x = c[i * p.n + j];
      if (i == 4)
        EXPECT_TRUE(std::isnan(x));
      else if (i == 6)
        EXPECT_TRUE(std::isinf(x));
      else
        EXPECT_EQ(x, 15.0f);
    }
  }
}

void Double(const void* context, const TileRegion& region) {
  *static_cast<int64_t*>(const_cast<void*>(context)) += region.rows * region.cols;
  for (int64_t r = 0; r < region.rows; ++r) {
    for (int64_t c = 0; c < region.cols; ++c) {
      region.data[r * region.row_stride + c] += 1000.0f * (region.row0 + r) + region.col0 + c;
    }
  }
}

TEST_P(Matmul, HookSeesEachElementOnce) {
  MatmulParams p = Plain(GetParam(), 131, 37, 600);
  int64_t visited = 0;
  p.epilogue.hook = {.apply = Double, .context = &visited};
  Buffer a(p.m * p.k), b(p.k * p.n), packed(MatmulPackedFloats(p.isa, p.k, p.n)), c(p.m * p.n);
  PackMatmul(p.isa, p.k, p.n, b.data(), p.b.row, 1, packed.data());
  RunParts(1, 3, [&](int phase, Part part) {
    RunMatmul(p, {.a = a.data(), .b = packed.data(), .c = c.data()}, phase, part);
  });
  EXPECT_EQ(visited, p.m * p.n);
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) ASSERT_EQ(c[i * p.n + j], 1000.0f * i + j);
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Matmul, ::testing::ValuesIn(AvailableIsas()), [](const auto& info) {
  return info.param == Isa::kAvx2 ? "avx2" : info.param == Isa::kAvx3 ? "avx3" : "neon";
});

}  // namespace
}  // namespace cairn::kernels
