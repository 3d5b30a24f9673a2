// SPDX-License-Identifier: Apache-2.0
// Gears of dynamic models. Every program is static, so that there are none: the readers answer 0,
// the setters say so.
#include "acl/acl_mdl.h"
#include "api/call.h"
#include "api/dataset.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

/// The checks that come before the gear itself, then the answer of a static model.
Answer RejectGear(uint32_t modelId, const aclmdlDataset* dataset, size_t index, const char* what,
                  aclError code) {
  ACL_REQUIRE(dataset);
  if (index >= dataset->entries.size())
    return InvalidArgument("index", index,
                           StrCat("the dataset has ", dataset->entries.size(), " buffers"));
  ACL_ASSIGN(std::ignore, runtime::Runtime::Get().FindModel(modelId),
             {Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_ID_INVALID});
  return {code, Kind::kArgument,
          StrCat("Model ", modelId, " has static shapes; it was not compiled with ", what, ".")};
}

}  // namespace

aclError aclmdlGetDynamicBatch(const aclmdlDesc* modelDesc, aclmdlBatch* batch) {
  return Guard("aclmdlGetDynamicBatch", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(batch);
    batch->batchCount = 0;
    return {};
  });
}

aclError aclmdlGetDynamicHW(const aclmdlDesc* modelDesc, size_t, aclmdlHW* hw) {
  return Guard("aclmdlGetDynamicHW", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(hw);
    hw->hwCount = 0;
    return {};
  });
}

aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* modelDesc, size_t index,
                                        size_t* gearCount) {
  return Guard("aclmdlGetInputDynamicGearCount", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(gearCount);
    if (index != static_cast<size_t>(-1)) return InvalidArgument("index", index, "it must be -1");
    *gearCount = 0;
    return {};
  });
}

aclError aclmdlGetInputDynamicDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims,
                                   size_t) {
  return Guard("aclmdlGetInputDynamicDims", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(dims);
    if (index != static_cast<size_t>(-1)) return InvalidArgument("index", index, "it must be -1");
    return {};
  });
}

aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   uint64_t batchSize) {
  return Guard("aclmdlSetDynamicBatchSize", [&]() -> Answer {
    if (batchSize == 0) return InvalidArgument("batchSize", 0, "it must be positive");
    return RejectGear(modelId, dataset, index, "--dynamic_batch_size",
                      ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
  });
}

aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                uint64_t height, uint64_t width) {
  return Guard("aclmdlSetDynamicHWSize", [&]() -> Answer {
    if (height == 0) return InvalidArgument("height", 0, "it must be positive");
    if (width == 0) return InvalidArgument("width", 0, "it must be positive");
    return RejectGear(modelId, dataset, index, "--dynamic_image_size",
                      ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
  });
}

aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   const aclmdlIODims* dims) {
  return Guard("aclmdlSetInputDynamicDims", [&]() -> Answer {
    ACL_REQUIRE(dims);
    if (dims->dimCount == 0) return InvalidArgument("dims->dimCount", 0, "it must be positive");
    return RejectGear(modelId, dataset, index, "--dynamic_dims",
                      ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID);
  });
}
