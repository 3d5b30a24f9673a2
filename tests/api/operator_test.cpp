// SPDX-License-Identifier: Apache-2.0
// Operators called by name, matrix products, two-phase calls.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "acl/ops/acl_cblas.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mul.h"

namespace {

std::string ErrorText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

/// Descriptions and buffers of one operator over memory of the test.
class Operands {
 public:
  Operands() = default;
  ~Operands() {
    for (aclTensorDesc* desc : descs) aclDestroyTensorDesc(desc);
    for (aclDataBuffer* buffer : buffers) aclDestroyDataBuffer(buffer);
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  template <class T>
  Operands& Add(aclDataType type, std::vector<int64_t> dims, std::vector<T>& data) {
    descs.push_back(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(),
                                        ACL_FORMAT_ND));
    buffers.push_back(aclCreateDataBuffer(data.data(), data.size() * sizeof(T)));
    return *this;
  }
  int count() const { return static_cast<int>(descs.size()); }

  std::vector<aclTensorDesc*> descs;
  std::vector<aclDataBuffer*> buffers;
};

class OperatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtDestroyStream(stream_);
    aclrtResetDeviceForce(0);
    aclFinalize();
    aclGetRecentErrMsg();
  }

  aclError Execute(const char* type, Operands& in, Operands& out, aclopAttr* attr = nullptr) {
    const aclError code =
        aclopExecuteV2(type, in.count(), in.descs.data(), in.buffers.data(), out.count(),
                       out.descs.data(), out.buffers.data(), attr, stream_);
    return code != ACL_SUCCESS ? code : aclrtSynchronizeStream(stream_);
  }

  aclrtStream stream_ = nullptr;
};

TEST_F(OperatorTest, AddsIntegers) {
  std::vector<int32_t> a = {1, 2, 3, -4}, b = {10, 20, 30, 40}, c(4);
  Operands in, out;
  in.Add(ACL_INT32, {2, 2}, a).Add(ACL_INT32, {2, 2}, b);
  out.Add(ACL_INT32, {2, 2}, c);
  ASSERT_EQ(aclopCompile("Add", 2, in.descs.data(), 1, out.descs.data(), nullptr, ACL_ENGINE_SYS,
                         ACL_COMPILE_SYS, nullptr),
            ACL_SUCCESS)
      << ErrorText();
  ASSERT_EQ(Execute("Add", in, out), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(c, (std::vector<int32_t>{11, 22, 33, 36}));
}

TEST_F(OperatorTest, OutputMayBeAnInput) {
  std::vector<float> a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
  Operands in, out;
  in.Add(ACL_FLOAT, {2, 2}, a).Add(ACL_FLOAT, {2, 2}, b);
  out.Add(ACL_FLOAT, {2, 2}, a);
  ASSERT_EQ(Execute("MatMul", in, out), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(a, (std::vector<float>{19, 22, 43, 50}));
}

TEST_F(OperatorTest, OpenOutputDimsAreFilledIn) {
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, y(6);
  std::vector<int64_t> perm = {1, 0};
  Operands in, out;
  in.Add(ACL_FLOAT, {2, 3}, a).Add(ACL_INT64, {2}, perm);
  out.Add(ACL_FLOAT, {-1, -1}, y);
  ASSERT_EQ(Execute("Transpose", in, out), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(y, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  int64_t rows = 0;
  ASSERT_EQ(aclGetTensorDescDimV2(out.descs[0], 0, &rows), ACL_SUCCESS);
  EXPECT_EQ(rows, 3);
}

TEST_F(OperatorTest, SoftmaxTakesItsAxis) {
  std::vector<float> x = {0, 0, 0, std::log(3.0f)}, y(4);
  Operands in, out;
  in.Add(ACL_FLOAT, {2, 2}, x);
  out.Add(ACL_FLOAT, {2, 2}, y);
  aclopAttr* attr = aclopCreateAttr();
  const int64_t axis = 0;
  ASSERT_EQ(aclopSetAttrListInt(attr, "axes", 1, &axis), ACL_SUCCESS);
  ASSERT_EQ(Execute("SoftmaxV2", in, out, attr), ACL_SUCCESS) << ErrorText();
  aclopDestroyAttr(attr);
  EXPECT_FLOAT_EQ(y[1], 0.25f);
  EXPECT_FLOAT_EQ(y[3], 0.75f);
}

TEST_F(OperatorTest, UnknownOperatorNamesTheKnownOnes) {
  std::vector<float> x = {1}, y(1);
  Operands in, out;
  in.Add(ACL_FLOAT, {1}, x);
  out.Add(ACL_FLOAT, {1}, y);
  EXPECT_EQ(Execute("AddCustom", in, out), ACL_ERROR_OP_NOT_FOUND);
  const std::string text = ErrorText();
  EXPECT_NE(text.find("'AddCustom' is not available; there are "), std::string::npos) << text;
}

TEST_F(OperatorTest, WrongOperandsAreExplained) {
  std::vector<float> a(6), b(8), y(4);
  Operands in, out;
  in.Add(ACL_FLOAT, {2, 3}, a).Add(ACL_FLOAT, {4, 2}, b);
  out.Add(ACL_FLOAT, {2, 2}, y);
  EXPECT_EQ(Execute("MatMul", in, out), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(ErrorText().find("operator 'MatMul'"), std::string::npos);
  Operands small;
  std::vector<float> c(6), too_small(3);
  small.Add(ACL_FLOAT, {2, 2}, too_small);
  Operands fits;
  fits.Add(ACL_FLOAT, {2, 3}, a).Add(ACL_FLOAT, {3, 2}, c);
  EXPECT_EQ(Execute("MatMul", fits, small), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(ErrorText().find("has 12 bytes, the output 16"), std::string::npos);
}

TEST_F(OperatorTest, ModelDirMustExist) {
  EXPECT_EQ(aclopSetModelDir("/tmp"), ACL_SUCCESS);
  EXPECT_EQ(aclopSetModelDir("/no/such/folder"), ACL_ERROR_READ_MODEL_FAILURE);
}

TEST_F(OperatorTest, HandleRunsOften) {
  std::vector<float> x = {1, 4, 9}, y(3);
  Operands in, out;
  in.Add(ACL_FLOAT, {3}, x);
  out.Add(ACL_FLOAT, {3}, y);
  aclopHandle* handle = nullptr;
  ASSERT_EQ(aclopCreateHandle("Sqrt", 1, in.descs.data(), 1, out.descs.data(), nullptr, &handle),
            ACL_SUCCESS)
      << ErrorText();
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(aclopExecWithHandle(handle, 1, in.buffers.data(), 1, out.buffers.data(), stream_),
              ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(y, (std::vector<float>{1, 2, 3}));
  aclopDestroyHandle(handle);
}

TEST_F(OperatorTest, GemmInHalfPrecisionRoundsOnce) {
  const auto half = [](float value) { return aclFloatToFloat16(value); };
  std::vector<aclFloat16> a = {half(1), half(2), half(3), half(4)};
  std::vector<aclFloat16> b = {half(0.5f), half(1), half(2), half(0.25f)};
  std::vector<aclFloat16> c = {half(10), half(20), half(30), half(40)};
  const aclFloat16 alpha = half(2), beta = half(0.5f);
  ASSERT_EQ(aclblasGemmEx(ACL_TRANS_N, ACL_TRANS_T, ACL_TRANS_N, 2, 2, 2, &alpha, a.data(), -1,
                          ACL_FLOAT16, b.data(), -1, ACL_FLOAT16, &beta, c.data(), -1, ACL_FLOAT16,
                          ACL_COMPUTE_HIGH_PRECISION, stream_),
            ACL_SUCCESS)
      << ErrorText();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  // 2 * A * B^T + C / 2.
  EXPECT_EQ(aclFloat16ToFloat(c[0]), 2 * (0.5f + 2.0f) + 5.0f);
  EXPECT_EQ(aclFloat16ToFloat(c[1]), 2 * (2.0f + 0.5f) + 10.0f);
  EXPECT_EQ(aclFloat16ToFloat(c[2]), 2 * (1.5f + 4.0f) + 15.0f);
  EXPECT_EQ(aclFloat16ToFloat(c[3]), 2 * (6.0f + 1.0f) + 20.0f);
}

TEST_F(OperatorTest, GemvOfBytesCountsInIntegers) {
  std::vector<int8_t> a = {1, -2, 3, 100, 100, 100}, x = {100, 100, 1};
  std::vector<int32_t> y = {7, 8};
  const int32_t alpha = 1, beta = 2;
  ASSERT_EQ(aclblasS8gemv(ACL_TRANS_N, 2, 3, &alpha, a.data(), -1, x.data(), -1, &beta, y.data(),
                          -1, ACL_COMPUTE_HIGH_PRECISION, stream_),
            ACL_SUCCESS)
      << ErrorText();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(y, (std::vector<int32_t>{100 - 200 + 3 + 14, 20100 + 16}));
}

TEST_F(OperatorTest, TwoPhaseAddScalesAndBroadcasts) {
  std::vector<float> self = {1, 2, 3, 4}, other = {10, 20}, out(4);
  const std::vector<int64_t> dims = {2, 2}, row = {2};
  const auto tensor = [](const std::vector<int64_t>& d, std::vector<float>& data) {
    return aclCreateTensor(d.data(), d.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, d.data(),
                           d.size(), data.data());
  };
  aclTensor *x = tensor(dims, self), *y = tensor(row, other), *z = tensor(dims, out);
  float two = 2;
  aclScalar* alpha = aclCreateScalar(&two, ACL_FLOAT);
  uint64_t workspace = 1;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnAddGetWorkspaceSize(x, y, alpha, z, &workspace, &executor), OK) << ErrorText();
  EXPECT_EQ(workspace, 0u);
  ASSERT_EQ(aclnnAdd(nullptr, 0, executor, stream_), OK);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(out, (std::vector<float>{21, 42, 23, 44}));
  EXPECT_EQ(aclnnAddGetWorkspaceSize(nullptr, y, alpha, z, &workspace, &executor), 161001);
  for (const aclTensor* t : {x, y, z}) EXPECT_EQ(aclDestroyTensor(t), OK);
  EXPECT_EQ(aclDestroyScalar(alpha), OK);
}

TEST_F(OperatorTest, TwoPhaseCallsReadStridedViews) {
  std::vector<float> storage = {0, 1, 2, 3, 4, 5}, factor = {10, 100}, out(2);
  const int64_t dims[] = {2}, stride[] = {3}, storage_dims[] = {6};
  aclTensor* column = aclCreateTensor(dims, 1, ACL_FLOAT, stride, 1, ACL_FORMAT_ND, storage_dims, 1,
                                      storage.data());  // Elements 1 and 4.
  aclTensor* f = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1,
                                 factor.data());
  aclTensor* z =
      aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, out.data());
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnMulGetWorkspaceSize(column, f, z, &workspace, &executor), OK) << ErrorText();
  ASSERT_EQ(aclnnMul(nullptr, 0, executor, stream_), OK);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(out, (std::vector<float>{10, 400}));
  for (const aclTensor* t : {column, f, z}) aclDestroyTensor(t);
}

}  // namespace
