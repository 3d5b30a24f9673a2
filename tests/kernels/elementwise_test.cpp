// SPDX-License-Identifier: Apache-2.0
// The element-wise engine: broadcasting, storage types, blocked layouts, partition, programs,
// epilogue.
#include "kernels/elementwise/elementwise.h"

#include <bit>

#include "base/half.h"
#include "kernel_testing.h"
#include "kernels/elementwise/epilogue_program.h"

namespace cairn::kernels {
namespace {

// A tensor of any supported type with room for every element that the strides reach.
struct Tensor {
  EltOperand operand{};
  std::vector<uint8_t> bytes;
  int64_t count = 0;

  double Get(int64_t i) const {
    const void* p = bytes.data();
    switch (operand.type) {
      case ElementType::kF32:
        return static_cast<const float*>(p)[i];
      case ElementType::kF16:
        return F16ToF32(static_cast<const uint16_t*>(p)[i]);
      case ElementType::kBf16:
        return Bf16ToF32(static_cast<const uint16_t*>(p)[i]);
      case ElementType::kI32:
        return static_cast<const int32_t*>(p)[i];
      case ElementType::kI64:
        return static_cast<double>(static_cast<const int64_t*>(p)[i]);
      case ElementType::kI8:
        return static_cast<const int8_t*>(p)[i];
      default:
        return bytes[i];
    }
  }
  void Set(int64_t i, float value) {
    void* p = bytes.data();
    switch (operand.type) {
      case ElementType::kF32:
        static_cast<float*>(p)[i] = value;
        break;
      case ElementType::kF16:
        static_cast<uint16_t*>(p)[i] = F32ToF16(value);
        break;
      case ElementType::kBf16:
        static_cast<uint16_t*>(p)[i] = F32ToBf16(value);
        break;
      case ElementType::kI32:
        static_cast<int32_t*>(p)[i] = static_cast<int32_t>(value);
        break;
      case ElementType::kI64:
        static_cast<int64_t*>(p)[i] = static_cast<int64_t>(value);
        break;
      case ElementType::kI8:
        static_cast<int8_t*>(p)[i] = static_cast<int8_t>(value);
        break;
      case ElementType::kBool:
        bytes[i] = value != 0;
        break;
      default:
        bytes[i] = static_cast<uint8_t>(value);
        break;
    }
  }
};

// Dense over the dimensions with broadcast[i] == false.
Tensor MakeTensor(ElementType type, const std::vector<int64_t>& dims,
                  const std::vector<bool>& broadcast, std::mt19937& random) {
  Tensor t;
  t.operand.type = type;
  t.count = 1;
  for (int i = static_cast<int>(dims.size()) - 1; i >= 0; --i) {
    t.operand.strides[i] = broadcast[i] ? 0 : t.count;
    if (!broadcast[i]) t.count *= dims[i];
  }
  t.bytes.resize(ElementBytes(type, t.count));
  std::uniform_real_distribution<float> uniform(-9, 9);
  for (int64_t i = 0; i < t.count; ++i) t.Set(i, std::abs(uniform(random)));
  return t;
}

int64_t Offset(const EltOperand& operand, const std::vector<int64_t>& dims, int64_t flat) {
  int64_t offset = 0;
  for (int i = static_cast<int>(dims.size()) - 1; i >= 0; --i) {
    offset += flat % dims[i] * operand.strides[i];
    flat /= dims[i];
  }
  return offset;
}

EltParams MakeParams(Isa isa, const EltProgram& program, const std::vector<int64_t>& dims,
                     const std::vector<Tensor*>& inputs, const std::vector<Tensor*>& outputs) {
  EltParams p{};
  p.isa = isa;
  p.program = program;
  p.rank = static_cast<int>(dims.size());
  std::copy(dims.begin(), dims.end(), p.dims);
  for (size_t i = 0; i < inputs.size(); ++i) p.inputs[i] = inputs[i]->operand;
  for (size_t i = 0; i < outputs.size(); ++i) p.outputs[i] = outputs[i]->operand;
  return p;
}

void Compute(const EltParams& params, const std::vector<Tensor*>& inputs,
             const std::vector<Tensor*>& outputs, int parts) {
  std::vector<const void*> in;
  std::vector<void*> out;
  for (Tensor* t : inputs) in.push_back(t->bytes.data());
  for (Tensor* t : outputs) out.push_back(t->bytes.data());
  const EltBuffers buffers{in.data(), out.data()};
  RunParts(ElementwisePhases(params), parts,
           [&](int phase, Part part) { RunElementwise(params, buffers, phase, part); });
}

// (a + b) * c and a < b.
EltProgram SumProductAndLess() {
  EltProgramBuilder builder;
  const auto a = builder.Input(), b = builder.Input(), c = builder.Input();
  builder.Output(builder.Emit(EltOp::kMul, builder.Emit(EltOp::kAdd, a, b), c));
  builder.Output(builder.Emit(EltOp::kLess, a, b));
  return *builder.Build();
}

TEST(Elementwise, BroadcastsMixedTypesForAnyPartition) {
  std::mt19937 random(5);
  const EltProgram program = SumProductAndLess();
  const std::vector<std::vector<int64_t>> shapes = {{},
                                                    {1},
                                                    {5},
                                                    {3, 7},
                                                    {0, 4},
                                                    {2, 3, 49},
                                                    {2, 5, 64},
                                                    {3, 2100},
                                                    {4, 3, 5, 2},
                                                    {2, 1, 3, 2, 9},
                                                    {2, 2, 2, 2, 2, 17},
                                                    {700, 3},
                                                    {40, 8},
                                                    {40, 16}};
  const ElementType types[] = {ElementType::kF32, ElementType::kF16, ElementType::kBf16,
                               ElementType::kI32, ElementType::kI64, ElementType::kI8,
                               ElementType::kU8,  ElementType::kBool};
  for (Isa isa : AvailableIsas()) {
    for (const auto& dims : shapes) {
      for (int trial = 0; trial < 12; ++trial) {
        std::vector<Tensor> in;
        for (int k = 0; k < 3; ++k) {
          std::vector<bool> broadcast(dims.size());
          for (size_t i = 0; i < dims.size(); ++i) broadcast[i] = k > 0 && random() % 2;
          const bool plain = trial < 6;
          in.push_back(
              MakeTensor(plain ? ElementType::kF32 : types[random() % 8], dims, broadcast, random));
        }
        const std::vector<bool> none(dims.size(), false);
        Tensor sum =
            MakeTensor(trial % 3 == 2 ? ElementType::kF16 : ElementType::kF32, dims, none, random);
        Tensor less = MakeTensor(ElementType::kBool, dims, none, random);
        const std::vector<Tensor*> inputs = {&in[0], &in[1], &in[2]}, outputs = {&sum, &less};
        EltParams params = MakeParams(isa, program, dims, inputs, outputs);
        if (trial % 2) CollapseDims(params);
        Compute(params, inputs, outputs, 1);
        const std::vector<uint8_t> sum_bytes = sum.bytes, less_bytes = less.bytes;
        for (int64_t i = 0; i < sum.count; ++i) {
          const double a = in[0].Get(Offset(in[0].operand, dims, i));
          const double b = in[1].Get(Offset(in[1].operand, dims, i));
          const double c = in[2].Get(Offset(in[2].operand, dims, i));
          const double tolerance = sum.operand.type == ElementType::kF16 ? 1e-3 : 1e-6;
          ASSERT_NEAR(sum.Get(i), (a + b) * c, tolerance * std::abs((a + b) * c) + 1e-6);
          ASSERT_EQ(less.Get(i), a < b);
        }
        for (int parts : {2, 3}) {
          std::fill(sum.bytes.begin(), sum.bytes.end(), 0xee);
          Compute(params, inputs, outputs, parts);
          ASSERT_EQ(sum.bytes, sum_bytes);
          ASSERT_EQ(less.bytes, less_bytes);
        }
      }
    }
  }
}

// Blocked [N, ceil(C/C0), pixels, C0]: exp is not 0 at 0, so the unused lanes need zeroing.
TEST(Elementwise, BlockedLayoutKeepsUnusedLanesZero) {
  EltProgramBuilder builder;
  const auto x = builder.Input(), scale = builder.Input(), pixel = builder.Input();
  builder.Output(builder.Emit(
      EltOp::kAdd, builder.Emit(EltOp::kExp, builder.Emit(EltOp::kMul, x, scale)), pixel));
  const EltProgram program = *builder.Build();
  std::mt19937 random(9);
  for (Isa isa : AvailableIsas()) {
    const int64_t c0 = VectorFloats(isa), n = 2, pixels = 200;
    for (int64_t channels : {c0 - 3, 2 * c0, 2 * c0 + 1}) {
      const int64_t blocks = (channels + c0 - 1) / c0;
      const std::vector<int64_t> dims = {n, blocks, pixels, c0};
      Tensor a = MakeTensor(ElementType::kF32, dims, {false, false, false, false}, random);
      Tensor b = MakeTensor(ElementType::kF32, dims, {true, false, true, false}, random);
      Tensor c = MakeTensor(ElementType::kF32, dims, {false, true, false, true}, random);
      Tensor y = MakeTensor(ElementType::kF32, dims, {false, false, false, false}, random);
      for (int64_t i = 0; i < a.count; ++i) a.Set(i, static_cast<float>(a.Get(i) / 9));
      const std::vector<Tensor*> inputs = {&a, &b, &c}, outputs = {&y};
      EltParams params = MakeParams(isa, program, dims, inputs, outputs);
      params.mask_dim = 1;
      params.mask_channels = channels;
      for (bool collapse : {false, true}) {
        if (collapse) CollapseDims(params);
        for (int parts : {1, 3}) {
          std::fill(y.bytes.begin(), y.bytes.end(), 0xee);
          Compute(params, inputs, outputs, parts);
          for (int64_t i = 0; i < y.count; ++i) {
            const int64_t channel = i / (pixels * c0) % blocks * c0 + i % c0;
            const double exact = std::exp(a.Get(i) * b.Get(Offset(b.operand, dims, i))) +
                                 c.Get(Offset(c.operand, dims, i));
            if (channel >= channels) {
              ASSERT_EQ(y.Get(i), 0);
            } else {
              ASSERT_NEAR(y.Get(i), exact, 1e-6 * exact);
            }
          }
        }
      }
    }
  }
}

TEST(Elementwise, ComputesInPlaceAndCopies) {
  EltProgramBuilder builder;
  const auto x = builder.Input();
  builder.Output(builder.Emit(EltOp::kRelu, builder.Emit(EltOp::kNeg, x)));
  builder.Output(builder.Constant(3.0f));
  const EltProgram program = *builder.Build();
  ASSERT_TRUE(MayAlias(program, 0, 0));
  std::mt19937 random(4);
  for (Isa isa : AvailableIsas()) {
    Tensor a = MakeTensor(ElementType::kF32, {1237}, {false}, random);
    for (int64_t i = 0; i < a.count; i += 2) a.Set(i, static_cast<float>(-a.Get(i)));
    const Tensor before = a;
    Tensor threes = MakeTensor(ElementType::kI64, {1237}, {false}, random);
    const EltParams params = MakeParams(isa, program, {1237}, {&a}, {&a, &threes});
    Compute(params, {&a}, {&a, &threes}, 2);
    for (int64_t i = 0; i < a.count; ++i) {
      ASSERT_EQ(a.Get(i), std::max(0.0, -before.Get(i)));
      ASSERT_EQ(threes.Get(i), 3);
    }
  }
}

TEST(Elementwise, NarrowingRoundsToEvenAndSaturates) {
  EltProgramBuilder builder;
  builder.Output(builder.Input());
  const EltProgram program = *builder.Build();
  std::mt19937 random(6);
  std::vector<float> values = {1e30f,
                               -1e30f,
                               300.5f,
                               -300.5f,
                               127.9f,
                               65519.9f,
                               65520.0f,
                               1.00048828125f,
                               1.0009765625f,
                               1.00390625f,
                               1.01171875f,
                               std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               2147483648.0f};
  while (values.size() < 333) {
    values.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
  }
  const std::vector<int64_t> dims = {static_cast<int64_t>(values.size())};
  for (Isa isa : AvailableIsas()) {
    Tensor x = MakeTensor(ElementType::kF32, dims, {false}, random);
    for (size_t i = 0; i < values.size(); ++i) x.Set(i, values[i]);
    for (ElementType type : {ElementType::kF16, ElementType::kBf16}) {
      Tensor y = MakeTensor(type, dims, {false}, random);
      Compute(MakeParams(isa, program, dims, {&x}, {&y}), {&x}, {&y}, 1);
      Tensor expected = y;
      for (size_t i = 0; i < values.size(); ++i) expected.Set(i, values[i]);
      for (size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) {
          ASSERT_TRUE(std::isnan(y.Get(i)));
        } else {
          ASSERT_EQ(y.Get(i), expected.Get(i)) << values[i] << " to " << type;
        }
      }
    }
    Tensor y = MakeTensor(ElementType::kI8, dims, {false}, random);
    Compute(MakeParams(isa, program, dims, {&x}, {&y}), {&x}, {&y}, 1);
    const double expected[] = {127, -128, 127, -128, 127};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(y.Get(i), expected[i]);
    EXPECT_EQ(y.Get(12), 0);
    Tensor wide = MakeTensor(ElementType::kI32, dims, {false}, random);
    Compute(MakeParams(isa, program, dims, {&x}, {&wide}), {&x}, {&wide}, 1);
    EXPECT_EQ(wide.Get(13), 2147483647.0);
  }
}

TEST(ElementwiseProgram, RejectsBadPrograms) {
  EltProgram good = SumProductAndLess();
  EXPECT_TRUE(ValidateProgram(good).ok());
  const auto broken = [&](auto change) {
    EltProgram p = good;
    change(p);
    return !ValidateProgram(p).ok();
  };
  EXPECT_TRUE(broken([](EltProgram& p) { p.code[0].a = 3; }));
  EXPECT_TRUE(broken([](EltProgram& p) { p.code[0].dst = 0; }));
  EXPECT_TRUE(broken([](EltProgram& p) { p.code[0].op = EltOp::kCount; }));
  EXPECT_TRUE(broken([](EltProgram& p) { p.code[1].a = kEltNumValues - 1; }));
  EXPECT_TRUE(broken([](EltProgram& p) { p.num_instructions = kEltMaxInstructions + 1; }));
  EXPECT_TRUE(broken([](EltProgram& p) { p.num_outputs = 0; }));
  EXPECT_TRUE(broken([](EltProgram& p) { p.outputs[1] = p.outputs[0]; }));
  EXPECT_TRUE(broken([](EltProgram& p) { p.outputs[0] = 255; }));
}

TEST(ElementwiseProgram, AliasingNeedsTheInputToBeDead) {
  EltProgramBuilder builder;
  const auto a = builder.Input(), b = builder.Input();
  builder.Output(builder.Emit(EltOp::kAdd, a, b));
  builder.Output(builder.Emit(EltOp::kNeg, a));
  const EltProgram p = *builder.Build();
  EXPECT_FALSE(MayAlias(p, 0, 0));
  EXPECT_TRUE(MayAlias(p, 0, 1));
  EXPECT_TRUE(MayAlias(p, 1, 0));
}

TEST(ElementwiseProgram, LongChainsReuseRegisters) {
  EltProgramBuilder builder;
  auto v = builder.Input();
  for (int i = 0; i < 60; ++i) v = builder.Emit(EltOp::kAdd, v, builder.Constant(1.0f));
  builder.Output(v);
  const auto program = builder.Build();
  ASSERT_TRUE(program.ok());
  for (int i = 0; i < 60; ++i) EXPECT_LE(program->code[i].dst, kEltTemp0 + 1);
}

TEST(ElementwiseEpilogue, AppliesToRegionsOfAnyShape) {
  EltProgramBuilder builder;
  const auto x = builder.Input(), bias = builder.Input(), row = builder.Input();
  const auto other = builder.Input(), scale = builder.Input();
  auto v = builder.Emit(EltOp::kAdd, x, bias);
  v = builder.Emit(EltOp::kMulAdd, other, scale, v);
  builder.Output(builder.Emit(EltOp::kMul, builder.Emit(EltOp::kTanh, v), row));
  const EltProgram program = *builder.Build();
  std::mt19937 random(8);
  for (Isa isa : AvailableIsas()) {
    for (int64_t cols : {1, 8, 16, 24, 37, 1100}) {
      const int64_t rows = 50, stride = cols + 3, row0 = 4, col0 = 2;
      Buffer result(rows * stride + 16), tensor(result.size()), per_col(col0 + cols),
          per_row(row0 + rows), factor(1, 0.25f);
      for (Buffer* b : {&result, &tensor, &per_col, &per_row}) b->FillRandom(random);
      Buffer before(result.size());
      std::copy_n(result.data(), result.size(), before.data());
      const EpilogueOperand operands[] = {{EpilogueOperandKind::kResult, nullptr},
                                          {EpilogueOperandKind::kPerColumn, per_col.data()},
                                          {EpilogueOperandKind::kPerRow, per_row.data()},
                                          {EpilogueOperandKind::kTensor, tensor.data()},
                                          {EpilogueOperandKind::kScalar, factor.data()}};
      const EpilogueProgram context = MakeEpilogueProgram(isa, program, operands, result.data());
      ApplyEpilogueProgram(&context, {result.data() + 5, stride, rows, cols, row0, col0});
      for (int64_t i = 0; i < result.size(); ++i) {
        const int64_t r = (i - 5) / stride, c = (i - 5) % stride;
        if (i < 5 || r >= rows || c >= cols) {
          ASSERT_EQ(result[i], before[i]);
        } else {
          const double sum = before[i] + per_col[col0 + c] + 0.25 * tensor[i];
          ASSERT_NEAR(result[i], std::tanh(sum) * per_row[row0 + r], 5e-7);
        }
      }
      result.CheckGuards();
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
