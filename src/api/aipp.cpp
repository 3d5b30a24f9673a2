// SPDX-License-Identifier: Apache-2.0
// Parameters of dynamic image pre-processing.
#include "api/aipp.h"

#include "api/call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

constexpr uint64_t kMaxBatch = 127;  // The parameter block counts in a signed byte.

Answer CheckSwitch(const char* name, int8_t value) {
  if (value == 0 || value == 1) return {};
  return InvalidArgument(name, static_cast<int>(value), "it must be 0 or 1");
}

Answer CheckRange(const char* name, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return {};
  return InvalidArgument(name, value, StrCat("it must be in [", low, ", ", high, "]"));
}

/// Sets what all images share.
template <class Set>
Answer SetAll(aclmdlAIPP* aippParmsSet, Set set) {
  ACL_REQUIRE(aippParmsSet);
  for (AippFrame& frame : aippParmsSet->frames) set(frame);
  return {};
}

/// Sets what one image has of its own.
template <class Set>
Answer SetOne(aclmdlAIPP* aippParmsSet, uint64_t batchIndex, Set set) {
  ACL_REQUIRE(aippParmsSet);
  if (batchIndex >= aippParmsSet->frames.size())
    return InvalidArgument("batchIndex", batchIndex,
                           StrCat("there are ", aippParmsSet->frames.size(), " images"));
  set(aippParmsSet->frames[batchIndex]);
  return {};
}

}  // namespace

aclmdlAIPP* aclmdlCreateAIPP(uint64_t batchSize) {
  return GuardValue<aclmdlAIPP*>("aclmdlCreateAIPP", nullptr, [&](auto& aipp) -> Answer {
    ACL_RETURN_IF_FAILED(CheckRange("batchSize", static_cast<int64_t>(batchSize), 1, kMaxBatch));
    aipp = new aclmdlAIPP{std::vector<AippFrame>(batchSize)};
    return {};
  });
}

aclError aclmdlDestroyAIPP(const aclmdlAIPP* aippParmsSet) {
  return Guard("aclmdlDestroyAIPP", [&]() -> Answer {
    ACL_REQUIRE(aippParmsSet);
    delete aippParmsSet;
    return {};
  });
}

aclError aclmdlGetAippDataSize(uint64_t batchSize, size_t* size) {
  return Guard("aclmdlGetAippDataSize", [&]() -> Answer {
    ACL_REQUIRE(size);
    ACL_RETURN_IF_FAILED(CheckRange("batchSize", static_cast<int64_t>(batchSize), 1, kMaxBatch));
    *size = AippBlockBytes(batchSize);
    return {};
  });
}

aclError aclmdlSetAIPPInputFormat(aclmdlAIPP* aippParmsSet, aclAippInputFormat inputFormat) {
  return Guard("aclmdlSetAIPPInputFormat", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckRange("inputFormat", static_cast<int>(inputFormat),
                                    ACL_YUV420SP_U8, ACL_YUV400_U8));
    return SetAll(aippParmsSet, [&](AippFrame& frame) {
      frame.format = static_cast<PixelFormat>(static_cast<int>(inputFormat));
    });
  });
}

aclError aclmdlSetAIPPCscParams(aclmdlAIPP* aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0,
                                int16_t cscMatrixR0C1, int16_t cscMatrixR0C2, int16_t cscMatrixR1C0,
                                int16_t cscMatrixR1C1, int16_t cscMatrixR1C2, int16_t cscMatrixR2C0,
                                int16_t cscMatrixR2C1, int16_t cscMatrixR2C2,
                                uint8_t cscOutputBiasR0, uint8_t cscOutputBiasR1,
                                uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
                                uint8_t cscInputBiasR1, uint8_t cscInputBiasR2) {
  return Guard("aclmdlSetAIPPCscParams", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckSwitch("cscSwitch", cscSwitch));
    return SetAll(aippParmsSet, [&](AippFrame& frame) {
      frame.csc = cscSwitch != 0;
      frame.matrix = {cscMatrixR0C0, cscMatrixR0C1, cscMatrixR0C2, cscMatrixR1C0, cscMatrixR1C1,
                      cscMatrixR1C2, cscMatrixR2C0, cscMatrixR2C1, cscMatrixR2C2};
      frame.output_bias = {cscOutputBiasR0, cscOutputBiasR1, cscOutputBiasR2};
      frame.input_bias = {cscInputBiasR0, cscInputBiasR1, cscInputBiasR2};
    });
  });
}

aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t rbuvSwapSwitch) {
  return Guard("aclmdlSetAIPPRbuvSwapSwitch", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckSwitch("rbuvSwapSwitch", rbuvSwapSwitch));
    return SetAll(aippParmsSet,
                  [&](AippFrame& frame) { frame.rbuv_swap = rbuvSwapSwitch != 0; });
  });
}

aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t axSwapSwitch) {
  return Guard("aclmdlSetAIPPAxSwapSwitch", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckSwitch("axSwapSwitch", axSwapSwitch));
    return SetAll(aippParmsSet, [&](AippFrame& frame) { frame.ax_swap = axSwapSwitch != 0; });
  });
}

aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP* aippParmsSet, int32_t srcImageSizeW,
                                   int32_t srcImageSizeH) {
  return Guard("aclmdlSetAIPPSrcImageSize", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckRange("srcImageSizeW", srcImageSizeW, 2, 4096));
    ACL_RETURN_IF_FAILED(CheckRange("srcImageSizeH", srcImageSizeH, 1, 4096));
    return SetAll(aippParmsSet, [&](AippFrame& frame) {
      frame.src_w = srcImageSizeW;
      frame.src_h = srcImageSizeH;
    });
  });
}

aclError aclmdlSetAIPPScfParams(aclmdlAIPP* aippParmsSet, int8_t scfSwitch, int32_t, int32_t,
                                int32_t, int32_t, uint64_t batchIndex) {
  return Guard("aclmdlSetAIPPScfParams", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckSwitch("scfSwitch", scfSwitch));
    ACL_RETURN_IF_FAILED(SetOne(aippParmsSet, batchIndex, [](AippFrame&) {}));
    if (scfSwitch == 0) return {};
    return NotSupported("Value 1 for scfSwitch", "images are not scaled on this device",
                        ACL_ERROR_FEATURE_UNSUPPORTED);
  });
}

aclError aclmdlSetAIPPCropParams(aclmdlAIPP* aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW,
                                 int32_t cropStartPosH, int32_t cropSizeW, int32_t cropSizeH,
                                 uint64_t batchIndex) {
  return Guard("aclmdlSetAIPPCropParams", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckSwitch("cropSwitch", cropSwitch));
    if (cropSwitch != 0) {
      ACL_RETURN_IF_FAILED(CheckRange("cropStartPosW", cropStartPosW, 0, 4095));
      ACL_RETURN_IF_FAILED(CheckRange("cropStartPosH", cropStartPosH, 0, 4095));
      ACL_RETURN_IF_FAILED(CheckRange("cropSizeW", cropSizeW, 1, 4096));
      ACL_RETURN_IF_FAILED(CheckRange("cropSizeH", cropSizeH, 1, 4096));
    }
    return SetOne(aippParmsSet, batchIndex, [&](AippFrame& frame) {
      frame.crop = cropSwitch != 0;
      frame.crop_x = cropStartPosW;
      frame.crop_y = cropStartPosH;
      frame.crop_w = cropSizeW;
      frame.crop_h = cropSizeH;
    });
  });
}

aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP* aippParmsSet, int8_t paddingSwitch,
                                    int32_t paddingSizeTop, int32_t paddingSizeBottom,
                                    int32_t paddingSizeLeft, int32_t paddingSizeRight,
                                    uint64_t batchIndex) {
  return Guard("aclmdlSetAIPPPaddingParams", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckSwitch("paddingSwitch", paddingSwitch));
    if (paddingSwitch != 0) {
      ACL_RETURN_IF_FAILED(CheckRange("paddingSizeTop", paddingSizeTop, 0, 32));
      ACL_RETURN_IF_FAILED(CheckRange("paddingSizeBottom", paddingSizeBottom, 0, 32));
      ACL_RETURN_IF_FAILED(CheckRange("paddingSizeLeft", paddingSizeLeft, 0, 32));
      ACL_RETURN_IF_FAILED(CheckRange("paddingSizeRight", paddingSizeRight, 0, 32));
    }
    return SetOne(aippParmsSet, batchIndex, [&](AippFrame& frame) {
      frame.padding = paddingSwitch != 0;
      frame.pad_top = paddingSizeTop;
      frame.pad_bottom = paddingSizeBottom;
      frame.pad_left = paddingSizeLeft;
      frame.pad_right = paddingSizeRight;
    });
  });
}

aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP* aippParmsSet, int16_t dtcPixelMeanChn0,
                                   int16_t dtcPixelMeanChn1, int16_t dtcPixelMeanChn2,
                                   int16_t dtcPixelMeanChn3, uint64_t batchIndex) {
  return Guard("aclmdlSetAIPPDtcPixelMean", [&]() -> Answer {
    for (const int16_t mean :
         {dtcPixelMeanChn0, dtcPixelMeanChn1, dtcPixelMeanChn2, dtcPixelMeanChn3})
      ACL_RETURN_IF_FAILED(CheckRange("dtcPixelMeanChn", mean, 0, 255));
    return SetOne(aippParmsSet, batchIndex, [&](AippFrame& frame) {
      frame.mean = {dtcPixelMeanChn0, dtcPixelMeanChn1, dtcPixelMeanChn2, dtcPixelMeanChn3};
    });
  });
}

aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP* aippParmsSet, float dtcPixelMinChn0,
                                  float dtcPixelMinChn1, float dtcPixelMinChn2,
                                  float dtcPixelMinChn3, uint64_t batchIndex) {
  return Guard("aclmdlSetAIPPDtcPixelMin", [&] {
    return SetOne(aippParmsSet, batchIndex, [&](AippFrame& frame) {
      frame.min = {dtcPixelMinChn0, dtcPixelMinChn1, dtcPixelMinChn2, dtcPixelMinChn3};
    });
  });
}

aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP* aippParmsSet, float dtcPixelVarReciChn0,
                                   float dtcPixelVarReciChn1, float dtcPixelVarReciChn2,
                                   float dtcPixelVarReciChn3, uint64_t batchIndex) {
  return Guard("aclmdlSetAIPPPixelVarReci", [&] {
    return SetOne(aippParmsSet, batchIndex, [&](AippFrame& frame) {
      frame.var_reci = {dtcPixelVarReciChn0, dtcPixelVarReciChn1, dtcPixelVarReciChn2,
                        dtcPixelVarReciChn3};
    });
  });
}
