// SPDX-License-Identifier: Apache-2.0
// Gear checks and setters.
#include "msame/gears.h"

#include <algorithm>

#include "msame/console.h"

namespace msame {
namespace {

constexpr size_t kAnyInput = static_cast<size_t>(-1);

unsigned long long Wide(uint64_t value) { return value; }

/// Tells which option fits a model that was asked for gears of another kind.
void SuggestOption(const Model& model) {
  aclmdlBatch batches{};
  aclmdlHW sizes{};
  size_t count = 0;
  const bool known = aclmdlGetDynamicBatch(model.desc(), &batches) == ACL_SUCCESS &&
                     aclmdlGetDynamicHW(model.desc(), kAnyInput, &sizes) == ACL_SUCCESS &&
                     aclmdlGetInputDynamicGearCount(model.desc(), kAnyInput, &count) == ACL_SUCCESS;
  if (!known) return;
  if (batches.batchCount > 0) ERROR_LOG("model has dynamic batch sizes, please use --dymBatch");
  if (sizes.hwCount > 0) ERROR_LOG("model has dynamic image sizes, please use --dymHW");
  if (count > 0) ERROR_LOG("model has dynamic dims, please use --dymDims");
}

bool CheckBatch(const Model& model, uint64_t wanted) {
  aclmdlBatch gears{};
  if (aclmdlGetDynamicBatch(model.desc(), &gears) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("get dynamic batch failed");
    return false;
  }
  const uint64_t* begin = gears.batch;
  const uint64_t* end = begin + gears.batchCount;
  if (gears.batchCount == 0) {
    ERROR_LOG("the dynamic_batch_size parameter is not specified for model conversion");
    SuggestOption(model);
  } else if (std::find(begin, end, wanted) == end) {
    ERROR_LOG("the dymBatch parameter is not correct");
    std::printf("[ERROR] model has dynamic batch size:{");
    for (size_t i = 0; i < gears.batchCount; ++i) std::printf("[%llu]", Wide(gears.batch[i]));
    std::printf("}, please set correct dynamic batch size\n");
  } else {
    INFO_LOG("check dynamic batch success");
    return true;
  }
  ERROR_LOG("check dynamic batch size failed");
  return false;
}

bool CheckImageSize(const Model& model, const std::vector<uint64_t>& wanted) {
  aclmdlHW gears{};
  if (aclmdlGetDynamicHW(model.desc(), kAnyInput, &gears) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("get dynamic image size failed");
    return false;
  }
  bool found = false;
  for (size_t i = 0; i < gears.hwCount && wanted.size() == 2; ++i)
    found |= gears.hw[i][0] == wanted[0] && gears.hw[i][1] == wanted[1];
  if (found) {
    INFO_LOG("check dynamic image size success.");
    return true;
  }
  if (gears.hwCount == 0) {
    ERROR_LOG("the dynamic_image_size parameter is not specified for model conversion");
    SuggestOption(model);
  } else {
    ERROR_LOG("the dymHW parameter is not correct");
    std::printf("[ERROR] model has dynamic image size:{");
    for (size_t i = 0; i < gears.hwCount; ++i)
      std::printf("[%llu,%llu]", Wide(gears.hw[i][0]), Wide(gears.hw[i][1]));
    std::printf("}, please set correct dynamic image size\n");
  }
  ERROR_LOG("check dynamic image size failed");
  return false;
}

bool SameDims(const aclmdlIODims& gear, const std::vector<int64_t>& wanted) {
  return gear.dimCount == wanted.size() && std::equal(wanted.begin(), wanted.end(), gear.dims);
}

void PrintDimGears(const std::vector<aclmdlIODims>& gears) {
  ERROR_LOG("model has %zu gear of dims", gears.size());
  for (size_t g = 0; g < gears.size(); ++g) {
    std::printf("[ERROR] dims[%zu]:", g);
    for (size_t i = 0; i < gears[g].dimCount; ++i)
      std::printf("[%lld]", static_cast<long long>(gears[g].dims[i]));
    std::printf("\n");
  }
}

bool CheckDims(const Model& model, const std::vector<int64_t>& wanted, size_t gear_count) {
  if (gear_count == 0) {
    ERROR_LOG("the dynamic_dims parameter is not specified for model conversion");
    SuggestOption(model);
    return false;
  }
  std::vector<aclmdlIODims> gears(gear_count);
  if (aclmdlGetInputDynamicDims(model.desc(), kAnyInput, gears.data(), gear_count) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("get input dynamic dims failed");
    return false;
  }
  if (std::any_of(gears.begin(), gears.end(),
                  [&](const aclmdlIODims& gear) { return SameDims(gear, wanted); })) {
    INFO_LOG("check dynamic dims success");
    INFO_LOG("prepare dynamic dims successful");
    return true;
  }
  ERROR_LOG(gears[0].dimCount == wanted.size() ? "the dynamic_dims parameter is not correct"
                                               : "the dymDims parameter is not correct");
  PrintDimGears(gears);
  ERROR_LOG("check dynamic dims failed, please set correct dymDims paramenter");
  return false;
}

bool CheckShapes(const Model& model, const std::vector<NamedDims>& shapes) {
  if (shapes.size() != model.num_inputs()) {
    ERROR_LOG("om has %zu input, but dymShape parametet give %zu", model.num_inputs(),
              shapes.size());
    return false;
  }
  for (const NamedDims& shape : shapes) {
    size_t index = 0;
    if (aclmdlGetInputIndexByName(model.desc(), shape.name.c_str(), &index) != ACL_SUCCESS) {
      PrintAclMessage();
      ERROR_LOG("the dymShape parameter set error, please check input name");
      return false;
    }
  }
  INFO_LOG("check Dynamic Shape success");
  return true;
}

/// A model of open shapes cannot run without --dymShape.
bool CheckNoOpenInput(const Model& model) {
  for (size_t i = 0; i < model.num_inputs(); ++i) {
    aclmdlIODimsRange range{};
    if (aclmdlGetInputDimsRange(model.desc(), i, &range) != ACL_SUCCESS) continue;
    for (size_t d = 0; d < range.rangeCount; ++d) {
      if (range.range[d][0] == range.range[d][1]) continue;
      ERROR_LOG("model has dynamic shape, please add dymShape parameter");
      return false;
    }
  }
  return true;
}

bool SetShapes(const Model& model, const std::vector<NamedDims>& shapes, Dataset& inputs) {
  for (const NamedDims& shape : shapes) {
    size_t index = 0;
    aclmdlGetInputIndexByName(model.desc(), shape.name.c_str(), &index);
    aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, static_cast<int>(shape.dims.size()),
                                              shape.dims.data(), ACL_FORMAT_NCHW);
    const aclError result = aclmdlSetDatasetTensorDesc(inputs.get(), desc, index);
    aclDestroyTensorDesc(desc);
    if (result != ACL_SUCCESS) {
      PrintAclMessage();
      ERROR_LOG("set dataset tensor desc failed, index is %zu", index);
      return false;
    }
  }
  INFO_LOG("set Dynamic shape success");
  return true;
}

bool SetDims(const Model& model, const std::vector<int64_t>& wanted, size_t index,
             Dataset& inputs) {
  aclmdlIODims dims{};
  dims.dimCount = std::min<size_t>(wanted.size(), ACL_MAX_DIM_CNT);
  std::copy_n(wanted.begin(), dims.dimCount, dims.dims);
  return aclmdlSetInputDynamicDims(model.id(), inputs.get(), index, &dims) == ACL_SUCCESS;
}

}  // namespace

bool CheckGears(const Model& model, const Options& options) {
  size_t gear_count = 0;
  if (aclmdlGetInputDynamicGearCount(model.desc(), kAnyInput, &gear_count) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("get input dynamic gear count failed");
    return false;
  }
  INFO_LOG("get input dynamic gear count success");
  if (options.debug) model.PrintDescription();
  if (gear_count > 0 && options.dims.empty()) {
    ERROR_LOG("model has dynamic_dims, please add dymDims parameter");
    return false;
  }
  if (options.has_batch) return CheckBatch(model, options.batch);
  if (options.has_image_size) return CheckImageSize(model, options.image_size);
  if (!options.dims.empty()) return CheckDims(model, options.dims, gear_count);
  if (!options.shapes.empty()) return CheckShapes(model, options.shapes);
  return CheckNoOpenInput(model);
}

bool SetGear(const Model& model, const Options& options, Dataset& inputs) {
  if (!options.shapes.empty()) return SetShapes(model, options.shapes, inputs);
  if (!options.has_batch && !options.has_image_size && options.dims.empty()) return true;
  size_t index = 0;
  if (aclmdlGetInputIndexByName(model.desc(), ACL_DYNAMIC_TENSOR_NAME, &index) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("get input index by name failed, name is %s", ACL_DYNAMIC_TENSOR_NAME);
    return false;
  }
  INFO_LOG("get input index by name success");
  const char* what = options.has_batch        ? "dynamic batch size"
                     : options.has_image_size ? "Dynamic HW"
                                              : "dynamic dims";
  const bool done =
      options.has_batch
          ? aclmdlSetDynamicBatchSize(model.id(), inputs.get(), index, options.batch) == ACL_SUCCESS
      : options.has_image_size
          ? aclmdlSetDynamicHWSize(model.id(), inputs.get(), index, options.image_size[0],
                                   options.image_size[1]) == ACL_SUCCESS
          : SetDims(model, options.dims, index, inputs);
  if (!done) {
    PrintAclMessage();
    ERROR_LOG("set %s failed", what);
    return false;
  }
  INFO_LOG("set %s success", what);
  return true;
}

uint64_t MaxBatch(const Model& model) {
  aclmdlBatch gears{};
  if (aclmdlGetDynamicBatch(model.desc(), &gears) != ACL_SUCCESS || gears.batchCount == 0) return 0;
  return *std::max_element(gears.batch, gears.batch + gears.batchCount);
}

}  // namespace msame
