// SPDX-License-Identifier: Apache-2.0
// A loaded model with its buffers, timed run by run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl.h"

namespace bench {

/// AscendCL while it lives; one for all sessions of the process.
class Library {
 public:
  Library() = default;
  ~Library() { aclFinalize(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Empty, or why it cannot be used.
  std::string Open();
};

/// Failures are texts; empty means success. Used by one thread, while a Library is open.
class Session {
 public:
  Session() = default;
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Loads `model` on `device`. Inputs come from `files`, or are filled with a fixed pattern of
  /// small values when there are none.
  std::string Open(const std::string& model, int device, const std::vector<std::string>& files);

  /// Runs once; `ms` receives the time of the call.
  std::string Run(double* ms);

  double load_ms() const { return load_ms_; }
  /// First dimension of the first input; 1 when there is none.
  int64_t batch() const;

 private:
  std::string AddBuffer(aclmdlDataset* dataset, size_t bytes, void** address);
  std::string FillInput(size_t index, const std::vector<std::string>& files, void* address,
                        size_t bytes);

  uint32_t model_ = 0;
  aclmdlDesc* desc_ = nullptr;
  aclmdlDataset* inputs_ = nullptr;
  aclmdlDataset* outputs_ = nullptr;
  double load_ms_ = 0;
};

}  // namespace bench
