// SPDX-License-Identifier: Apache-2.0
// Tensor descriptions, data buffers, datasets.
#include <gtest/gtest.h>

#include "acl/acl.h"

namespace {

TEST(AclTensorDesc, DescribesShapeTypeAndFormat) {
  const int64_t dims[] = {2, 3};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT16, 2, dims, ACL_FORMAT_ND);
  ASSERT_NE(desc, nullptr);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT16);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 2u);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 6u);
  EXPECT_EQ(aclGetTensorDescSize(desc), 12u);
  int64_t dim = 0;
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 1, &dim), ACL_SUCCESS);
  EXPECT_EQ(dim, 3);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 2, &dim), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDim(desc, 2), -1);
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), desc);
  aclDestroyTensorDesc(desc);
}

TEST(AclTensorDesc, ScalarsUnknownDimsAndUnknownRank) {
  aclTensorDesc* scalar = aclCreateTensorDesc(ACL_FLOAT, 0, nullptr, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescElementCount(scalar), 1u);
  const int64_t dynamic[] = {-1, 3};
  aclTensorDesc* unknown = aclCreateTensorDesc(ACL_FLOAT, 2, dynamic, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescSize(unknown), 0u);
  const int64_t any_rank[] = {-2};
  aclTensorDesc* any = aclCreateTensorDesc(ACL_FLOAT, 1, any_rank, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(any), ACL_UNKNOWN_RANK);
  for (aclTensorDesc* desc : {scalar, unknown, any}) aclDestroyTensorDesc(desc);
}

TEST(AclTensorDesc, NullAndWrongArguments) {
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, -1, nullptr, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 1, nullptr, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclGetTensorDescType(nullptr), ACL_DT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescSize(nullptr), 0u);
  EXPECT_EQ(aclGetTensorDescByIndex(nullptr, 1), nullptr);
  aclDestroyTensorDesc(nullptr);
  EXPECT_NE(aclGetRecentErrMsg(), nullptr);
}

TEST(AclDataset, HoldsBuffersAndCopiesDescriptions) {
  aclmdlDataset* dataset = aclmdlCreateDataset();
  int value = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&value, sizeof(value));
  EXPECT_EQ(aclmdlAddDatasetBuffer(dataset, buffer), ACL_SUCCESS);
  EXPECT_EQ(aclmdlAddDatasetBuffer(dataset, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlGetDatasetNumBuffers(dataset), 1u);
  EXPECT_EQ(aclmdlGetDatasetBuffer(dataset, 0), buffer);
  EXPECT_EQ(aclmdlGetDatasetBuffer(dataset, 1), nullptr);

  const int64_t dims[] = {4};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_INT32, 1, dims, ACL_FORMAT_ND);
  EXPECT_EQ(aclmdlSetDatasetTensorDesc(dataset, desc, 0), ACL_SUCCESS);
  EXPECT_EQ(aclmdlSetDatasetTensorDesc(dataset, desc, 1), ACL_ERROR_INVALID_PARAM);
  aclDestroyTensorDesc(desc);
  EXPECT_EQ(aclGetTensorDescSize(aclmdlGetDatasetTensorDesc(dataset, 0)), 16u);
  EXPECT_EQ(aclmdlSetDatasetTensorDesc(dataset, nullptr, 0), ACL_SUCCESS);
  EXPECT_EQ(aclmdlGetDatasetTensorDesc(dataset, 0), nullptr);

  EXPECT_EQ(aclmdlDestroyDataset(dataset), ACL_SUCCESS);
  EXPECT_EQ(aclmdlDestroyDataset(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyDataBuffer(nullptr), ACL_ERROR_INVALID_PARAM);
  aclGetRecentErrMsg();
}

TEST(AclDataset, BufferIsUpdated) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 0);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  int value = 0;
  EXPECT_EQ(aclUpdateDataBuffer(buffer, &value, 4), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &value);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 4u);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 4u);
  EXPECT_EQ(aclUpdateDataBuffer(nullptr, &value, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  aclGetRecentErrMsg();
}

}  // namespace
