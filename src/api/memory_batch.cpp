// SPDX-License-Identifier: Apache-2.0
// Copies of many blocks with one call, and of rows in a stream.
#include <cstring>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

struct Batch {
  void** dsts;
  size_t* max_bytes;
  void** srcs;
  size_t* bytes;
  size_t count;
};

Answer CheckOne(const Batch& batch, size_t i) {
  ACL_REQUIRE(batch.dsts[i]);
  ACL_REQUIRE(batch.srcs[i]);
  if (batch.bytes[i] > batch.max_bytes[i])
    return InvalidArgument("sizes[]", batch.bytes[i],
                           StrCat("it is larger than destMaxs[", i, "] (", batch.max_bytes[i], ")"),
                           ACL_ERROR_RT_PARAM_INVALID);
  const runtime::Memory& memory = Runtime::Get().memory();
  ACL_RETURN_IF_FAILED(memory.CheckRange("dsts[]", batch.dsts[i], batch.bytes[i]));
  return memory.CheckRange("srcs[]", batch.srcs[i], batch.bytes[i]);
}

/// All copies are checked before the first one is made.
Answer Check(const Batch& batch, size_t* failed) {
  ACL_REQUIRE(batch.dsts);
  ACL_REQUIRE(batch.max_bytes);
  ACL_REQUIRE(batch.srcs);
  ACL_REQUIRE(batch.bytes);
  if (batch.count == 0) return InvalidArgument("numBatches", 0, "it must be positive");
  if (failed != nullptr) *failed = SIZE_MAX;
  for (size_t i = 0; i < batch.count; ++i) {
    Answer answer = CheckOne(batch, i);
    if (answer.code == ACL_SUCCESS) continue;
    if (failed != nullptr) *failed = i;
    return answer;
  }
  return {};
}

Answer Copy(const Batch& batch, size_t* failed) {
  ACL_RETURN_IF_FAILED(Check(batch, failed));
  for (size_t i = 0; i < batch.count; ++i)
    std::memmove(batch.dsts[i], batch.srcs[i], batch.bytes[i]);
  return {};
}

/// Queues the copies. The lists are copied; the blocks must live until the stream has done them.
Answer CopyInStream(const Batch& batch, size_t* failed, aclrtStream stream) {
  ACL_RETURN_IF_FAILED(Check(batch, failed));
  ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
  struct Block {
    void* dst;
    const void* src;
    size_t bytes;
  };
  std::vector<Block> blocks;
  for (size_t i = 0; i < batch.count; ++i)
    blocks.push_back({batch.dsts[i], batch.srcs[i], batch.bytes[i]});
  found->Enqueue([blocks = std::move(blocks)] {
    for (const Block& block : blocks) std::memmove(block.dst, block.src, block.bytes);
    return OkStatus();
  });
  return {};
}

}  // namespace

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr*, size_t*, size_t,
                          size_t* failIndex) {
  return Guard("aclrtMemcpyBatch",
               [&] { return Copy({dsts, destMaxs, srcs, sizes, numBatches}, failIndex); });
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr*, size_t*, size_t) {
  return Guard("aclrtMemcpyBatchV2",
               [&] { return Copy({dsts, destMaxs, srcs, sizes, numBatches}, nullptr); });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr*, size_t*, size_t,
                               size_t* failIndex, aclrtStream stream) {
  return Guard("aclrtMemcpyBatchAsync", [&] {
    return CopyInStream({dsts, destMaxs, srcs, sizes, numBatches}, failIndex, stream);
  });
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr*, size_t*, size_t,
                                 aclrtStream stream) {
  return Guard("aclrtMemcpyBatchAsyncV2", [&] {
    return CopyInStream({dsts, destMaxs, srcs, sizes, numBatches}, nullptr, stream);
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind, aclrtStream stream) {
  return Guard("aclrtMemcpy2dAsync", [&]() -> Answer {
    ACL_REQUIRE(dst);
    ACL_REQUIRE(src);
    if (width > dpitch || width > spitch)
      return InvalidArgument("width", width, "it is larger than a pitch",
                             ACL_ERROR_RT_PARAM_INVALID);
    ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    found->Enqueue([=] {
      for (size_t row = 0; row < height; ++row)
        std::memmove(static_cast<char*>(dst) + row * dpitch,
                     static_cast<const char*>(src) + row * spitch, width);
      return OkStatus();
    });
    return {};
  });
}
