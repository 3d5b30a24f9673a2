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
#include "runtime/buffer.h"
#include "runtime/gear_set.h"
#include "runtime/model_file.h"
#include "runtime/open_model.h"
#include "runtime/plan.h"
#include "runtime/run_recorder.h"

namespace cairn::runtime {

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
  const Program& program() const { return main_.program(); }
  std::shared_ptr<const device::LoadedProgram> loaded() const { return main_.loaded; }
  /// Null for a model without gears.
  GearSet* gears() const { return gears_.get(); }
  /// Whether its shapes are known at run time only: RunOpen is its way to run.
  bool is_open() const { return open_ != nullptr; }

  /// Checks the buffers, runs, and returns when the outputs are complete. Runs of one model follow
  /// one another. `stream_id` is reported when the run fails.
  Status Run(std::span<const Buffer> inputs, std::span<const Buffer> outputs, uint32_t stream_id);

  /// As Run for a model of open shapes: see OpenModel::Run. `allocate` may be empty.
  Status RunOpen(std::span<const Buffer> inputs,
                 std::span<const std::optional<std::vector<int64_t>>> dims,
                 std::span<Buffer> outputs, ShapeList& output_dims,
                 const std::function<Result<void*>(uint64_t)>& allocate, uint32_t stream_id);

  /// Sends the task times of every later run to `fd`; -1 ends it.
  void SetSubscriber(int fd) { subscriber_ = fd; }
  bool has_subscriber() const { return subscriber_ >= 0; }

 private:
  Model(uint32_t id, int device_id) : id_(id), device_id_(device_id), recorder_(id, device_id) {}

  /// The plan for these inputs.
  Result<Plan*> ChoosePlan(std::span<const Buffer> inputs);
  Status BindInputs(const Plan& plan, std::span<const Buffer> inputs);
  Status BindOutputs(const Plan& plan, std::span<const Buffer> outputs);
  Status Execute(Plan& plan, std::span<const void* const> inputs, std::span<void* const> outputs,
                 uint32_t stream_id);

  const uint32_t id_;
  const int device_id_;
  ModelFile file_;
  Plan main_;  // With gears: without tasks; its instance owns the memory.
  std::unique_ptr<GearSet> gears_;
  std::unique_ptr<OpenModel> open_;
  std::atomic<int> subscriber_{-1};
  std::atomic<uint32_t> num_runs_{0};

  std::mutex run_mutex_;  // Guards all below, and the plans.
  std::vector<const void*> input_addresses_;
  std::vector<void*> output_addresses_;
  std::vector<std::vector<std::byte>> padded_inputs_;  // Copies of inputs that are too short.
  device::RunProfile times_;
  RunRecorder recorder_;
};

}  // namespace cairn::runtime
