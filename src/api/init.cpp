// SPDX-License-Identifier: Apache-2.0
// aclInit, aclFinalize, error texts and the application log.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <vector>

#include "acl/acl.h"
#include "api/call.h"
#include "api/config.h"
#include "api/error_text.h"
#include "api/prof_session.h"
#include "base/log.h"
#include "runtime/runtime.h"

namespace cairn::api {
namespace {

struct InitCallback {
  aclRegisterCallbackType type;
  aclInitCallbackFunc function;
  void* user_data;
};
struct FinalizeCallback {
  aclRegisterCallbackType type;
  aclFinalizeCallbackFunc function;
  void* user_data;
};

std::mutex mutex;
uint64_t num_inits = 0;
bool was_finalized = false;
std::vector<InitCallback> init_callbacks;
std::vector<FinalizeCallback> finalize_callbacks;

Answer FinalizeLocked() {
  for (const FinalizeCallback& callback : finalize_callbacks) callback.function(callback.user_data);
  runtime::Runtime::Get().ReleaseAll();
  num_inits = 0;
  was_finalized = true;
  CAIRN_LOG_TO(kRun, kAscendcl, kEvent, "AscendCL finalized");
  ShareErrorText(false);
  EndConfiguredProfile();
  return {};
}

Answer AlreadyFinalized() {
  return {ACL_ERROR_REPEAT_FINALIZE, Kind::kArgument,
          "AscendCL has been finalized already; aclInit was not called since."};
}

template <class List, class Function>
Answer Remove(List& list, aclRegisterCallbackType type, Function function) {
  const std::lock_guard lock(mutex);
  const auto removed = std::erase_if(
      list, [&](const auto& item) { return item.type == type && item.function == function; });
  if (removed == 0) return InvalidArgument("cbFunc", "", "it is not registered");
  return {};
}

}  // namespace

}  // namespace cairn::api

using namespace cairn;       // NOLINT: the C functions are the file's only content from here on
using namespace cairn::api;  // NOLINT

aclError aclInit(const char* configPath) {
  return Guard("aclInit", [&]() -> Answer {
    const std::lock_guard lock(mutex);
    if (num_inits > 0) {
      ++num_inits;
      return {ACL_ERROR_REPEAT_INITIALIZE, Kind::kArgument,
              "AscendCL has been initialized already; aclFinalize was not called since."};
    }
    Config config;
    ACL_RETURN_IF_FAILED(ReadConfig(configPath, config));
    ShareErrorText(config.shared_error_text);
    if (config.has_dump)
      CAIRN_LOG(kAscendcl, kWarning, configPath, ": 'dump' is accepted, nothing is dumped yet");
    ACL_RETURN_IF_FAILED(BeginConfiguredProfile(config.profiler));
    num_inits = 1;
    was_finalized = false;
    CAIRN_LOG_TO(kRun, kAscendcl, kEvent, "AscendCL initialized, configuration: ",
                 configPath == nullptr ? "none" : configPath);
    for (const InitCallback& callback : init_callbacks)
      callback.function(configPath, 0, callback.user_data);
    return {};
  });
}

aclError aclFinalize() {
  return Guard("aclFinalize", [&]() -> Answer {
    const std::lock_guard lock(mutex);
    if (num_inits == 0 && was_finalized) return AlreadyFinalized();
    return FinalizeLocked();
  });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return Guard("aclFinalizeReference", [&]() -> Answer {
    const std::lock_guard lock(mutex);
    if (num_inits == 0) return AlreadyFinalized();
    if (--num_inits == 0) FinalizeLocked();
    if (refCount != nullptr) *refCount = num_inits;
    return {};
  });
}

const char* aclGetRecentErrMsg() { return TakeErrorText(); }

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  if (level != ACL_RT_THREAD_LEVEL) return ACL_ERROR_RT_PARAM_INVALID;
  const aclError code = LastCode();
  ClearLastCode();
  return code;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return level == ACL_RT_THREAD_LEVEL ? LastCode() : ACL_ERROR_RT_PARAM_INVALID;
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                 void* userData) {
  return Guard("aclInitCallbackRegister", [&]() -> Answer {
    ACL_REQUIRE(cbFunc);
    const std::lock_guard lock(mutex);
    init_callbacks.push_back({type, cbFunc, userData});
    return {};
  });
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  return Guard("aclInitCallbackUnRegister", [&] { return Remove(init_callbacks, type, cbFunc); });
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData) {
  return Guard("aclFinalizeCallbackRegister", [&]() -> Answer {
    ACL_REQUIRE(cbFunc);
    const std::lock_guard lock(mutex);
    finalize_callbacks.push_back({type, cbFunc, userData});
    return {};
  });
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                       aclFinalizeCallbackFunc cbFunc) {
  return Guard("aclFinalizeCallbackUnRegister",
               [&] { return Remove(finalize_callbacks, type, cbFunc); });
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  const auto level = static_cast<LogLevel>(std::clamp(static_cast<int>(logLevel), 0, 3));
  if (fmt == nullptr || !LogEnabled(LogModule::kAscendcl, level)) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, fmt);
  std::vsnprintf(text, sizeof(text), fmt, arguments);
  va_end(arguments);
  LogWrite(LogKind::kDebug, LogModule::kAscendcl, level, file != nullptr ? file : "",
           static_cast<int>(line), func != nullptr ? func : "", text);
}
