// SPDX-License-Identifier: Apache-2.0
// Media functions: pictures, JPEG, resizing, video.
#ifndef CAIRN_ACL_OPS_ACL_DVPP_H_
#define CAIRN_ACL_OPS_ACL_DVPP_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl.h"
#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(ENABLE_DVPP_INTERFACE)
#error "define ENABLE_DVPP_INTERFACE to use the media functions"
#endif

typedef struct acldvppPicDesc acldvppPicDesc;
typedef struct acldvppBatchPicDesc acldvppBatchPicDesc;
typedef struct acldvppRoiConfig acldvppRoiConfig;
typedef struct acldvppResizeConfig acldvppResizeConfig;
typedef struct acldvppJpegeConfig acldvppJpegeConfig;
typedef struct acldvppChannelDesc acldvppChannelDesc;
typedef struct acldvppStreamDesc acldvppStreamDesc;
typedef struct aclvdecChannelDesc aclvdecChannelDesc;
typedef struct aclvdecFrameConfig aclvdecFrameConfig;
typedef struct aclvencChannelDesc aclvencChannelDesc;
typedef struct aclvencFrameConfig aclvencFrameConfig;

enum acldvppPixelFormat {
  PIXEL_FORMAT_YUV_400 = 0,
  PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1,
  PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2,
  PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3,
  PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4,
  PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5,
  PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6,
  PIXEL_FORMAT_YUYV_PACKED_422 = 7,
  PIXEL_FORMAT_UYVY_PACKED_422 = 8,
  PIXEL_FORMAT_YVYU_PACKED_422 = 9,
  PIXEL_FORMAT_VYUY_PACKED_422 = 10,
  PIXEL_FORMAT_YUV_PACKED_444 = 11,
  PIXEL_FORMAT_RGB_888 = 12,
  PIXEL_FORMAT_BGR_888 = 13,
  PIXEL_FORMAT_ARGB_8888 = 14,
  PIXEL_FORMAT_ABGR_8888 = 15,
  PIXEL_FORMAT_RGBA_8888 = 16,
  PIXEL_FORMAT_BGRA_8888 = 17,
  PIXEL_FORMAT_YVU_PLANAR_420 = 20,
  PIXEL_FORMAT_YVU_PLANAR_422 = 21,
  PIXEL_FORMAT_YVU_PLANAR_444 = 22,
  PIXEL_FORMAT_BUTT = 1003,
  PIXEL_FORMAT_UNKNOWN = 10000
};

enum acldvppStreamFormat {
  H265_MAIN_LEVEL = 0,
  H264_BASELINE_LEVEL = 1,
  H264_MAIN_LEVEL = 2,
  H264_HIGH_LEVEL = 3
};

enum acldvppChannelMode {
  DVPP_CHNMODE_VPC = 1,
  DVPP_CHNMODE_JPEGD = 2,
  DVPP_CHNMODE_JPEGE = 4,
  DVPP_CHNMODE_PNGD = 8
};

enum acldvppJpegFormat {
  ACL_JPEG_CSS_444 = 0,
  ACL_JPEG_CSS_422 = 1,
  ACL_JPEG_CSS_420 = 2,
  ACL_JPEG_CSS_GRAY = 3,
  ACL_JPEG_CSS_440 = 4,
  ACL_JPEG_CSS_411 = 5,
  ACL_JPEG_CSS_UNKNOWN = 1000
};

#ifndef __cplusplus
typedef enum acldvppPixelFormat acldvppPixelFormat;
typedef enum acldvppStreamFormat acldvppStreamFormat;
typedef enum acldvppChannelMode acldvppChannelMode;
typedef enum acldvppJpegFormat acldvppJpegFormat;
#endif

typedef void (*aclvdecCallback)(acldvppStreamDesc* input, acldvppPicDesc* output, void* userData);
typedef void (*aclvencCallback)(acldvppPicDesc* input, acldvppStreamDesc* output, void* userdata);

/// Memory of media functions.
ACL_FUNC_VISIBILITY aclError acldvppMalloc(void** devPtr, size_t size);
ACL_FUNC_VISIBILITY aclError acldvppFree(void* devPtr);

/// Descriptions of pictures and streams.
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescData(acldvppPicDesc* picDesc, void* dataDev);
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescSize(acldvppPicDesc* picDesc, uint32_t size);
ACL_FUNC_VISIBILITY acldvppPicDesc* acldvppCreatePicDesc(void);
ACL_FUNC_VISIBILITY aclError acldvppDestroyPicDesc(acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescFormat(
    acldvppPicDesc* picDesc, acldvppPixelFormat format);
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescHeight(acldvppPicDesc* picDesc, uint32_t height);
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescHeightStride(
    acldvppPicDesc* picDesc, uint32_t heightStride);
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescWidth(acldvppPicDesc* picDesc, uint32_t width);
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescWidthStride(
    acldvppPicDesc* picDesc, uint32_t widthStride);
ACL_FUNC_VISIBILITY void* acldvppGetStreamDescData(const acldvppStreamDesc* streamDesc);
ACL_FUNC_VISIBILITY aclError acldvppDestroyStreamDesc(acldvppStreamDesc* streamDesc);
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescHeight(const acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescSize(const acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescWidth(const acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescWidthStride(const acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY uint32_t acldvppGetStreamDescSize(const acldvppStreamDesc* streamDesc);
ACL_FUNC_VISIBILITY void* acldvppGetPicDescData(const acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY acldvppStreamDesc* acldvppCreateStreamDesc(void);
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescData(acldvppStreamDesc* streamDesc, void* dataDev);
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescSize(acldvppStreamDesc* streamDesc, uint32_t size);
ACL_FUNC_VISIBILITY uint32_t acldvppGetStreamDescRetCode(const acldvppStreamDesc* streamDesc);
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescEos(acldvppStreamDesc* streamDesc, uint8_t eos);
ACL_FUNC_VISIBILITY acldvppPixelFormat acldvppGetPicDescFormat(const acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescHeightStride(const acldvppPicDesc* picDesc);
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescTimestamp(
    acldvppStreamDesc* streamDesc, uint64_t timestamp);
ACL_FUNC_VISIBILITY acldvppBatchPicDesc* acldvppCreateBatchPicDesc(uint32_t batchSize);
ACL_FUNC_VISIBILITY aclError acldvppDestroyBatchPicDesc(acldvppBatchPicDesc* batchPicDesc);
ACL_FUNC_VISIBILITY acldvppPicDesc* acldvppGetPicDesc(
    acldvppBatchPicDesc* batchPicDesc, uint32_t index);
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc* picDesc);

/// Pictures: channels, decoding, encoding, resizing.
ACL_FUNC_VISIBILITY aclError acldvppCreateChannel(acldvppChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY acldvppChannelDesc* acldvppCreateChannelDesc(void);
ACL_FUNC_VISIBILITY aclError acldvppJpegGetImageInfo(
    const void* data, uint32_t size, uint32_t* width, uint32_t* height, int32_t* components);
ACL_FUNC_VISIBILITY aclError acldvppDestroyChannel(acldvppChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY aclError acldvppDestroyChannelDesc(acldvppChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY acldvppResizeConfig* acldvppCreateResizeConfig(void);
ACL_FUNC_VISIBILITY aclError acldvppDestroyResizeConfig(acldvppResizeConfig* resizeConfig);
ACL_FUNC_VISIBILITY aclError acldvppVpcResizeAsync(
    acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc,
    acldvppResizeConfig* resizeConfig, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppJpegDecodeAsync(
    acldvppChannelDesc* channelDesc, const void* data, uint32_t size, acldvppPicDesc* outputDesc,
    aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppPngGetImageInfo(
    const void* data, uint32_t dataSize, uint32_t* width, uint32_t* height, int32_t* components);
ACL_FUNC_VISIBILITY acldvppRoiConfig* acldvppCreateRoiConfig(
    uint32_t left, uint32_t right, uint32_t top, uint32_t bottom);
ACL_FUNC_VISIBILITY aclError acldvppDestroyRoiConfig(acldvppRoiConfig* roiConfig);
ACL_FUNC_VISIBILITY acldvppJpegeConfig* acldvppCreateJpegeConfig(void);
ACL_FUNC_VISIBILITY aclError acldvppDestroyJpegeConfig(acldvppJpegeConfig* jpegeConfig);
ACL_FUNC_VISIBILITY aclError acldvppJpegEncodeAsync(
    acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, const void* data, uint32_t* size,
    acldvppJpegeConfig* config, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppJpegPredictEncSize(
    const acldvppPicDesc* inputDesc, const acldvppJpegeConfig* config, uint32_t* size);
ACL_FUNC_VISIBILITY aclError acldvppSetJpegeConfigLevel(
    acldvppJpegeConfig* jpegeConfig, uint32_t level);
ACL_FUNC_VISIBILITY aclError acldvppVpcCropAndPasteAsync(
    acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc,
    acldvppRoiConfig* cropArea, acldvppRoiConfig* pasteArea, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppPngDecodeAsync(
    acldvppChannelDesc* channelDesc, const void* data, uint32_t size, acldvppPicDesc* outputDesc,
    aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppSetChannelDescMode(
    acldvppChannelDesc* channelDesc, uint32_t mode);
ACL_FUNC_VISIBILITY aclError acldvppJpegPredictDecSize(
    const void* data, uint32_t dataSize, acldvppPixelFormat outputPixelFormat, uint32_t* decSize);
ACL_FUNC_VISIBILITY aclError acldvppJpegGetImageInfoV2(
    const void* data, uint32_t size, uint32_t* width, uint32_t* height, int32_t* components,
    acldvppJpegFormat* format);
ACL_FUNC_VISIBILITY aclError acldvppSetResizeConfigInterpolation(
    acldvppResizeConfig* resizeConfig, uint32_t interpolation);
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigBottom(acldvppRoiConfig* config, uint32_t bottom);
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigLeft(acldvppRoiConfig* config, uint32_t left);
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigRight(acldvppRoiConfig* config, uint32_t right);
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigTop(acldvppRoiConfig* config, uint32_t top);
ACL_FUNC_VISIBILITY aclError acldvppVpcBatchCropResizeAsync(
    acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
    uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[],
    acldvppResizeConfig* resizeConfig, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppVpcCropAsync(
    acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc,
    acldvppRoiConfig* cropArea, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppVpcCropResizeAsync(
    acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc,
    acldvppRoiConfig* cropArea, acldvppResizeConfig* resizeConfig, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError acldvppVpcCropResizePasteAsync(
    acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc,
    acldvppRoiConfig* cropArea, acldvppRoiConfig* pasteArea, acldvppResizeConfig* resizeConfig,
    aclrtStream stream);

/// Video.
ACL_FUNC_VISIBILITY aclError aclvencCreateChannel(aclvencChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY aclvencChannelDesc* aclvencCreateChannelDesc(void);
ACL_FUNC_VISIBILITY aclvencFrameConfig* aclvencCreateFrameConfig(void);
ACL_FUNC_VISIBILITY aclError aclvencDestroyChannel(aclvencChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY aclError aclvencDestroyChannelDesc(aclvencChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY aclError aclvencDestroyFrameConfig(aclvencFrameConfig* config);
ACL_FUNC_VISIBILITY aclError aclvencSendFrame(
    aclvencChannelDesc* channelDesc, acldvppPicDesc* input, void* reserve,
    aclvencFrameConfig* config, void* userdata);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescCallback(
    aclvencChannelDesc* channelDesc, aclvencCallback callback);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescEnType(
    aclvencChannelDesc* channelDesc, acldvppStreamFormat enType);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescKeyFrameInterval(
    aclvencChannelDesc* channelDesc, uint32_t keyFrameInterval);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescPicFormat(
    aclvencChannelDesc* channelDesc, acldvppPixelFormat picFormat);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescPicHeight(
    aclvencChannelDesc* channelDesc, uint32_t picHeight);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescPicWidth(
    aclvencChannelDesc* channelDesc, uint32_t picWidth);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescThreadId(
    aclvencChannelDesc* channelDesc, uint64_t threadId);
ACL_FUNC_VISIBILITY aclError aclvencSetFrameConfigForceIFrame(
    aclvencFrameConfig* config, uint8_t forceIFrame);
ACL_FUNC_VISIBILITY aclError aclvencSetFrameConfigEos(aclvencFrameConfig* config, uint8_t eos);
ACL_FUNC_VISIBILITY aclError aclvdecCreateChannel(aclvdecChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY aclvdecChannelDesc* aclvdecCreateChannelDesc(void);
ACL_FUNC_VISIBILITY aclError aclvdecDestroyChannel(aclvdecChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY aclError aclvdecDestroyChannelDesc(aclvdecChannelDesc* channelDesc);
ACL_FUNC_VISIBILITY aclError aclvdecSendFrame(
    aclvdecChannelDesc* channelDesc, acldvppStreamDesc* input, acldvppPicDesc* output,
    aclvdecFrameConfig* config, void* userData);
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescCallback(
    aclvdecChannelDesc* channelDesc, aclvdecCallback callback);
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescChannelId(
    aclvdecChannelDesc* channelDesc, uint32_t channelId);
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescEnType(
    aclvdecChannelDesc* channelDesc, acldvppStreamFormat enType);
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescOutPicFormat(
    aclvdecChannelDesc* channelDesc, acldvppPixelFormat outPicFormat);
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescThreadId(
    aclvdecChannelDesc* channelDesc, uint64_t threadId);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescMaxBitRate(
    aclvencChannelDesc* channelDesc, uint32_t maxBitRate);
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescRcMode(
    aclvencChannelDesc* channelDesc, uint32_t rcMode);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACL_OPS_ACL_DVPP_H_
