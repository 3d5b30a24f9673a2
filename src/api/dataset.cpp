// SPDX-License-Identifier: Apache-2.0
// Datasets.
#include "api/dataset.h"

#include "api/call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

Answer CheckIndex(const aclmdlDataset* dataset, size_t index) {
  ACL_REQUIRE(dataset);
  if (index < dataset->entries.size()) return {};
  return InvalidArgument("index", index,
                         StrCat("the dataset has ", dataset->entries.size(), " buffers"));
}

}  // namespace

aclmdlDataset* aclmdlCreateDataset() {
  return GuardValue<aclmdlDataset*>("aclmdlCreateDataset", nullptr, [](auto& dataset) -> Answer {
    dataset = new aclmdlDataset;
    return {};
  });
}

aclError aclmdlDestroyDataset(const aclmdlDataset* dataset) {
  return Guard("aclmdlDestroyDataset", [&]() -> Answer {
    ACL_REQUIRE(dataset);
    delete dataset;
    return {};
  });
}

aclError aclmdlAddDatasetBuffer(aclmdlDataset* dataset, aclDataBuffer* dataBuffer) {
  return Guard("aclmdlAddDatasetBuffer", [&]() -> Answer {
    ACL_REQUIRE(dataset);
    ACL_REQUIRE(dataBuffer);
    dataset->entries.push_back({dataBuffer, nullptr});
    return {};
  });
}

size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset* dataset) {
  return GuardValue<size_t>("aclmdlGetDatasetNumBuffers", 0, [&](auto& count) -> Answer {
    ACL_REQUIRE(dataset);
    count = dataset->entries.size();
    return {};
  });
}

aclDataBuffer* aclmdlGetDatasetBuffer(const aclmdlDataset* dataset, size_t index) {
  return GuardValue<aclDataBuffer*>("aclmdlGetDatasetBuffer", nullptr, [&](auto& buffer) -> Answer {
    ACL_RETURN_IF_FAILED(CheckIndex(dataset, index));
    buffer = dataset->entries[index].buffer;
    return {};
  });
}

aclError aclmdlSetDatasetTensorDesc(aclmdlDataset* dataset, aclTensorDesc* tensorDesc,
                                    size_t index) {
  return Guard("aclmdlSetDatasetTensorDesc", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckIndex(dataset, index));
    auto& desc = dataset->entries[index].desc;
    if (tensorDesc == nullptr) {
      desc = nullptr;
    } else {
      desc.reset(new aclTensorDesc[1]{*tensorDesc});
    }
    return {};
  });
}

aclTensorDesc* aclmdlGetDatasetTensorDesc(const aclmdlDataset* dataset, size_t index) {
  return GuardValue<aclTensorDesc*>("aclmdlGetDatasetTensorDesc", nullptr,
                                    [&](auto& desc) -> Answer {
                                      ACL_RETURN_IF_FAILED(CheckIndex(dataset, index));
                                      desc = dataset->entries[index].desc.get();
                                      return {};
                                    });
}
