// SPDX-License-Identifier: Apache-2.0
// Models: load, describe, execute.
#ifndef CAIRN_ACL_MDL_MODEL_H_
#define CAIRN_ACL_MDL_MODEL_H_

#include "acl/mdl/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Loads a model; `modelId` is written on success only. The memory form may release the buffer
/// after the call.
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFile(const char* modelPath, uint32_t* modelId);
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMem(
    const void* model, size_t modelSize, uint32_t* modelId);

/// As above with work and weight memory of the caller, kept alive until unload; NULL leaves it
/// to the runtime.
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFileWithMem(
    const char* modelPath, uint32_t* modelId, void* workPtr, size_t workSize, void* weightPtr,
    size_t weightSize);
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMemWithMem(
    const void* model, size_t modelSize, uint32_t* modelId, void* workPtr, size_t workSize,
    void* weightPtr, size_t weightSize);

/// Bytes of work and weight memory, never 0.
ACL_FUNC_VISIBILITY aclError aclmdlQuerySize(
    const char* fileName, size_t* workSize, size_t* weightSize);
ACL_FUNC_VISIBILITY aclError aclmdlQuerySizeFromMem(
    const void* model, size_t modelSize, size_t* workSize, size_t* weightSize);

/// Releases a model; descriptions of it stay readable.
ACL_FUNC_VISIBILITY aclError aclmdlUnload(uint32_t modelId);

/// Load described by a configuration; attribute values are passed as pointers to them.
ACL_FUNC_VISIBILITY aclmdlConfigHandle* aclmdlCreateConfigHandle(void);
ACL_FUNC_VISIBILITY aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle* handle);
ACL_FUNC_VISIBILITY aclError aclmdlSetConfigOpt(
    aclmdlConfigHandle* handle, aclmdlConfigAttr attr, const void* attrValue, size_t valueSize);
ACL_FUNC_VISIBILITY aclError aclmdlLoadWithConfig(
    const aclmdlConfigHandle* handle, uint32_t* modelId);
ACL_FUNC_VISIBILITY aclError aclmdlSetExternalWeightAddress(
    aclmdlConfigHandle* handle, const char* weightFileName, void* devPtr, size_t size);

/// Description of a loaded model, or of a file or memory without loading it.
ACL_FUNC_VISIBILITY aclmdlDesc* aclmdlCreateDesc(void);
ACL_FUNC_VISIBILITY aclError aclmdlDestroyDesc(aclmdlDesc* modelDesc);
ACL_FUNC_VISIBILITY aclError aclmdlGetDesc(aclmdlDesc* modelDesc, uint32_t modelId);
ACL_FUNC_VISIBILITY aclError aclmdlGetDescFromFile(aclmdlDesc* modelDesc, const char* modelPath);
ACL_FUNC_VISIBILITY aclError aclmdlGetDescFromMem(
    aclmdlDesc* modelDesc, const void* model, size_t modelSize);

/// Inputs and outputs: count, bytes (of the largest gear), names, types, formats, dims.
ACL_FUNC_VISIBILITY size_t aclmdlGetOutputSizeByIndex(aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY size_t aclmdlGetNumOutputs(aclmdlDesc* modelDesc);
ACL_FUNC_VISIBILITY size_t aclmdlGetInputSizeByIndex(aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY size_t aclmdlGetNumInputs(aclmdlDesc* modelDesc);
ACL_FUNC_VISIBILITY aclError aclmdlGetInputIndexByName(
    const aclmdlDesc* modelDesc, const char* name, size_t* index);
ACL_FUNC_VISIBILITY aclDataType aclmdlGetOutputDataType(const aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY aclError aclmdlGetOutputDims(
    const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
ACL_FUNC_VISIBILITY aclFormat aclmdlGetOutputFormat(const aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY const char* aclmdlGetOutputNameByIndex(
    const aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDims(
    const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
ACL_FUNC_VISIBILITY const char* aclmdlGetInputNameByIndex(
    const aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY aclDataType aclmdlGetInputDataType(const aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY aclFormat aclmdlGetInputFormat(const aclmdlDesc* modelDesc, size_t index);
ACL_FUNC_VISIBILITY aclError aclmdlGetOutputIndexByName(
    const aclmdlDesc* modelDesc, const char* name, size_t* index);
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDimsV2(
    const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDimsRange(
    const aclmdlDesc* modelDesc, size_t index, aclmdlIODimsRange* dimsRange);
ACL_FUNC_VISIBILITY const char* aclmdlGetTensorRealName(
    const aclmdlDesc* modelDesc, const char* name);
ACL_FUNC_VISIBILITY const char* aclmdlGetOpAttr(
    aclmdlDesc* modelDesc, const char* opName, const char* attr);

/// Dims of an output for the gear set last on the model.
ACL_FUNC_VISIBILITY aclError aclmdlGetCurOutputDims(
    const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);

/// Gears of a dynamic model; count 0 for others.
ACL_FUNC_VISIBILITY aclError aclmdlGetDynamicBatch(const aclmdlDesc* modelDesc, aclmdlBatch* batch);
ACL_FUNC_VISIBILITY aclError aclmdlGetDynamicHW(
    const aclmdlDesc* modelDesc, size_t index, aclmdlHW* hw);
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDynamicGearCount(
    const aclmdlDesc* modelDesc, size_t index, size_t* gearCount);
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDynamicDims(
    const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims, size_t gearCount);

/// Runs a model and waits. Empty output buffers are allocated; the caller releases them with
/// aclrtFree.
ACL_FUNC_VISIBILITY aclError aclmdlExecute(
    uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output);

/// Queues a run on `stream`; datasets must stay alive and unchanged until the stream is
/// synchronised.
ACL_FUNC_VISIBILITY aclError aclmdlExecuteAsync(
    uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output, aclrtStream stream);

/// As above with timeouts from a configuration.
ACL_FUNC_VISIBILITY aclmdlExecConfigHandle* aclmdlCreateExecConfigHandle(void);
ACL_FUNC_VISIBILITY aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle* handle);
ACL_FUNC_VISIBILITY aclError aclmdlSetExecConfigOpt(
    aclmdlExecConfigHandle* handle, aclmdlExecConfigAttr attr, const void* attrValue,
    size_t valueSize);
ACL_FUNC_VISIBILITY aclError aclmdlExecuteV2(
    uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output, aclrtStream stream,
    const aclmdlExecConfigHandle* handle);
ACL_FUNC_VISIBILITY aclError aclmdlExecuteAsyncV2(
    uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output, aclrtStream stream,
    const aclmdlExecConfigHandle* handle);

/// Operator of a failed task; only inside the exception callback.
ACL_FUNC_VISIBILITY aclError aclmdlCreateAndGetOpDesc(
    uint32_t deviceId, uint32_t streamId, uint32_t taskId, char* opName, size_t opNameLen,
    aclTensorDesc** inputDesc, size_t* numInputs, aclTensorDesc** outputDesc, size_t* numOutputs);

/// Attributes and partitions of models.
ACL_FUNC_VISIBILITY aclError aclmdlGetAttribute(
    uint32_t modelId, aclmdlAttr attr, aclmdlAttrValue_t* attrValue);
ACL_FUNC_VISIBILITY aclError aclmdlSetAttribute(
    uint32_t modelId, aclmdlAttr attr, aclmdlAttrValue_t* attrValue);
ACL_FUNC_VISIBILITY aclError aclmdlQueryExeOMDesc(
    const char* fileName, aclmdlExeOMDesc* mdlPartitionSize);

/// Models fed by queues, bundles of models.
ACL_FUNC_VISIBILITY aclError aclmdlBundleGetModelId(
    uint32_t bundleId, size_t index, uint32_t* modelId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleGetModelNum(uint32_t bundleId, size_t* modelNum);
ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadFromFile(const char* modelPath, uint32_t* bundleId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleUnload(uint32_t bundleId);
ACL_FUNC_VISIBILITY aclmdlBundleQueryInfo* aclmdlBundleCreateQueryInfo(void);
ACL_FUNC_VISIBILITY aclError aclmdlBundleDestroyQueryInfo(aclmdlBundleQueryInfo* queryInfo);
ACL_FUNC_VISIBILITY aclError aclmdlBundleGetQueryModelNum(
    const aclmdlBundleQueryInfo* queryInfo, size_t* modelNum);
ACL_FUNC_VISIBILITY aclError aclmdlBundleGetSize(
    const aclmdlBundleQueryInfo* queryInfo, size_t index, size_t* workSize,
    size_t* constWeightSize);
ACL_FUNC_VISIBILITY aclError aclmdlBundleGetVarWeightSize(
    const aclmdlBundleQueryInfo* queryInfo, size_t* variableWeightSize);
ACL_FUNC_VISIBILITY aclError aclmdlBundleInitFromFile(
    const char* modelPath, void* varWeightPtr, size_t varWeightSize, uint32_t* bundleId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleInitFromMem(
    const void* model, size_t modelSize, void* varWeightPtr, size_t varWeightSize,
    uint32_t* bundleId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadFromMem(
    const void* model, size_t modelSize, uint32_t* bundleId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadModel(
    uint32_t bundleId, size_t index, uint32_t* modelId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadModelWithConfig(
    uint32_t bundleId, size_t index, aclmdlConfigHandle* handle, uint32_t* modelId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadModelWithMem(
    uint32_t bundleId, size_t index, void* workPtr, size_t workSize, void* weightPtr,
    size_t weightSize, uint32_t* modelId);
ACL_FUNC_VISIBILITY aclError aclmdlBundleQueryInfoFromFile(
    const char* fileName, aclmdlBundleQueryInfo* queryInfo);
ACL_FUNC_VISIBILITY aclError aclmdlBundleQueryInfoFromMem(
    const void* model, size_t modelSize, aclmdlBundleQueryInfo* queryInfo);
ACL_FUNC_VISIBILITY aclError aclmdlBundleUnloadModel(uint32_t bundleId, uint32_t modelId);
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFileWithQ(
    const char* modelPath, uint32_t* modelId, const uint32_t* inputQ, size_t inputQNum,
    const uint32_t* outputQ, size_t outputQNum);
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMemWithQ(
    const void* model, size_t modelSize, uint32_t* modelId, const uint32_t* inputQ,
    size_t inputQNum, const uint32_t* outputQ, size_t outputQNum);

#ifdef __cplusplus
}
#endif

#endif  // CAIRN_ACL_MDL_MODEL_H_
