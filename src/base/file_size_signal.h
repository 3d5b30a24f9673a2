// SPDX-License-Identifier: Apache-2.0
// Writing beyond the file size limit as an error instead of a signal.
#pragma once

#include <csignal>
#include <ctime>

namespace cairn {

/// Holds back SIGXFSZ of this thread while it lives, so that a write beyond the limit fails with
/// EFBIG. A signal that came meanwhile is dropped.
class FileSizeSignalBlock {
 public:
  FileSizeSignalBlock() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~FileSizeSignalBlock() {
    const timespec no_wait{};
    if (sigismember(&before_, SIGXFSZ) == 0) {
      while (sigtimedwait(&set_, nullptr, &no_wait) > 0) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
  FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;

 private:
  sigset_t set_;
  sigset_t before_;
};

}  // namespace cairn
