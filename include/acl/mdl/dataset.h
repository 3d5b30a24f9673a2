// SPDX-License-Identifier: Apache-2.0
// Datasets: the buffers of one execution, dynamic sizes, image preprocessing parameters.
#ifndef CAIRN_ACL_MDL_DATASET_H_
#define CAIRN_ACL_MDL_DATASET_H_

#include "acl/mdl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An ordered list of data buffers; owns neither the buffers nor their memory.
ACL_FUNC_VISIBILITY aclmdlDataset* aclmdlCreateDataset(void);
ACL_FUNC_VISIBILITY aclError aclmdlDestroyDataset(const aclmdlDataset* dataset);
ACL_FUNC_VISIBILITY aclError aclmdlAddDatasetBuffer(
    aclmdlDataset* dataset, aclDataBuffer* dataBuffer);
ACL_FUNC_VISIBILITY size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset* dataset);
ACL_FUNC_VISIBILITY aclDataBuffer* aclmdlGetDatasetBuffer(
    const aclmdlDataset* dataset, size_t index);

/// Shape of a buffer of a model with shape ranges; the description is copied.
ACL_FUNC_VISIBILITY aclError aclmdlSetDatasetTensorDesc(
    aclmdlDataset* dataset, aclTensorDesc* tensorDesc, size_t index);
ACL_FUNC_VISIBILITY aclTensorDesc* aclmdlGetDatasetTensorDesc(
    const aclmdlDataset* dataset, size_t index);

/// Selects the gear of the next executions; `index` is that of ACL_DYNAMIC_TENSOR_NAME.
ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicBatchSize(
    uint32_t modelId, aclmdlDataset* dataset, size_t index, uint64_t batchSize);
ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicHWSize(
    uint32_t modelId, aclmdlDataset* dataset, size_t index, uint64_t height, uint64_t width);
ACL_FUNC_VISIBILITY aclError aclmdlSetInputDynamicDims(
    uint32_t modelId, aclmdlDataset* dataset, size_t index, const aclmdlIODims* dims);

/// Parameters of dynamic image preprocessing.
ACL_FUNC_VISIBILITY aclmdlAIPP* aclmdlCreateAIPP(uint64_t batchSize);
ACL_FUNC_VISIBILITY aclError aclmdlDestroyAIPP(const aclmdlAIPP* aippParmsSet);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPAxSwapSwitch(
    aclmdlAIPP* aippParmsSet, int8_t axSwapSwitch);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPCropParams(
    aclmdlAIPP* aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW, int32_t cropStartPosH,
    int32_t cropSizeW, int32_t cropSizeH, uint64_t batchIndex);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPCscParams(
    aclmdlAIPP* aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0, int16_t cscMatrixR0C1,
    int16_t cscMatrixR0C2, int16_t cscMatrixR1C0, int16_t cscMatrixR1C1, int16_t cscMatrixR1C2,
    int16_t cscMatrixR2C0, int16_t cscMatrixR2C1, int16_t cscMatrixR2C2, uint8_t cscOutputBiasR0,
    uint8_t cscOutputBiasR1, uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
    uint8_t cscInputBiasR1, uint8_t cscInputBiasR2);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPDtcPixelMean(
    aclmdlAIPP* aippParmsSet, int16_t dtcPixelMeanChn0, int16_t dtcPixelMeanChn1,
    int16_t dtcPixelMeanChn2, int16_t dtcPixelMeanChn3, uint64_t batchIndex);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPDtcPixelMin(
    aclmdlAIPP* aippParmsSet, float dtcPixelMinChn0, float dtcPixelMinChn1, float dtcPixelMinChn2,
    float dtcPixelMinChn3, uint64_t batchIndex);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPInputFormat(
    aclmdlAIPP* aippParmsSet, aclAippInputFormat inputFormat);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPPaddingParams(
    aclmdlAIPP* aippParmsSet, int8_t paddingSwitch, int32_t paddingSizeTop,
    int32_t paddingSizeBottom, int32_t paddingSizeLeft, int32_t paddingSizeRight,
    uint64_t batchIndex);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPPixelVarReci(
    aclmdlAIPP* aippParmsSet, float dtcPixelVarReciChn0, float dtcPixelVarReciChn1,
    float dtcPixelVarReciChn2, float dtcPixelVarReciChn3, uint64_t batchIndex);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPRbuvSwapSwitch(
    aclmdlAIPP* aippParmsSet, int8_t rbuvSwapSwitch);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPScfParams(
    aclmdlAIPP* aippParmsSet, int8_t scfSwitch, int32_t scfInputSizeW, int32_t scfInputSizeH,
    int32_t scfOutputSizeW, int32_t scfOutputSizeH, uint64_t batchIndex);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPSrcImageSize(
    aclmdlAIPP* aippParmsSet, int32_t srcImageSizeW, int32_t srcImageSizeH);
ACL_FUNC_VISIBILITY aclError aclmdlSetInputAIPP(
    uint32_t modelId, aclmdlDataset* dataset, size_t index, const aclmdlAIPP* aippParmsSet);
ACL_FUNC_VISIBILITY aclError aclmdlGetAippDataSize(uint64_t batchSize, size_t* size);
ACL_FUNC_VISIBILITY aclError aclmdlGetAippType(
    uint32_t modelId, size_t index, aclmdlInputAippType* type, size_t* dynamicAttachedDataIndex);
ACL_FUNC_VISIBILITY aclError aclmdlGetFirstAippInfo(
    uint32_t modelId, size_t index, aclAippInfo* aippInfo);
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPByInputIndex(
    uint32_t modelId, aclmdlDataset* dataset, size_t index, const aclmdlAIPP* aippParmsSet);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACL_MDL_DATASET_H_
