// SPDX-License-Identifier: Apache-2.0
// Image pre-processing of loaded models: what it is, and its parameters at run time.
#include <algorithm>
#include <cstring>

#include "api/aipp.h"
#include "api/call.h"
#include "api/data_buffer.h"
#include "api/data_types.h"
#include "api/dataset.h"
#include "runtime/image_input.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::ImageInput;
using runtime::ImageInputKind;
using runtime::Runtime;

namespace {

constexpr CodePair kNoModel{Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_ID_INVALID};

/// The model, and what its input `index` is.
Answer FindInput(uint32_t modelId, size_t index, std::shared_ptr<runtime::Model>& model,
                 ImageInput& input) {
  ACL_ASSIGN(model, Runtime::Get().FindModel(modelId), kNoModel);
  const Program& program = model->program();
  if (index >= program.inputs.size())
    return InvalidArgument("index", index,
                           StrCat("the model has ", program.inputs.size(), " inputs"));
  input = runtime::FindImageInput(program, index);
  return {};
}

void FillDims(const std::string& name, const std::vector<int64_t>& values, aclmdlIODims& dims) {
  std::memset(&dims, 0, sizeof(dims));
  std::memcpy(dims.name, name.data(), std::min(name.size(), sizeof(dims.name) - 1));
  dims.dimCount = values.size();
  std::copy(values.begin(), values.end(), dims.dims);
}

void FillInfo(const AippFrame& f, aclAippInfo& info) {
  info.inputFormat = static_cast<aclAippInputFormat>(static_cast<int>(f.format));
  info.srcImageSizeW = f.src_w;
  info.srcImageSizeH = f.src_h;
  info.cropSwitch = f.crop;
  info.loadStartPosW = f.crop_x;
  info.loadStartPosH = f.crop_y;
  info.cropSizeW = f.crop_w;
  info.cropSizeH = f.crop_h;
  info.paddingSwitch = f.padding;
  info.leftPaddingSize = f.pad_left;
  info.rightPaddingSize = f.pad_right;
  info.topPaddingSize = f.pad_top;
  info.bottomPaddingSize = f.pad_bottom;
  info.cscSwitch = f.csc;
  info.rbuvSwapSwitch = f.rbuv_swap;
  info.axSwapSwitch = f.ax_swap;
  // Runs of fields of one type, in the order of the lists.
  std::copy(f.matrix.begin(), f.matrix.end(), &info.matrixR0C0);
  std::copy(f.output_bias.begin(), f.output_bias.end(), &info.outputBias0);
  std::copy(f.input_bias.begin(), f.input_bias.end(), &info.inputBias0);
  std::copy(f.mean.begin(), f.mean.end(), &info.meanChn0);
  std::copy(f.min.begin(), f.min.end(), &info.minChn0);
  std::copy(f.var_reci.begin(), f.var_reci.end(), &info.varReciChn0);
}

/// Frames that fit the model; the text names the image and the rule.
Answer CheckFrames(const runtime::Model& model, const ImageInput& input,
                   const std::vector<AippFrame>& frames) {
  if (static_cast<int64_t>(frames.size()) != input.result[0])
    return InvalidArgument("aippParmsSet", frames.size(),
                           StrCat("the model takes ", input.result[0], " images"));
  int64_t bytes = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    const AippFrame& f = frames[i];
    const Status rules = CheckAippFrame(f, input.result[1]);
    if (!rules.ok()) return InvalidArgument("aippParmsSet, image", i, rules.message());
    if (f.out_h() != input.result[2] || f.out_w() != input.result[3])
      return InvalidArgument("aippParmsSet, image", i,
                             StrCat("it becomes ", f.out_w(), " wide and ", f.out_h(),
                                    " high, the model takes ", input.result[3], " and ",
                                    input.result[2]));
    bytes += f.bytes();
  }
  const auto available = static_cast<int64_t>(model.program().inputs[input.images].bytes);
  if (bytes <= available) return {};
  return InvalidArgument("aippParmsSet", bytes,
                         StrCat("the images have more bytes than max_src_image_size, ", available));
}

/// Writes the block into the dataset's buffer of the parameters.
Answer SetParams(uint32_t modelId, aclmdlDataset* dataset, size_t index, ImageInputKind kind,
                 const aclmdlAIPP* aippParmsSet) {
  ACL_REQUIRE(dataset);
  ACL_REQUIRE(aippParmsSet);
  std::shared_ptr<runtime::Model> model;
  ImageInput input;
  ACL_RETURN_IF_FAILED(FindInput(modelId, index, model, input));
  if (input.kind != kind) {
    const bool is_static = input.kind == ImageInputKind::kStatic;
    const auto code = static_cast<aclError>(is_static ? ACL_ERROR_GE_AIPP_MODE_INVALID
                                                      : ACL_ERROR_GE_AIPP_NOT_EXIST);
    return {code, Kind::kArgument,
            StrCat("Input ", index, " of model ", modelId,
                   is_static ? " has static pre-processing."
                             : " does not belong to a dynamic pre-processing in this way.")};
  }
  if (input.params >= dataset->entries.size())
    return InvalidArgument("dataset", dataset->entries.size(),
                           StrCat("it has no buffer for input ", input.params));
  ACL_RETURN_IF_FAILED(CheckFrames(*model, input, aippParmsSet->frames));
  const aclDataBuffer& buffer = *dataset->entries[input.params].buffer;
  const size_t bytes = AippBlockBytes(aippParmsSet->frames.size());
  if (buffer.data == nullptr || buffer.size < bytes)
    return {ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID, Kind::kArgument,
            StrCat("The buffer of input ", input.params, " has ", buffer.size,
                   " bytes, the parameters need ", bytes, ".")};
  WriteAippBlock(aippParmsSet->frames, {static_cast<std::byte*>(buffer.data), bytes});
  return {};
}

}  // namespace

aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                            const aclmdlAIPP* aippParmsSet) {
  return Guard("aclmdlSetInputAIPP", [&] {
    return SetParams(modelId, dataset, index, ImageInputKind::kParams, aippParmsSet);
  });
}

aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   const aclmdlAIPP* aippParmsSet) {
  return Guard("aclmdlSetAIPPByInputIndex", [&] {
    return SetParams(modelId, dataset, index, ImageInputKind::kDynamic, aippParmsSet);
  });
}

aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType* type,
                           size_t* dynamicAttachedDataIndex) {
  return Guard("aclmdlGetAippType", [&]() -> Answer {
    ACL_REQUIRE(type);
    ACL_REQUIRE(dynamicAttachedDataIndex);
    std::shared_ptr<runtime::Model> model;
    ImageInput input;
    ACL_RETURN_IF_FAILED(FindInput(modelId, index, model, input));
    *dynamicAttachedDataIndex = ACL_INVALID_NODE_INDEX;
    switch (input.kind) {
      case ImageInputKind::kNone:
        *type = ACL_DATA_WITHOUT_AIPP;
        break;
      case ImageInputKind::kStatic:
        *type = ACL_DATA_WITH_STATIC_AIPP;
        break;
      case ImageInputKind::kDynamic:
        *type = ACL_DATA_WITH_DYNAMIC_AIPP;
        *dynamicAttachedDataIndex = input.params;
        break;
      case ImageInputKind::kParams:
        *type = ACL_DYNAMIC_AIPP_NODE;
        break;
    }
    return {};
  });
}

aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo* aippInfo) {
  return Guard("aclmdlGetFirstAippInfo", [&]() -> Answer {
    ACL_REQUIRE(aippInfo);
    std::shared_ptr<runtime::Model> model;
    ImageInput input;
    ACL_RETURN_IF_FAILED(FindInput(modelId, index, model, input));
    if (input.kind != ImageInputKind::kStatic)
      return {ACL_ERROR_NOT_STATIC_AIPP, Kind::kArgument,
              StrCat("Input ", index, " of model ", modelId, " has no static pre-processing.")};
    const ProgramIo& io = model->program().inputs[index];
    std::memset(aippInfo, 0, sizeof(*aippInfo));
    FillInfo(input.frame, *aippInfo);
    aippInfo->srcFormat = ACL_FORMAT_NCHW;
    aippInfo->srcDatatype = ACL_FLOAT;
    aippInfo->srcDimNum = 4;
    aippInfo->shapeCount = 1;
    FillDims(io.name, io.dims, aippInfo->outDims[0].srcDims);
    aippInfo->outDims[0].srcSize = io.bytes;
    FillDims(io.name, {input.result.begin(), input.result.end()},
             aippInfo->outDims[0].aippOutdims);
    aippInfo->outDims[0].aippOutSize = input.result_bytes;
    return {};
  });
}
