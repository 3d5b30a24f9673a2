// SPDX-License-Identifier: Apache-2.0
// Per-task times of models: accumulated for a JSON file, and sent run by run to
// subscribers.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.h"

namespace cairn::runtime {

/// One task of one run as a subscriber reads it from its file descriptor.
struct TaskRecord {
  static constexpr size_t kMaxName = 257;
  static constexpr size_t kMaxType = 65;
  uint32_t model_id;
  uint32_t thread_id;
  uint64_t begin_ns;  ///< Steady clock.
  uint64_t end_ns;
  char name[kMaxName];  ///< Zero-terminated, cut to fit.
  char type[kMaxType];
};

/// Sums over all runs of one loaded model. Used by one run at a time.
class ModelProfile {
 public:
  ModelProfile(uint32_t model_id, const Program& program);

  void Add(const device::RunProfile& run);

  /// One JSON object: model, runs, mean time, and the tasks, most expensive first.
  std::string ToJson() const;

 private:
  struct TaskSums {
    int64_t total_ns = 0;
    int64_t min_ns = INT64_MAX;
  };

  const uint32_t model_id_;
  std::string model_name_;
  std::vector<Task> tasks_;
  std::vector<TaskSums> sums_;
  uint64_t runs_ = 0;
  int64_t total_ns_ = 0;
};

/// The profile of the process, rewritten as a whole with every model profiled so far.
class ProfileFile {
 public:
  /// The file named by CAIRN_PROFILE; not active without the variable.
  static ProfileFile& Get();

  bool active() const;
  /// Profiles the models loaded from now on into `path`, unless the variable names a file already.
  void Activate(const std::string& path);
  void Add(std::shared_ptr<const ModelProfile> profile);
  /// Writes all profiles; also called when the process exits.
  void Write();

 private:
  ProfileFile();

  mutable std::mutex mutex_;
  std::string path_;
  std::vector<std::shared_ptr<const ModelProfile>> profiles_;
};

/// Writes one TaskRecord per task of the run to `fd`; stops at the first write error.
void SendRecords(int fd, uint32_t model_id, const Program& program, const device::RunProfile& run,
                 uint64_t run_begin_ns);

}  // namespace cairn::runtime
