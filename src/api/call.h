// SPDX-License-Identifier: Apache-2.0
// The frame of every C function: runs its body, maps failures to codes, keeps their text.
#pragma once

#include <initializer_list>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "acl/acl_base.h"
#include "base/status.h"
#include "profile/active.h"

namespace cairn::api {

/// Class of a message; decides its title and code in the text.
enum class Kind : uint8_t { kArgument, kNullPointer, kFile, kNotSupported, kResource, kInner };

/// What a C function answers: a code, and for a failure the text that explains it.
struct Answer {
  Answer() = default;
  Answer(aclError c, Kind k, std::string t) : code(c), kind(k), text(std::move(t)) {}
  Answer(const Status& status);  // NOLINT: implicit by design; uses the default code table

  aclError code = ACL_SUCCESS;
  Kind kind = Kind::kInner;
  std::string text;
};

struct CodePair {
  Code from;
  aclError to;
};

/// The answer for `status`; `codes` beat the default table.
Answer From(const Status& status, std::initializer_list<CodePair> codes);

/// The code of the default table; every Code has one.
aclError DefaultCode(Code code);

/// 100000: argument `name` must not be NULL.
Answer NullArgument(const char* name);
/// 100000 (or `code`): "Value <value> for <name> is invalid. Reason: <reason>."
template <class T>
Answer InvalidArgument(const char* name, const T& value, const std::string& reason,
                       aclError code = ACL_ERROR_INVALID_PARAM) {
  return {code, Kind::kArgument,
          StrCat("Value ", value, " for ", name, " is invalid. Reason: ", reason, ".")};
}
/// `code`: the function or option is not available; the text says why.
Answer NotSupported(const std::string& what, const std::string& reason,
                    aclError code = ACL_ERROR_RT_FEATURE_NOT_SUPPORT);

/// Keeps code and text of a failed call for aclGetRecentErrMsg and aclrtGetLastError.
void RecordFailure(const char* function, const Answer& answer);

/// Runs `body` (returning Answer); nothing is thrown out of it. A profile shows the call.
template <class Body>
aclError Guard(const char* function, Body&& body) noexcept {
  const profile::CallScope scope(profile::kAclCalls, profile::CallLevel::kAcl, function);
  Answer answer;
  try {
    answer = body();
  } catch (const std::bad_alloc&) {
    answer.code = ACL_ERROR_BAD_ALLOC;
    answer.kind = Kind::kResource;
  } catch (...) {
    answer.code = ACL_ERROR_INTERNAL_ERROR;
  }
  if (answer.code != ACL_SUCCESS) RecordFailure(function, answer);
  return answer.code;
}

/// As Guard for functions that return a value: `body` fills it, `fallback` is returned on failure.
template <class T, class Body>
T GuardValue(const char* function, T fallback, Body&& body) noexcept {
  T value = fallback;
  return Guard(function, [&] { return body(value); }) == ACL_SUCCESS ? value : fallback;
}

}  // namespace cairn::api

/// Returns the "must not be NULL" answer from the body when `pointer` is null.
#define ACL_REQUIRE(pointer) \
  if ((pointer) == nullptr) return ::cairn::api::NullArgument(#pointer)
/// Returns the answer from the body when `expr` (a Status or Answer) is a failure.
#define ACL_RETURN_IF_FAILED(...) \
  if (::cairn::api::Answer answer_(__VA_ARGS__); answer_.code != 0) return answer_
/// Declares `lhs` from the Result `expr`, or returns its failure mapped with the given code pairs.
#define ACL_ASSIGN(lhs, expr, ...)                                                          \
  auto CAIRN_CONCAT(acl_result_, __LINE__) = (expr);                                        \
  if (!CAIRN_CONCAT(acl_result_, __LINE__).ok())                                            \
    return ::cairn::api::From(CAIRN_CONCAT(acl_result_, __LINE__).status(), {__VA_ARGS__}); \
  lhs = std::move(CAIRN_CONCAT(acl_result_, __LINE__)).value()
