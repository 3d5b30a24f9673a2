// SPDX-License-Identifier: Apache-2.0
// File naming, rotation and removal of old log files.
#include "base/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "base/file_size_signal.h"

namespace cairn {
namespace {

std::string TimeStamp() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  char seconds[32];
  std::strftime(seconds, sizeof(seconds), "%Y%m%d%H%M%S", &local);
  char text[48];
  std::snprintf(text, sizeof(text), "%s%03ld", seconds, now.tv_nsec / 1000000);
  return text;
}

}  // namespace

RotatingLogFile::~RotatingLogFile() { Close(); }

void RotatingLogFile::Close() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

void RotatingLogFile::OpenNext() {
  Close();
  const int pid = static_cast<int>(getpid());
  if (pid != owner_pid_) files_.clear();
  owner_pid_ = pid;
  written_ = 0;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const std::string stem = folder_ + "/plog-" + std::to_string(pid) + "_" + TimeStamp();
  // Two files of one millisecond differ by a counter.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::string path =
        attempt == 0 ? stem + ".log" : stem + "_" + std::to_string(attempt) + ".log";
    descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0640);
    if (descriptor_ >= 0) files_.push_back(path);
    if (descriptor_ >= 0 || errno != EEXIST) break;
  }
  while (files_.size() > static_cast<size_t>(max_files_)) {
    unlink(files_.front().c_str());
    files_.pop_front();
  }
}

void RotatingLogFile::Append(std::string_view record) {
  const bool full = written_ > 0 && written_ + record.size() > max_bytes_;
  if (descriptor_ < 0 || full || static_cast<int>(getpid()) != owner_pid_) OpenNext();
  if (descriptor_ < 0) return;
  const FileSizeSignalBlock no_signal;
  const ssize_t done = write(descriptor_, record.data(), record.size());
  if (done > 0) written_ += static_cast<uint64_t>(done);
}

}  // namespace cairn
