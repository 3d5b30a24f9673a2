// SPDX-License-Identifier: Apache-2.0
// Texts of failures, newest first.
#include "api/error_text.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <mutex>

namespace cairn::api {
namespace {

/// Older text beyond this is dropped: a program that never reads it must not grow.
constexpr size_t kMaxStored = 16384;

thread_local std::string thread_text;
thread_local std::string handed_out;
thread_local aclError last_code = ACL_SUCCESS;
std::mutex shared_mutex;
std::string shared_text;
std::atomic<bool> is_shared{false};

struct Title {
  const char* name;
  const char* code;
};

Title TitleOf(Kind kind) {
  switch (kind) {
    case Kind::kArgument:
      return {"Invalid_Argument", "EH0001"};
    case Kind::kNullPointer:
      return {"Invalid_Argument_Null_Pointer", "EH0002"};
    case Kind::kFile:
      return {"File_Operation_Error", "EH0004"};
    case Kind::kNotSupported:
      return {"Not_Supported", "EH0006"};
    case Kind::kResource:
      return {"Resource_Error", "EH0010"};
    case Kind::kInner:
      return {"Inner_Error", "E19999"};
  }
  return {"Inner_Error", "E19999"};
}

/// "2024-01-31-09:05:03.123.456", local time.
std::string TimeStamp() {
  const auto now = std::chrono::system_clock::now();
  const auto us =
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
  const std::time_t seconds = us / 1000000;
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  const size_t length = std::strftime(text, sizeof(text), "%Y-%m-%d-%H:%M:%S", &local);
  std::snprintf(text + length, sizeof(text) - length, ".%03d.%03d",
                static_cast<int>(us / 1000 % 1000), static_cast<int>(us % 1000));
  return text;
}

std::string Format(const char* function, const Answer& answer) {
  const Title title = TitleOf(answer.kind);
  const std::string text = answer.text.empty() ? "no further information" : answer.text;
  return StrCat("[PID: ", getpid(), "] ", TimeStamp(), " ", title.name, "(", title.code,
                "): ", text, "\n        TraceBack (most recent call last):\n        ", function,
                " failed, error code ", answer.code, "\n");
}

}  // namespace

void AppendErrorText(const char* function, const Answer& answer) {
  last_code = answer.code;
  const std::string entry = Format(function, answer);
  if (is_shared) {
    const std::lock_guard lock(shared_mutex);
    shared_text = (entry + shared_text).substr(0, kMaxStored);
  } else {
    thread_text = (entry + thread_text).substr(0, kMaxStored);
  }
}

const char* TakeErrorText() {
  if (is_shared) {
    const std::lock_guard lock(shared_mutex);
    handed_out = std::exchange(shared_text, "");
  } else {
    handed_out = std::exchange(thread_text, "");
  }
  return handed_out.empty() ? nullptr : handed_out.c_str();
}

aclError LastCode() { return last_code; }
void ClearLastCode() { last_code = ACL_SUCCESS; }
void ShareErrorText(bool shared) { is_shared = shared; }

}  // namespace cairn::api
