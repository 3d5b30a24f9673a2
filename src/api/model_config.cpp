// SPDX-License-Identifier: Apache-2.0
// Loading driven by a configuration handle.
#include <algorithm>
#include <cstring>
#include <string>

#include "acl/acl_mdl.h"
#include "api/call.h"
#include "api/model_load.h"

/// The type behind aclmdlConfigHandle.
struct aclmdlConfigHandle {
  size_t load_type = 0;
  std::string path;
  void* model = nullptr;
  size_t model_bytes = 0;
  cairn::api::CallerMemory memory;
  int32_t priority = 0;
};

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

/// Copies an attribute value into `field`; the caller's size must be that of the attribute.
template <class T>
Answer Assign(const void* attrValue, size_t valueSize, T& field) {
  if (valueSize != sizeof(T))
    return InvalidArgument("valueSize", valueSize,
                           StrCat("the attribute has ", sizeof(T), " bytes"));
  std::memcpy(&field, attrValue, sizeof(T));
  return {};
}

Answer AssignPath(const void* attrValue, size_t valueSize, std::string& path) {
  const char* text = nullptr;
  ACL_RETURN_IF_FAILED(Assign(attrValue, valueSize, text));
  ACL_REQUIRE(text);
  path = text;
  return {};
}

Answer SetOption(aclmdlConfigHandle& handle, aclmdlConfigAttr attr, const void* value,
                 size_t bytes) {
  size_t accepted_size = 0;
  switch (attr) {
    case ACL_MDL_LOAD_TYPE_SIZET:
      return Assign(value, bytes, handle.load_type);
    case ACL_MDL_PATH_PTR:
      return AssignPath(value, bytes, handle.path);
    case ACL_MDL_MEM_ADDR_PTR:
      return Assign(value, bytes, handle.model);
    case ACL_MDL_MEM_SIZET:
      return Assign(value, bytes, handle.model_bytes);
    case ACL_MDL_WEIGHT_ADDR_PTR:
      return Assign(value, bytes, handle.memory.weights);
    case ACL_MDL_WEIGHT_SIZET:
      return Assign(value, bytes, handle.memory.weight_bytes);
    case ACL_MDL_WORKSPACE_ADDR_PTR:
      return Assign(value, bytes, handle.memory.work);
    case ACL_MDL_WORKSPACE_SIZET:
      return Assign(value, bytes, handle.memory.work_bytes);
    case ACL_MDL_PRIORITY_INT32:
      ACL_RETURN_IF_FAILED(Assign(value, bytes, handle.priority));
      handle.priority = std::clamp(handle.priority, 0, 7);
      return {};
    case ACL_MDL_WORKSPACE_MEM_OPTIMIZE:
    case ACL_MDL_MEM_MALLOC_POLICY_SIZET:
      return Assign(value, bytes, accepted_size);  // Hints without effect on this device.
    default:
      return InvalidArgument("attr", static_cast<int>(attr), "the attribute is not available");
  }
}

}  // namespace

aclmdlConfigHandle* aclmdlCreateConfigHandle() {
  return GuardValue<aclmdlConfigHandle*>("aclmdlCreateConfigHandle", nullptr,
                                         [](auto& handle) -> Answer {
                                           handle = new aclmdlConfigHandle;
                                           return {};
                                         });
}

aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle* handle) {
  return Guard("aclmdlDestroyConfigHandle", [&]() -> Answer {
    ACL_REQUIRE(handle);
    delete handle;
    return {};
  });
}

aclError aclmdlSetConfigOpt(aclmdlConfigHandle* handle, aclmdlConfigAttr attr,
                            const void* attrValue, size_t valueSize) {
  return Guard("aclmdlSetConfigOpt", [&]() -> Answer {
    ACL_REQUIRE(handle);
    ACL_REQUIRE(attrValue);
    return SetOption(*handle, attr, attrValue, valueSize);
  });
}

aclError aclmdlLoadWithConfig(const aclmdlConfigHandle* handle, uint32_t* modelId) {
  return Guard("aclmdlLoadWithConfig", [&]() -> Answer {
    ACL_REQUIRE(handle);
    ACL_REQUIRE(modelId);
    switch (handle->load_type) {
      case ACL_MDL_LOAD_FROM_FILE:
      case ACL_MDL_LOAD_FROM_FILE_WITH_MEM:
        if (handle->path.empty()) return InvalidArgument("ACL_MDL_PATH_PTR", "", "it is required");
        return LoadFile(handle->path.c_str(), handle->memory, modelId);
      case ACL_MDL_LOAD_FROM_MEM:
      case ACL_MDL_LOAD_FROM_MEM_WITH_MEM:
        if (handle->model == nullptr || handle->model_bytes == 0)
          return InvalidArgument("ACL_MDL_MEM_ADDR_PTR", handle->model,
                                 "it and ACL_MDL_MEM_SIZET are required");
        return LoadMemory(handle->model, handle->model_bytes, handle->memory, modelId);
      default:
        return InvalidArgument("ACL_MDL_LOAD_TYPE_SIZET", handle->load_type,
                               "it must be 1 to 4; models fed by queues are not available");
    }
  });
}
