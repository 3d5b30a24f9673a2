// SPDX-License-Identifier: Apache-2.0
// Code table and answers.
#include "api/call.h"

#include "api/error_text.h"
#include "api/refuse.h"
#include "base/log.h"

namespace cairn::api {
namespace {

Kind KindOf(Code code) {
  switch (code) {
    case Code::kUnsupported:
      return Kind::kNotSupported;
    case Code::kIoError:
    case Code::kDataCorrupt:
    case Code::kInvalidModel:
    case Code::kIncompatible:
      return Kind::kFile;
    case Code::kOutOfMemory:
      return Kind::kResource;
    case Code::kInternal:
      return Kind::kInner;
    default:
      return Kind::kArgument;
  }
}

}  // namespace

aclError DefaultCode(Code code) {
  switch (code) {
    case Code::kOk:
      return ACL_SUCCESS;
    case Code::kInvalidArgument:
      return ACL_ERROR_RT_PARAM_INVALID;
    case Code::kInvalidModel:
      return ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID;
    case Code::kNotFound:
      return ACL_ERROR_RT_INVALID_HANDLE;
    case Code::kAlreadyExists:
      return ACL_ERROR_RT_REPEATED_INIT;
    case Code::kUnsupported:
      return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    case Code::kIncompatible:
      return ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID;
    case Code::kDataCorrupt:
      return ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID;
    case Code::kOutOfMemory:
      return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case Code::kIoError:
      return ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID;
    case Code::kFailedPrecondition:
      return ACL_ERROR_RT_CONTEXT_NULL;
    case Code::kTimeout:
      return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    case Code::kInternal:
      return ACL_ERROR_RT_INTERNAL_ERROR;
  }
  return ACL_ERROR_RT_INTERNAL_ERROR;
}

Answer::Answer(const Status& status) {
  if (status.ok()) return;
  code = DefaultCode(status.code());
  kind = KindOf(status.code());
  text = status.message();
}

Answer From(const Status& status, std::initializer_list<CodePair> codes) {
  Answer answer(status);
  for (const CodePair& pair : codes)
    if (!status.ok() && pair.from == status.code()) answer.code = pair.to;
  return answer;
}

Answer NullArgument(const char* name) {
  return {ACL_ERROR_INVALID_PARAM, Kind::kNullPointer,
          StrCat("Argument ", name, " must not be null.")};
}

Answer NotSupported(const std::string& what, const std::string& reason, aclError code) {
  return {code, Kind::kNotSupported, StrCat(what, " is not supported. Reason: ", reason, ".")};
}

int Refuse(const char* function, const char* reason) {
  return Guard(function, [&] { return NotSupported(function, reason); });
}

void RecordFailure(const char* function, const Answer& answer) {
  try {
    AppendErrorText(function, answer);
    // Programs poll with these; a log of every round says nothing.
    if (answer.code == ACL_ERROR_RT_THREAD_SUBSCRIBE || answer.code == ACL_ERROR_RT_REPORT_TIMEOUT)
      return;
    CAIRN_LOG(kAscendcl, kError, function, " failed, code ", answer.code, ": ", answer.text);
  } catch (...) {  // Out of memory: the code still tells.
  }
}

}  // namespace cairn::api
