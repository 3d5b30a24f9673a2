// SPDX-License-Identifier: Apache-2.0
// Allocation, copies, fills.
#include <cstring>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadAddress{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};
constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

Answer Allocate(void** devPtr, size_t size) {
  ACL_REQUIRE(devPtr);
  if (size == 0) return InvalidArgument("size", size, "it must be positive");
  ACL_ASSIGN(*devPtr, Runtime::Get().AllocateOnDevice(size));
  return {};
}

Answer AllocateHost(void** hostPtr, uint64_t size) {
  ACL_REQUIRE(hostPtr);
  if (size == 0) return InvalidArgument("size", size, "it must be positive");
  ACL_ASSIGN(*hostPtr, Runtime::Get().memory().AllocateOnHost(size));
  return {};
}

Answer FreeDevice(void* devPtr) {
  if (devPtr == nullptr)
    return {ACL_ERROR_RT_PARAM_INVALID, Kind::kNullPointer, "Argument devPtr must not be null."};
  return From(Runtime::Get().memory().Free(devPtr, runtime::MemoryKind::kDevice), {kBadAddress});
}

Answer FreeHost(void* hostPtr) {
  ACL_REQUIRE(hostPtr);
  return From(Runtime::Get().memory().Free(hostPtr, runtime::MemoryKind::kHost), {kBadAddress});
}

/// The checks of copies; `count` is positive.
Answer CheckCopy(const void* dst, size_t destMax, const void* src, size_t count,
                 aclrtMemcpyKind kind) {
  ACL_REQUIRE(dst);
  ACL_REQUIRE(src);
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE)
    return InvalidArgument("kind", static_cast<int>(kind), "it is no kind of copy");
  if (count > destMax)
    return InvalidArgument("count", count, StrCat("it is larger than destMax (", destMax, ")"),
                           ACL_ERROR_RT_PARAM_INVALID);
  const runtime::Memory& memory = Runtime::Get().memory();
  ACL_RETURN_IF_FAILED(memory.CheckRange("dst", dst, count));
  return memory.CheckRange("src", src, count);
}

Answer CheckFill(const void* ptr, size_t maxCount, size_t count) {
  ACL_REQUIRE(ptr);
  if (count > maxCount)
    return InvalidArgument("count", count, StrCat("it is larger than maxCount (", maxCount, ")"),
                           ACL_ERROR_RT_PARAM_INVALID);
  return Runtime::Get().memory().CheckRange("ptr", ptr, count);
}

/// Appends `work` to a stream; waits for it unless both addresses are memory of the runtime, which
/// the caller keeps alive.
Answer Enqueue(aclrtStream stream, runtime::Stream::Work work, const void* a, const void* b) {
  ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
  const runtime::Memory& memory = Runtime::Get().memory();
  const bool asynchronous = memory.KindOf(a) && memory.KindOf(b);
  if (asynchronous) {
    found->Enqueue(std::move(work));
    return {};
  }
  auto done = std::make_shared<runtime::Signal>();
  found->Enqueue([work = std::move(work), done] {
    Status status = work();
    done->Set();
    return status;
  });
  done->Wait(std::nullopt);
  return {};
}

Answer FillWords(void* ptr, size_t memSize, uint32_t value, size_t count) {
  ACL_REQUIRE(ptr);
  if (count > memSize / sizeof(value))
    return InvalidArgument("N", count, StrCat("it is larger than memSize / 4 (", memSize / 4, ")"),
                           ACL_ERROR_RT_PARAM_INVALID);
  ACL_RETURN_IF_FAILED(Runtime::Get().memory().CheckRange("ptr", ptr, count * sizeof(value)));
  for (size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char*>(ptr) + i * sizeof(value), &value, sizeof(value));
  return {};
}

/// Copies `height` rows; pitches are at least `width`.
Answer CopyRows(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                size_t height) {
  ACL_REQUIRE(dst);
  ACL_REQUIRE(src);
  if (width > dpitch || width > spitch)
    return InvalidArgument("width", width, "it is larger than a pitch", ACL_ERROR_RT_PARAM_INVALID);
  for (size_t row = 0; row < height; ++row)
    std::memmove(static_cast<char*>(dst) + row * dpitch,
                 static_cast<const char*>(src) + row * spitch, width);
  return {};
}

}  // namespace

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return Guard("aclrtMalloc", [&] { return Allocate(devPtr, size); });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return Guard("aclrtMallocAlign32", [&] { return Allocate(devPtr, size); });
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return Guard("aclrtMallocCached", [&] { return Allocate(devPtr, size); });
}

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig*) {
  return Guard("aclrtMallocWithCfg", [&] { return Allocate(devPtr, size); });
}

aclError aclrtFree(void* devPtr) {
  return Guard("aclrtFree", [&] { return FreeDevice(devPtr); });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  return Guard("aclrtFreeWithDevSync", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(Runtime::Get().SynchronizeDevice(std::nullopt));
    return FreeDevice(devPtr);
  });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return Guard("aclrtMallocHost", [&] { return AllocateHost(hostPtr, size); });
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig*) {
  return Guard("aclrtMallocHostWithCfg", [&] { return AllocateHost(ptr, size); });
}

aclError aclrtFreeHost(void* hostPtr) {
  return Guard("aclrtFreeHost", [&] { return FreeHost(hostPtr); });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return Guard("aclrtFreeHostWithDevSync", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(Runtime::Get().SynchronizeDevice(std::nullopt));
    return FreeHost(hostPtr);
  });
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return Guard("aclrtMemcpy", [&]() -> Answer {
    if (count == 0) return {};
    ACL_RETURN_IF_FAILED(CheckCopy(dst, destMax, src, count, kind));
    std::memmove(dst, src, count);
    return {};
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return Guard("aclrtMemcpyAsync", [&]() -> Answer {
    if (count == 0) return {};
    ACL_RETURN_IF_FAILED(CheckCopy(dst, destMax, src, count, kind));
    const auto copy = [dst, src, count] {
      std::memmove(dst, src, count);
      return OkStatus();
    };
    return Enqueue(stream, copy, dst, src);
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return Guard("aclrtMemset", [&]() -> Answer {
    if (count == 0) return {};
    ACL_RETURN_IF_FAILED(CheckFill(devPtr, maxCount, count));
    std::memset(devPtr, value, count);
    return {};
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return Guard("aclrtMemsetAsync", [&]() -> Answer {
    if (count == 0) return {};
    ACL_RETURN_IF_FAILED(CheckFill(devPtr, maxCount, count));
    const auto fill = [devPtr, value, count] {
      std::memset(devPtr, value, count);
      return OkStatus();
    };
    return Enqueue(stream, fill, devPtr, devPtr);
  });
}

aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  return Guard("aclrtMemsetD32", [&] { return FillWords(ptr, memSize, value, N); });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind) {
  return Guard("aclrtMemcpy2d", [&] { return CopyRows(dst, dpitch, src, spitch, width, height); });
}

aclError aclrtMemFlush(void* devPtr, size_t size) {
  return Guard("aclrtMemFlush", [&] { return CheckFill(devPtr, size, size); });
}

aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return Guard("aclrtMemInvalidate", [&] { return CheckFill(devPtr, size, size); });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return Guard("aclrtPointerGetAttributes", [&]() -> Answer {
    ACL_REQUIRE(ptr);
    ACL_REQUIRE(attributes);
    const auto kind = Runtime::Get().memory().KindOf(ptr);
    *attributes = {};
    attributes->pageSize = 4096;
    attributes->location.type =
        !kind ? ACL_MEM_LOCATION_TYPE_UNREGISTERED
              : (*kind == runtime::MemoryKind::kDevice ? ACL_MEM_LOCATION_TYPE_DEVICE
                                                       : ACL_MEM_LOCATION_TYPE_HOST);
    return {};
  });
}
