// SPDX-License-Identifier: Apache-2.0
// A loaded model: buffers checked against its inputs and outputs, then run.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "device/device.h"
#include "runtime/model_file.h"
#include "runtime/profile.h"
#include "runtime/run_recorder.h"

namespace cairn::runtime {

/// Memory of the caller.
struct Buffer {
  void* data = nullptr;
  uint64_t bytes = 0;
};

/// An input buffer may be this much shorter than the tensor, as programs rely on, unless half of it
/// or more is missing; what is missing reads as zero.
inline constexpr uint64_t kInputTolerance = 64;

/// Judges an input buffer of `given` bytes: success, or kInvalidArgument that names type, shape,
/// both sizes and the likely mistake. `is_exact` tells whether the size fits exactly.
Status CheckInputBytes(size_t index, const ProgramIo& input, uint64_t given, bool* is_exact);

class Model {
 public:
  /// Loads `file` on `device`. `work` is memory for the arena, or empty.
  static Result<std::shared_ptr<Model>> Load(uint32_t id, int device_id, device::Device& device,
                                             const ModelFile& file, std::span<std::byte> work);
  ~Model();

  uint32_t id() const { return id_; }
  int device_id() const { return device_id_; }
  const Program& program() const { return loaded_->program(); }
  std::shared_ptr<const device::LoadedProgram> loaded() const { return loaded_; }

  /// Checks the buffers, runs, and returns when the outputs are complete. Runs of one model follow
  /// one another. `stream_id` is reported when the run fails.
  Status Run(std::span<const Buffer> inputs, std::span<const Buffer> outputs, uint32_t stream_id);

  /// Sends the task times of every later run to `fd`; -1 ends it.
  void SetSubscriber(int fd) { subscriber_ = fd; }
  bool has_subscriber() const { return subscriber_ >= 0; }

 private:
  Model(uint32_t id, int device_id) : id_(id), device_id_(device_id), recorder_(id, device_id) {}

  Status BindInputs(std::span<const Buffer> inputs);
  Status BindOutputs(std::span<const Buffer> outputs);
  Status RunBound(uint32_t stream_id);

  const uint32_t id_;
  const int device_id_;
  std::shared_ptr<device::LoadedProgram> loaded_;
  std::unique_ptr<device::Instance> instance_;
  std::shared_ptr<ModelProfile> profile_;  // Null unless a profile is written.
  std::atomic<int> subscriber_{-1};
  std::atomic<uint32_t> num_runs_{0};

  std::mutex run_mutex_;  // Guards all below, and the instance.
  std::vector<const void*> input_addresses_;
  std::vector<void*> output_addresses_;
  std::vector<std::vector<std::byte>> padded_inputs_;  // Copies of inputs that are too short.
  device::RunProfile times_;
  RunRecorder recorder_;
};

}  // namespace cairn::runtime
