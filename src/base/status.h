// SPDX-License-Identifier: Apache-2.0
// Status and Result: how a function reports a failure caused by input, environment or resources.
#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace cairn {

enum class Code : int {
  kOk = 0,
  kInvalidArgument,   ///< A value given by the caller or user is wrong.
  kInvalidModel,      ///< A model file contradicts its format or the operator standard.
  kNotFound,          ///< A named file, node, option or object does not exist.
  kAlreadyExists,     ///< The object to create is there already.
  kUnsupported,       ///< Valid, but this build or device cannot do it.
  kIncompatible,      ///< A file of another version, target or vendor.
  kDataCorrupt,       ///< A checksum, bound or structure check of a file failed.
  kOutOfMemory,       ///< An allocation failed or a configured limit was reached.
  kIoError,           ///< Reading or writing a file failed.
  kFailedPrecondition,///< The call is not allowed in the current state.
  kTimeout,           ///< The operation did not end in the given time.
  kInternal,          ///< A defect of this software.
};

/// The enumerator's name, e.g. "kInvalidArgument".
const char* CodeName(Code code);

/// Success, or a code with a message and the place in the source that found the problem.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message,
         std::source_location where = std::source_location::current())
      : code_(code), message_(std::move(message)), where_(where) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::source_location& where() const { return where_; }

  /// The same failure with `context` + ": " put in front of the message; success stays success.
  Status WithContext(std::string_view context) const {
    if (ok()) return *this;
    return Status(code_, StrCat(context, ": ", message_), where_);
  }

  /// "message [kCode layer/file.cpp:line]"; "ok" for success.
  std::string ToString() const;

 private:
  Code code_ = Code::kOk;
  std::string message_;
  std::source_location where_;
};

inline Status OkStatus() { return Status(); }

/// A value of type T, or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {  // NOLINT: implicit by design
    CAIRN_CHECK(!status_.ok(), "a Result without a value needs a failure");
  }

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace cairn

#define CAIRN_CONCAT_INNER(a, b) a##b
#define CAIRN_CONCAT(a, b) CAIRN_CONCAT_INNER(a, b)

/// Returns from the function when `expr` (a Status) is a failure.
#define RETURN_IF_ERROR(expr)                      \
  do {                                             \
    if (auto status_ = (expr); !status_.ok())      \
      return status_;                              \
  } while (false)

/// Declares or assigns `lhs` from the Result `expr`, or returns its failure.
#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_RETURN_IMPL(CAIRN_CONCAT(result_, __LINE__), lhs, expr)
#define ASSIGN_OR_RETURN_IMPL(result, lhs, expr) \
  auto result = (expr);                          \
  if (!result.ok()) return result.status();      \
  lhs = std::move(result).value()
