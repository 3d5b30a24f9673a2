// SPDX-License-Identifier: Apache-2.0
// Models of open shapes through the C API: each shape equals the static model of it.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "dynamic/dynamic_model.h"

namespace cairn::testing {
namespace {

struct Output {
  std::vector<int64_t> dims;
  std::vector<float> data;
};

/// An input of floats.
struct Input {
  std::vector<int64_t> dims;
  std::vector<float> data;
};

size_t Count(const std::vector<int64_t>& dims) {
  size_t count = 1;
  for (int64_t dim : dims) count *= static_cast<size_t>(dim);
  return count;
}

Input RandomInput(const std::vector<int64_t>& dims, uint32_t seed) {
  return {dims, RandomFloats(Count(dims), seed)};
}

class OpenShapes : public DynamicModelTest {
 protected:
  /// Runs with outputs that the runtime allocates.
  aclError Run(uint32_t model, std::vector<Input> given, size_t num_outputs,
               std::vector<Output>& results) {
    TestBuffers inputs, outputs;
    for (size_t i = 0; i < given.size(); ++i) {
      inputs.Add(given[i].data.data(), given[i].data.size() * sizeof(float));
      inputs.SetShape(i, given[i].dims);
    }
    for (size_t i = 0; i < num_outputs; ++i) outputs.Add(nullptr, 0);
    const aclError code = aclmdlExecute(model, inputs.get(), outputs.get());
    results.clear();
    for (size_t i = 0; i < num_outputs && code == ACL_SUCCESS; ++i) {
      aclDataBuffer* buffer = aclmdlGetDatasetBuffer(outputs.get(), i);
      const aclTensorDesc* desc = aclmdlGetDatasetTensorDesc(outputs.get(), i);
      Output output;
      for (size_t d = 0; d < aclGetTensorDescNumDims(desc); ++d) {
        int64_t dim = 0;
        aclGetTensorDescDimV2(desc, d, &dim);
        output.dims.push_back(dim);
      }
      auto* data = static_cast<float*>(aclGetDataBufferAddr(buffer));
      output.data.assign(data, data + Count(output.dims));
      EXPECT_EQ(aclGetDataBufferSizeV2(buffer), output.data.size() * sizeof(float));
      aclrtFree(data);
      results.push_back(std::move(output));
    }
    return code;
  }
};

void ExpectNear(const Output& actual, const Output& expected) {
  ASSERT_EQ(actual.dims, expected.dims);
  double worst = 0, square = 0;
  for (size_t i = 0; i < actual.data.size(); ++i) {
    worst = std::max<double>(worst, std::fabs(actual.data[i] - expected.data[i]));
    square += double{expected.data[i]} * expected.data[i];
  }
  EXPECT_LE(worst, 1e-4 * std::sqrt(square / std::max<double>(1, double(actual.data.size()))) + 1e-6);
}

TEST_F(OpenShapes, EveryShapeEqualsTheStaticModel) {
  WriteModel("conv.onnx", ConvGraph("N", "H", "W"));
  ASSERT_TRUE(Compile("conv.onnx", "open.om", {})) << report_text();
  const uint32_t model = Load("open.om");
  for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
           {1, 3, 12, 12}, {2, 3, 9, 31}, {1, 3, 12, 12}, {5, 3, 2, 2}, {1, 3, 64, 40}, {1, 3, 12, 12}}) {
    const Input x = RandomInput(shape, static_cast<uint32_t>(shape[2]));
    std::vector<Output> actual;
    ASSERT_EQ(Run(model, {x}, 2, actual), ACL_SUCCESS) << AclText();
    ASSERT_TRUE(Compile("conv.onnx", "static.om", {{"x", Dims(shape.begin(), shape.end())}}));
    const uint32_t fixed = Load("static.om");
    std::vector<Output> expected = {{{shape[0], 5}, std::vector<float>(Count({shape[0], 5}))},
                                    {{shape[0], 8, shape[2] / 2, shape[3] / 2}, {}}};
    expected[1].data.resize(Count(expected[1].dims));
    std::vector<float> data = x.data;
    TestBuffers inputs, outputs;
    inputs.Add(data.data(), data.size() * 4);
    for (Output& output : expected) outputs.Add(output.data.data(), output.data.size() * 4);
    ASSERT_EQ(aclmdlExecute(fixed, inputs.get(), outputs.get()), ACL_SUCCESS) << AclText();
    aclmdlUnload(fixed);
    for (size_t i = 0; i < 2; ++i) ExpectNear(actual[i], expected[i]);
  }
}

TEST_F(OpenShapes, MistakesAreNamed) {
  WriteModel("conv.onnx", ConvGraph("N", "H", "W"));
  compiler::OpenOptions open;
  open.ranges["x"] = {{1, 4}, {3, 3}, {8, 32}, {8, -1}};
  ASSERT_TRUE(Compile("conv.onnx", "open.om", {{"x", {-1, 3, -1, -1}}}, {}, open)) << report_text();
  const uint32_t model = Load("open.om");
  std::vector<Output> outputs;
  EXPECT_EQ(Run(model, {RandomInput({1, 3, 40, 8}, 1)}, 2, outputs), ACL_ERROR_INVALID_PARAM);
  const std::string text = AclText();
  EXPECT_NE(text.find("'x' has the shape [1,3,40,8], the model takes [1~4,3,8~32,8~]"),
            std::string::npos)
      << text;
  EXPECT_EQ(Run(model, {RandomInput({1, 3, 8}, 1)}, 2, outputs), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(Run(model, {{{1, 3, -8, 8}, std::vector<float>(4)}}, 2, outputs),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(Run(model, {{{1, 3, 8, 8}, std::vector<float>(4)}}, 2, outputs),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(AclText().find("needs 768 bytes, the buffer has 16"), std::string::npos);
  std::vector<float> x(Count({1, 3, 8, 8})), y(2), z(512);
  TestBuffers without_shape, inputs, small;
  without_shape.Add(x.data(), x.size() * 4);
  inputs.Add(x.data(), x.size() * 4);
  inputs.SetShape(0, {1, 3, 8, 8});
  small.Add(y.data(), y.size() * 4).Add(z.data(), z.size() * 4);
  EXPECT_EQ(aclmdlExecute(model, without_shape.get(), small.get()), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(AclText().find("--dymShape"), std::string::npos);
  EXPECT_EQ(aclmdlExecute(model, inputs.get(), small.get()), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(AclText().find("needs 20 bytes, the buffer has 8"), std::string::npos);

  aclmdlDesc* desc = aclmdlCreateDesc();
  ASSERT_EQ(aclmdlGetDesc(desc, model), ACL_SUCCESS);
  EXPECT_EQ(aclmdlGetNumInputs(desc), 1u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 0), 0u);
  aclmdlIODimsRange range;
  ASSERT_EQ(aclmdlGetInputDimsRange(desc, 0, &range), ACL_SUCCESS);
  ASSERT_EQ(range.rangeCount, 4u);
  EXPECT_EQ(range.range[2][1], 32);
  aclmdlIODims dims;
  EXPECT_EQ(aclmdlGetCurOutputDims(desc, 0, &dims), ACL_ERROR_API_NOT_SUPPORT);
  aclmdlDestroyDesc(desc);
}

TEST_F(OpenShapes, SymbolsOfSeveralInputsMustAgree) {
  WriteModel("add.onnx", R"(
      input { name: 'a' type { tensor_type { elem_type: 1 shape { dim { dim_param: 'N' } dim { dim_param: 'M' } } } } }
      input { name: 'b' type { tensor_type { elem_type: 1 shape { dim { dim_param: 'M' } } } } }
      node { op_type: 'Add' name: 'add' input: 'a' input: 'b' output: 'y' }
      output { name: 'y' type { tensor_type { elem_type: 1 } } })");
  ASSERT_TRUE(Compile("add.onnx", "open.om", {})) << report_text();
  const uint32_t model = Load("open.om");
  std::vector<Output> outputs;
  ASSERT_EQ(Run(model, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{3}, {10, 20, 30}}}, 1, outputs), ACL_SUCCESS)
      << AclText();
  EXPECT_EQ(outputs[0].dims, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(outputs[0].data, (std::vector<float>{11, 22, 33, 14, 25, 36}));
  EXPECT_EQ(Run(model, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{2}, {10, 20}}}, 1, outputs),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(AclText().find("'M' is 3 at axis 1 of 'a' and 2 at axis 0 of 'b'"), std::string::npos);
}

// Relu, the indices of its non-zero elements, and what lies at them: shapes depend on data.
TEST_F(OpenShapes, ShapesMayDependOnData) {
  WriteModel("nonzero.onnx", R"(
      input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { dim_param: 'N' } } } } }
      node { op_type: 'Relu' name: 'relu' input: 'x' output: 'r' }
      node { op_type: 'NonZero' name: 'find' input: 'r' output: 'i' }
      node { op_type: 'Squeeze' name: 'flat' input: 'i' input: 'axis' output: 'j' }
      node { op_type: 'Gather' name: 'take' input: 'r' input: 'j' output: 'g' }
      node { op_type: 'Add' name: 'twice' input: 'g' input: 'g' output: 'y' }
      initializer { name: 'axis' data_type: 7 dims: 1 int64_data: 0 }
      output { name: 'y' type { tensor_type { elem_type: 1 } } }
      output { name: 'r' type { tensor_type { elem_type: 1 } } })");
  ASSERT_TRUE(Compile("nonzero.onnx", "open.om", {})) << report_text();
  const uint32_t model = Load("open.om");
  std::vector<Output> outputs;
  ASSERT_EQ(Run(model, {{{4}, {-1, 2, 0, 3}}}, 2, outputs), ACL_SUCCESS) << AclText();
  EXPECT_EQ(outputs[0].data, (std::vector<float>{4, 6}));
  EXPECT_EQ(outputs[1].data, (std::vector<float>{0, 2, 0, 3}));
  ASSERT_EQ(Run(model, {{{3}, {5, 6, 7}}}, 2, outputs), ACL_SUCCESS) << AclText();
  EXPECT_EQ(outputs[0].data, (std::vector<float>{10, 12, 14}));
}

TEST_F(OpenShapes, PlansAreBounded) {
  setenv("CAIRN_SHAPE_PLANS", "3", 1);
  WriteModel("conv.onnx", ConvGraph("N", "H", "W"));
  ASSERT_TRUE(Compile("conv.onnx", "open.om", {})) << report_text();
  const uint32_t model = Load("open.om");
  unsetenv("CAIRN_SHAPE_PLANS");
  std::vector<Output> first, again;
  const Input x = RandomInput({1, 3, 10, 10}, 4);
  ASSERT_EQ(Run(model, {x}, 2, first), ACL_SUCCESS) << AclText();
  for (int64_t h = 2; h < 12; ++h) {
    std::vector<Output> outputs;
    ASSERT_EQ(Run(model, {RandomInput({1, 3, h, 2 * h}, 1)}, 2, outputs), ACL_SUCCESS) << AclText();
    EXPECT_EQ(outputs[1].dims, (std::vector<int64_t>{1, 8, h / 2, h}));
  }
  ASSERT_EQ(Run(model, {x}, 2, again), ACL_SUCCESS) << AclText();
  EXPECT_EQ(again[0].data, first[0].data);
  EXPECT_EQ(again[1].data, first[1].data);
}

}  // namespace
}  // namespace cairn::testing
