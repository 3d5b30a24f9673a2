// SPDX-License-Identifier: Apache-2.0
// Binary interface: sizes and offsets of the structures, values of enumerations and codes.
#include <gtest/gtest.h>

#include <cstddef>

#include "acl/acl.h"
#include "acl/acl_prof.h"

static_assert(sizeof(aclError) == 4);
static_assert(sizeof(aclFloat16) == 2);
static_assert(sizeof(aclDataType) == 4);
static_assert(sizeof(aclmdlIODims) == 1160);
static_assert(offsetof(aclmdlIODims, dimCount) == 128);
static_assert(offsetof(aclmdlIODims, dims) == 136);
static_assert(sizeof(aclmdlIODimsRange) == 2056);
static_assert(sizeof(aclmdlBatch) == 1032);
static_assert(sizeof(aclmdlHW) == 2056);
static_assert(sizeof(aclAippDims) == 2 * (1160 + 8));
static_assert(sizeof(aclAippInfo) == 299216);
static_assert(sizeof(aclmdlExeOMDesc) == 128);
static_assert(sizeof(aclmdlAttrValue_t) == 32);
static_assert(sizeof(aclrtStreamConfigHandle) == 32);
static_assert(sizeof(aclrtMemUsageInfo) == 32 + 16 + 64);
static_assert(sizeof(aclrtPtrAttributes) == 28);
static_assert(sizeof(aclrtUuid) == 16);
static_assert(sizeof(aclCANNPackageVersion) == 128 + 4 * 64 + 128);

namespace {

TEST(AclLayout, EnumeratorsAndCodesHaveTheirPublicValues) {
  EXPECT_EQ(ACL_DT_UNDEFINED, -1);
  EXPECT_EQ(ACL_FLOAT, 0);
  EXPECT_EQ(ACL_INT64, 9);
  EXPECT_EQ(ACL_BF16, 27);
  EXPECT_EQ(ACL_FORMAT_NC1HWC0, 3);
  EXPECT_EQ(ACL_FORMAT_FRACTAL_NZ, 29);
  EXPECT_EQ(ACL_DEVICE, 0);
  EXPECT_EQ(ACL_HOST, 1);
  EXPECT_EQ(ACL_MEMCPY_DEVICE_TO_HOST, 2);
  EXPECT_EQ(ACL_MEM_MALLOC_NORMAL_ONLY, 2);
  EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_COMPLETE, 1);
  EXPECT_EQ(ACL_EVENT_STATUS_COMPLETE, 0);
  EXPECT_EQ(ACL_CALLBACK_BLOCK, 1);
  EXPECT_EQ(ACL_MDL_WORKSPACE_MEM_OPTIMIZE, 13);
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, 100000);
  EXPECT_EQ(ACL_ERROR_REPEAT_FINALIZE, 100037);
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, 107002);
  EXPECT_EQ(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, 145003u);
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, 207000);
  EXPECT_STREQ(ACL_DYNAMIC_TENSOR_NAME, "ascend_mbatch_shape_data");
}

TEST(AclLayout, SizesOfElementTypes) {
  EXPECT_EQ(aclDataTypeSize(ACL_STRING), 0u);
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0u);
  EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1u);
  EXPECT_EQ(aclDataTypeSize(ACL_INT4), 1u);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX32), 4u);
  EXPECT_EQ(aclDataTypeSize(ACL_DOUBLE), 8u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
  EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(99)), 8u);
}

TEST(AclLayout, HalfFloatsRoundToEvenAndSaturate) {
  EXPECT_EQ(aclFloatToFloat16(1.0f), 0x3c00);
  EXPECT_EQ(aclFloat16ToFloat(0x3c00), 1.0f);
  EXPECT_EQ(aclFloatToFloat16(1.0f + 1.0f / 2048), 0x3c00);  // Halfway, even below.
  EXPECT_EQ(aclFloatToFloat16(1.0f + 3.0f / 2048), 0x3c02);  // Halfway, even above.
  EXPECT_EQ(aclFloat16ToFloat(aclFloatToFloat16(1e9f)), 65504.0f);
  EXPECT_EQ(aclFloat16ToFloat(aclFloatToFloat16(-1e9f)), -65504.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x0001), 5.9604644775390625e-08f);  // Smallest denormal.
}

}  // namespace
