// SPDX-License-Identifier: Apache-2.0
// Options of operator compilation: kept and given back; kernels here need none of them.
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "acl/acl_op_compiler.h"
#include "api/call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

std::mutex mutex;
std::map<int, std::string> options;

Answer CheckOption(aclCompileOpt opt) {
  if (opt >= ACL_PRECISION_MODE && opt <= ACL_OP_DEBUG_OPTION) return {};
  return InvalidArgument("opt", static_cast<int>(opt), "there is no such option");
}

std::string ValueOf(aclCompileOpt opt) {
  const std::lock_guard lock(mutex);
  return options[opt];
}

}  // namespace

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  return Guard("aclSetCompileopt", [&]() -> Answer {
    ACL_REQUIRE(value);
    ACL_RETURN_IF_FAILED(CheckOption(opt));
    const std::lock_guard lock(mutex);
    options[opt] = value;
    return {};
  });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  return GuardValue<size_t>("aclGetCompileoptSize", 0, [&](auto& size) -> Answer {
    ACL_RETURN_IF_FAILED(CheckOption(opt));
    size = ValueOf(opt).size() + 1;
    return {};
  });
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  return Guard("aclGetCompileopt", [&]() -> Answer {
    ACL_REQUIRE(value);
    ACL_RETURN_IF_FAILED(CheckOption(opt));
    const std::string text = ValueOf(opt);
    if (length <= text.size())
      return InvalidArgument("length", length, StrCat("the value has ", text.size(),
                                                      " characters and a final zero"));
    std::memcpy(value, text.c_str(), text.size() + 1);
    return {};
  });
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag) {
  return Guard("aclopSetCompileFlag", [&]() -> Answer {
    if (flag == ACL_OP_COMPILE_DEFAULT || flag == ACL_OP_COMPILE_FUZZ) return {};
    return InvalidArgument("flag", static_cast<int>(flag), "there is no such flag");
  });
}

aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum) {
  return Guard("aclopSetMaxOpQueueNum", [&]() -> Answer {
    if (maxOpNum > 0) return {};
    return InvalidArgument("maxOpNum", maxOpNum, "it must be positive");
  });
}
