// SPDX-License-Identifier: Apache-2.0
// Data buffers.
#include "api/data_buffer.h"

#include <new>

#include "api/call.h"

using namespace cairn::api;  // NOLINT: the C functions are the file's only content

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return GuardValue<aclDataBuffer*>("aclCreateDataBuffer", nullptr, [&](auto& buffer) -> Answer {
    buffer = new aclDataBuffer{data, size};
    return {};
  });
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return Guard("aclDestroyDataBuffer", [&]() -> Answer {
    ACL_REQUIRE(dataBuffer);
    delete dataBuffer;
    return {};
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return Guard("aclUpdateDataBuffer", [&]() -> Answer {
    ACL_REQUIRE(dataBuffer);
    *dataBuffer = {data, size};
    return {};
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return GuardValue<void*>("aclGetDataBufferAddr", nullptr, [&](auto& address) -> Answer {
    ACL_REQUIRE(dataBuffer);
    address = dataBuffer->data;
    return {};
  });
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return GuardValue<size_t>("aclGetDataBufferSizeV2", 0, [&](auto& size) -> Answer {
    ACL_REQUIRE(dataBuffer);
    size = dataBuffer->size;
    return {};
  });
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(dataBuffer));
}
