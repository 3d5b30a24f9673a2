// SPDX-License-Identifier: Apache-2.0
// Models with gears through the C API: each gear equals the static model of its shape.
#include <algorithm>
#include <chrono>

#include "dynamic/dynamic_model.h"
#include "executable/om_reader.h"

namespace cairn::testing {
namespace {

constexpr size_t kAnyInput = static_cast<size_t>(-1);

class Gears : public DynamicModelTest {
 protected:
  void SetUp() override {
    DynamicModelTest::SetUp();
    WriteModel("conv.onnx", ConvGraph("N", "H", "W"));
  }
  /// The outputs of the static model for x of `dims`.
  std::vector<std::vector<float>> RunStatic(const std::vector<int64_t>& dims,
                                            std::vector<float>& x) {
    EXPECT_TRUE(Compile("conv.onnx", "static.om", {{"x", Dims(dims.begin(), dims.end())}}))
        << report_text();
    const uint32_t model = Load("static.om");
    auto [y, z] = OutputsFor(dims);
    TestBuffers inputs, outputs;
    inputs.Add(x.data(), x.size() * 4);
    outputs.Add(y.data(), y.size() * 4).Add(z.data(), z.size() * 4);
    EXPECT_EQ(aclmdlExecute(model, inputs.get(), outputs.get()), ACL_SUCCESS) << AclText();
    aclmdlUnload(model);
    return {y, z};
  }
  static std::pair<std::vector<float>, std::vector<float>> OutputsFor(
      const std::vector<int64_t>& dims) {
    const auto n = static_cast<size_t>(dims[0]);
    const auto pixels = static_cast<size_t>((dims[2] / 2) * (dims[3] / 2));
    return {std::vector<float>(n * 5), std::vector<float>(n * 8 * pixels)};
  }
  static size_t Count(const std::vector<int64_t>& dims) {
    size_t count = 1;
    for (int64_t dim : dims) count *= static_cast<size_t>(dim);
    return count;
  }
};

TEST_F(Gears, BatchesEqualTheStaticModel) {
  const auto gears = GearsOf(ShapeKind::kBatchGears, {-1, 3, 10, 12}, {{1}, {2}, {5}});
  ASSERT_TRUE(Compile("conv.onnx", "gears.om", {}, gears)) << report_text();
  const uint32_t model = Load("gears.om");
  aclmdlDesc* desc = aclmdlCreateDesc();
  ASSERT_EQ(aclmdlGetDesc(desc, model), ACL_SUCCESS);
  ASSERT_EQ(aclmdlGetNumInputs(desc), 2u);
  size_t index = 0;
  ASSERT_EQ(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &index), ACL_SUCCESS);
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 0), 5u * 3 * 10 * 12 * 4);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 1), 4u);
  EXPECT_EQ(aclmdlGetOutputSizeByIndex(desc, 0), 5u * 5 * 4);
  aclmdlIODims dims;
  ASSERT_EQ(aclmdlGetInputDims(desc, 0, &dims), ACL_SUCCESS);
  EXPECT_EQ(dims.dims[0], -1);
  EXPECT_EQ(dims.dims[3], 12);
  ASSERT_EQ(aclmdlGetOutputDims(desc, 0, &dims), ACL_SUCCESS);
  EXPECT_EQ(dims.dims[0], -1);
  EXPECT_EQ(dims.dims[1], 5);
  ASSERT_EQ(aclmdlGetCurOutputDims(desc, 0, &dims), ACL_SUCCESS);
  EXPECT_EQ(dims.dims[0], 5);
  aclmdlBatch batches{};
  ASSERT_EQ(aclmdlGetDynamicBatch(desc, &batches), ACL_SUCCESS);
  ASSERT_EQ(batches.batchCount, 3u);
  EXPECT_EQ(batches.batch[1], 2u);

  for (int64_t n : {2, 1, 5, 2}) {
    const std::vector<int64_t> shape = {n, 3, 10, 12};
    std::vector<float> x = RandomFloats(Count(shape), static_cast<uint32_t>(n));
    const auto expected = RunStatic(shape, x);
    auto [y, z] = OutputsFor({5, 3, 10, 12});
    std::fill(y.begin(), y.end(), -77.0f);
    uint32_t chosen = 0;
    TestBuffers inputs, outputs;
    inputs.Add(x.data(), x.size() * 4).Add(&chosen, 4);
    outputs.Add(y.data(), y.size() * 4).Add(z.data(), z.size() * 4);
    ASSERT_EQ(aclmdlSetDynamicBatchSize(model, inputs.get(), 1, static_cast<uint64_t>(n)),
              ACL_SUCCESS)
        << AclText();
    EXPECT_EQ(chosen, static_cast<uint32_t>(n));
    ASSERT_EQ(aclmdlGetCurOutputDims(desc, 0, &dims), ACL_SUCCESS);
    EXPECT_EQ(dims.dims[0], n);
    ASSERT_EQ(aclmdlExecute(model, inputs.get(), outputs.get()), ACL_SUCCESS) << AclText();
    EXPECT_TRUE(std::equal(expected[0].begin(), expected[0].end(), y.begin()));
    EXPECT_TRUE(std::equal(expected[1].begin(), expected[1].end(), z.begin()));
    if (n < 5) {
      EXPECT_EQ(y.back(), -77.0f);
    }
  }
  aclmdlDestroyDesc(desc);
}

TEST_F(Gears, ImageSizesTakeBuffersOfTheLargestOrTheExactSize) {
  const auto gears = GearsOf(ShapeKind::kImageGears, {2, 3, -1, -1}, {{8, 8}, {20, 12}, {12, 20}});
  ASSERT_TRUE(Compile("conv.onnx", "gears.om", {}, gears)) << report_text();
  const uint32_t model = Load("gears.om");
  const size_t most = Count({2, 3, 20, 12});
  for (const auto& [h, w] : {std::pair<int64_t, int64_t>{12, 20}, {8, 8}}) {
    const std::vector<int64_t> shape = {2, 3, h, w};
    std::vector<float> x = RandomFloats(Count(shape), 3);
    const auto expected = RunStatic(shape, x);
    for (const size_t given : {x.size(), most}) {
      std::vector<float> data = x;
      data.resize(given, 1e9f);
      auto [y, z] = OutputsFor({2, 3, 20, 12});
      std::vector<uint64_t> chosen(2);
      TestBuffers inputs, outputs;
      inputs.Add(data.data(), given * 4).Add(chosen.data(), 16);
      outputs.Add(y.data(), y.size() * 4).Add(z.data(), z.size() * 4);
      ASSERT_EQ(aclmdlSetDynamicHWSize(model, inputs.get(), 1, static_cast<uint64_t>(h),
                                       static_cast<uint64_t>(w)),
                ACL_SUCCESS)
          << AclText();
      EXPECT_EQ(chosen[1], static_cast<uint64_t>(w));
      ASSERT_EQ(aclmdlExecute(model, inputs.get(), outputs.get()), ACL_SUCCESS) << AclText();
      EXPECT_TRUE(std::equal(expected[1].begin(), expected[1].end(), z.begin()));
    }
  }
}

TEST_F(Gears, DimsAreGivenAsOneList) {
  const auto gears = GearsOf(ShapeKind::kDimsGears, {-1, 3, 8, -1}, {{1, 8}, {3, 16}});
  ASSERT_TRUE(Compile("conv.onnx", "gears.om", {}, gears)) << report_text();
  const uint32_t model = Load("gears.om");
  aclmdlDesc* desc = aclmdlCreateDesc();
  ASSERT_EQ(aclmdlGetDesc(desc, model), ACL_SUCCESS);
  size_t count = 0;
  ASSERT_EQ(aclmdlGetInputDynamicGearCount(desc, kAnyInput, &count), ACL_SUCCESS);
  ASSERT_EQ(count, 2u);
  std::vector<aclmdlIODims> list(2);
  EXPECT_EQ(aclmdlGetInputDynamicDims(desc, kAnyInput, list.data(), 1), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclmdlGetInputDynamicDims(desc, kAnyInput, list.data(), 2), ACL_SUCCESS);
  ASSERT_EQ(list[1].dimCount, 4u);
  EXPECT_EQ(list[1].dims[0], 3);
  EXPECT_EQ(list[1].dims[2], 8);
  EXPECT_EQ(list[1].dims[3], 16);
  aclmdlDestroyDesc(desc);

  std::vector<float> x = RandomFloats(Count({3, 3, 8, 16}), 9);
  const auto expected = RunStatic({3, 3, 8, 16}, x);
  auto [y, z] = OutputsFor({3, 3, 8, 16});
  uint32_t chosen[2] = {};
  TestBuffers inputs, outputs;
  inputs.Add(x.data(), x.size() * 4).Add(chosen, sizeof(chosen));
  outputs.Add(y.data(), y.size() * 4).Add(z.data(), z.size() * 4);
  aclmdlIODims wrong = list[1];
  wrong.dims[3] = 17;
  EXPECT_EQ(aclmdlSetInputDynamicDims(model, inputs.get(), 1, &wrong),
            ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
  EXPECT_NE(AclText().find("[3,3,8,16]"), std::string::npos);
  wrong.dims[2] = 9;
  EXPECT_EQ(aclmdlSetInputDynamicDims(model, inputs.get(), 1, &wrong),
            ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
  EXPECT_NE(AclText().find("is 8 in every gear"), std::string::npos);
  wrong.dimCount = 3;
  EXPECT_EQ(aclmdlSetInputDynamicDims(model, inputs.get(), 1, &wrong),
            ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
  ASSERT_EQ(aclmdlSetInputDynamicDims(model, inputs.get(), 1, &list[1]), ACL_SUCCESS);
  EXPECT_EQ(chosen[0], 3u);
  EXPECT_EQ(chosen[1], 16u);
  ASSERT_EQ(aclmdlExecute(model, inputs.get(), outputs.get()), ACL_SUCCESS) << AclText();
  EXPECT_EQ(y, expected[0]);
  EXPECT_EQ(z, expected[1]);
}

TEST_F(Gears, TheLargestRunsWhenNoneWasChosen) {
  const auto gears = GearsOf(ShapeKind::kBatchGears, {-1, 3, 8, 8}, {{4}, {2}});
  ASSERT_TRUE(Compile("conv.onnx", "gears.om", {}, gears)) << report_text();
  const uint32_t model = Load("gears.om");
  std::vector<float> x = RandomFloats(Count({4, 3, 8, 8}), 2);
  const auto expected = RunStatic({4, 3, 8, 8}, x);
  auto [y, z] = OutputsFor({4, 3, 8, 8});
  uint32_t unset = 0;
  TestBuffers inputs, outputs;
  inputs.Add(x.data(), x.size() * 4).Add(&unset, 4);
  outputs.Add(y.data(), y.size() * 4).Add(z.data(), z.size() * 4);
  ASSERT_EQ(aclmdlExecute(model, inputs.get(), outputs.get()), ACL_SUCCESS) << AclText();
  EXPECT_EQ(y, expected[0]);
}

TEST_F(Gears, MistakesAreNamed) {
  const auto gears = GearsOf(ShapeKind::kBatchGears, {-1, 3, 8, 8}, {{1}, {4}});
  ASSERT_TRUE(Compile("conv.onnx", "gears.om", {}, gears)) << report_text();
  const uint32_t model = Load("gears.om");
  std::vector<float> x(Count({4, 3, 8, 8}));
  auto [y, z] = OutputsFor({4, 3, 8, 8});
  uint32_t chosen = 0;
  uint16_t tiny = 0;
  TestBuffers inputs, outputs, small, few, with_tiny;
  inputs.Add(x.data(), x.size() * 4).Add(&chosen, 4);
  with_tiny.Add(x.data(), x.size() * 4).Add(&tiny, 2);
  few.Add(x.data(), x.size() * 4);
  outputs.Add(y.data(), y.size() * 4).Add(z.data(), z.size() * 4);
  small.Add(y.data(), 4).Add(z.data(), z.size() * 4);

  EXPECT_EQ(aclmdlSetDynamicBatchSize(model, inputs.get(), 1, 3),
            ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
  EXPECT_NE(AclText().find("it has the gears [1],[4]; the nearest is [4]"), std::string::npos);
  EXPECT_EQ(aclmdlSetDynamicBatchSize(model, inputs.get(), 0, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlSetDynamicBatchSize(model, with_tiny.get(), 1, 4),
            ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
  EXPECT_EQ(aclmdlSetDynamicHWSize(model, inputs.get(), 1, 8, 8),
            ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
  const std::string text = AclText();
  EXPECT_NE(text.find("--dynamic_batch_size"), std::string::npos) << text;
  EXPECT_NE(text.find("--dymBatch"), std::string::npos) << text;

  ASSERT_EQ(aclmdlSetDynamicBatchSize(model, inputs.get(), 1, 4), ACL_SUCCESS);
  EXPECT_EQ(aclmdlExecute(model, few.get(), outputs.get()), ACL_ERROR_GE_PARAM_INVALID);
  EXPECT_NE(AclText().find(ACL_DYNAMIC_TENSOR_NAME), std::string::npos);
  EXPECT_EQ(aclmdlExecute(model, inputs.get(), small.get()), ACL_ERROR_GE_PARAM_INVALID);
  chosen = 9;
  EXPECT_EQ(aclmdlExecute(model, inputs.get(), outputs.get()), ACL_ERROR_GE_PARAM_INVALID);
  EXPECT_NE(AclText().find("[9] is not a gear"), std::string::npos);
}

TEST_F(Gears, ConstantsAreStoredOnce) {
  ASSERT_TRUE(Compile("conv.onnx", "static.om", {{"x", {4, 3, 16, 16}}})) << report_text();
  std::vector<std::vector<int64_t>> batches;
  for (int64_t n = 1; n <= 12; ++n) batches.push_back({n});
  ASSERT_TRUE(Compile("conv.onnx", "gears.om", {},
                      GearsOf(ShapeKind::kBatchGears, {-1, 3, 16, 16}, batches)))
      << report_text();
  auto one = OmFile::Map(Path("static.om")), many = OmFile::Map(Path("gears.om"));
  ASSERT_TRUE(one.ok() && many.ok());
  EXPECT_LE(many->partition(OmPartition::kWeights).size(),
            2 * one->partition(OmPartition::kWeights).size());
}

TEST_F(Gears, DamagedGearsAreRefusedWhenTheyAreUsed) {
  const auto gears = GearsOf(ShapeKind::kBatchGears, {-1, 3, 8, 8}, {{1}, {4}});
  ASSERT_TRUE(Compile("conv.onnx", "gears.om", {}, gears)) << report_text();
  auto file = OmFile::Map(Path("gears.om"));
  ASSERT_TRUE(file.ok());
  const auto image = file->Image();
  ASSERT_TRUE(image.ok());
  std::vector<std::byte> bytes(image->program.begin(), image->program.end());
  const auto program = ReadProgram(bytes);
  ASSERT_TRUE(program.ok());
  ASSERT_EQ(program->gears.size(), 2u);
  for (const ProgramGear& gear : program->gears) {
    const auto part = std::span(bytes).subspan(gear.offset, gear.bytes);
    EXPECT_TRUE(ReadProgram(part).ok());
    part[gear.bytes / 2] ^= std::byte{1};
    EXPECT_FALSE(ReadProgram(part).ok());
  }
  for (size_t size = 0; size < bytes.size(); size += 97)
    EXPECT_FALSE(ReadProgram(std::span(bytes).first(size)).ok()) << size;
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(ReadProgram(bytes).ok());
}

}  // namespace
}  // namespace cairn::testing
