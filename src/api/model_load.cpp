// SPDX-License-Identifier: Apache-2.0
// Loading, unloading and size queries of models.
#include <algorithm>
#include <cstring>

#include "acl/acl_mdl.h"
#include "api/call.h"
#include "api/model_desc.h"
#include "api/model_load.h"
#include "runtime/runtime.h"

using namespace cairn;  // NOLINT: mostly C functions
using runtime::Runtime;

namespace cairn::api {
namespace {

constexpr CodePair kNoFile{Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID};
/// Programs allocate what they are told, and no allocation of 0 bytes succeeds.
constexpr size_t kLeastBytes = 512;

Answer Load(const Result<runtime::ModelFile>& file, const CallerMemory& memory, uint32_t* id) {
  if (!file.ok()) return From(file.status(), {kNoFile});
  if (memory.weights != nullptr && memory.weight_bytes < file->image.weights.size())
    return InvalidArgument(
        "weightSize", memory.weight_bytes,
        StrCat("the model's weights have ", file->image.weights.size(), " bytes"));
  std::span<std::byte> work;
  if (memory.work != nullptr) work = {static_cast<std::byte*>(memory.work), memory.work_bytes};
  ACL_ASSIGN(*id, Runtime::Get().LoadModel(*file, work),
             {Code::kInvalidArgument, ACL_ERROR_INVALID_PARAM});
  return {};
}

Answer QuerySize(const Result<runtime::ModelFile>& file, size_t* work, size_t* weights) {
  if (!file.ok()) return From(file.status(), {kNoFile});
  ACL_ASSIGN(const Program program, ReadProgram(file->image.program));
  *work = std::max<size_t>(program.arena_bytes, kLeastBytes);
  *weights = std::max<size_t>(file->image.weights.size(), kLeastBytes);
  return {};
}

Answer DescribeFile(const Result<runtime::ModelFile>& file, aclmdlDesc& desc) {
  if (!file.ok()) return From(file.status(), {kNoFile});
  ACL_ASSIGN(const Program program, ReadProgram(file->image.program));
  Describe(program, std::nullopt, desc);
  return {};
}

Result<runtime::ModelFile> CopyOf(const void* model, size_t bytes) {
  return runtime::CopyModel({static_cast<const std::byte*>(model), bytes}, "model in memory");
}

}  // namespace

Answer LoadFile(const char* path, const CallerMemory& memory, uint32_t* model_id) {
  return Load(runtime::MapModelFile(path), memory, model_id);
}

Answer LoadMemory(const void* model, size_t bytes, const CallerMemory& memory, uint32_t* model_id) {
  return Load(CopyOf(model, bytes), memory, model_id);
}

}  // namespace cairn::api

using namespace cairn::api;  // NOLINT

aclError aclmdlLoadFromFile(const char* modelPath, uint32_t* modelId) {
  return Guard("aclmdlLoadFromFile", [&]() -> Answer {
    ACL_REQUIRE(modelPath);
    ACL_REQUIRE(modelId);
    return LoadFile(modelPath, {}, modelId);
  });
}

aclError aclmdlLoadFromFileWithMem(const char* modelPath, uint32_t* modelId, void* workPtr,
                                   size_t workSize, void* weightPtr, size_t weightSize) {
  return Guard("aclmdlLoadFromFileWithMem", [&]() -> Answer {
    ACL_REQUIRE(modelPath);
    ACL_REQUIRE(modelId);
    return LoadFile(modelPath, {workPtr, workSize, weightPtr, weightSize}, modelId);
  });
}

aclError aclmdlLoadFromMem(const void* model, size_t modelSize, uint32_t* modelId) {
  return Guard("aclmdlLoadFromMem", [&]() -> Answer {
    ACL_REQUIRE(model);
    ACL_REQUIRE(modelId);
    if (modelSize == 0) return InvalidArgument("modelSize", 0, "it must be positive");
    return LoadMemory(model, modelSize, {}, modelId);
  });
}

aclError aclmdlLoadFromMemWithMem(const void* model, size_t modelSize, uint32_t* modelId,
                                  void* workPtr, size_t workSize, void* weightPtr,
                                  size_t weightSize) {
  return Guard("aclmdlLoadFromMemWithMem", [&]() -> Answer {
    ACL_REQUIRE(model);
    ACL_REQUIRE(modelId);
    if (modelSize == 0) return InvalidArgument("modelSize", 0, "it must be positive");
    return LoadMemory(model, modelSize, {workPtr, workSize, weightPtr, weightSize}, modelId);
  });
}

aclError aclmdlUnload(uint32_t modelId) {
  return Guard("aclmdlUnload", [&] {
    return From(Runtime::Get().UnloadModel(modelId),
                {{Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_ID_INVALID}});
  });
}

aclError aclmdlQuerySize(const char* fileName, size_t* workSize, size_t* weightSize) {
  return Guard("aclmdlQuerySize", [&]() -> Answer {
    ACL_REQUIRE(fileName);
    ACL_REQUIRE(workSize);
    ACL_REQUIRE(weightSize);
    return QuerySize(runtime::MapModelFile(fileName), workSize, weightSize);
  });
}

aclError aclmdlQuerySizeFromMem(const void* model, size_t modelSize, size_t* workSize,
                                size_t* weightSize) {
  return Guard("aclmdlQuerySizeFromMem", [&]() -> Answer {
    ACL_REQUIRE(model);
    ACL_REQUIRE(workSize);
    ACL_REQUIRE(weightSize);
    return QuerySize(CopyOf(model, modelSize), workSize, weightSize);
  });
}

aclError aclmdlGetDescFromFile(aclmdlDesc* modelDesc, const char* modelPath) {
  return Guard("aclmdlGetDescFromFile", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(modelPath);
    return DescribeFile(runtime::MapModelFile(modelPath), *modelDesc);
  });
}

aclError aclmdlGetDescFromMem(aclmdlDesc* modelDesc, const void* model, size_t modelSize) {
  return Guard("aclmdlGetDescFromMem", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(model);
    return DescribeFile(CopyOf(model, modelSize), *modelDesc);
  });
}
