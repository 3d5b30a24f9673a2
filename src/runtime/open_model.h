// SPDX-License-Identifier: Apache-2.0
// A model of open shapes: plans for the shapes that come, in a cache of bounded size.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "abi/specializer_api.h"
#include "device/device.h"
#include "runtime/buffer.h"
#include "runtime/model_file.h"
#include "runtime/plan.h"

namespace cairn::runtime {

/// The dims of inputs or outputs in order.
using ShapeList = std::vector<std::vector<int64_t>>;

/// How an open model does what its owner knows better.
struct OpenRun {
  /// Executes a plan on these addresses.
  std::function<Status(Plan&, std::span<const void* const>, std::span<void* const>)> execute;
  /// Memory for an output whose buffer is empty; may be empty: such buffers are refused.
  std::function<Result<void*>(uint64_t bytes)> allocate;
};

class OpenModel {
 public:
  /// `program` is the one of `file`; both and `lender`, whose memory all plans work in, must outlive
  /// the object.
  static Result<std::unique_ptr<OpenModel>> Create(device::Device& device, const ModelFile& file,
                                                   const Program& program, device::Instance& lender,
                                                   uint32_t model_id);
  ~OpenModel();

  /// Runs the model on inputs of `dims` (one list per input; empty and unset: the input's own when
  /// it has no open dim). Sets `output_dims`, and fills empty output buffers. kInvalidArgument for
  /// shapes outside the model's range, that contradict each other, or buffers that are too small.
  Status Run(std::span<const Buffer> inputs, std::span<const std::optional<std::vector<int64_t>>> dims,
             std::span<Buffer> outputs, ShapeList& output_dims, const OpenRun& run);

  size_t num_plans() const { return stages_.size(); }
  uint64_t plan_bytes() const { return plan_bytes_; }

 private:
  struct Stage {
    std::optional<Plan> plan;  ///< None when there is nothing to compute.
    std::vector<uint32_t> inputs, outputs;
    uint32_t end = 0;
    uint64_t bytes = 0;
    uint64_t last_use = 0;
  };
  /// A value of the model in the current run.
  struct Entry {
    bool known = false;
    ElementType dtype = ElementType::kUndefined;
    std::vector<int64_t> dims;
    uint64_t bytes = 0;
    void* data = nullptr;
  };

  OpenModel(device::Device& device, const ModelFile& file, const Program& program,
            device::Instance& lender, uint32_t model_id)
      : device_(device), file_(file), program_(program), lender_(lender), model_id_(model_id) {}

  Status BindInputs(std::span<const Buffer> inputs,
                    std::span<const std::optional<std::vector<int64_t>>> dims);
  Status CheckDims(size_t index, const std::vector<int64_t>& dims) const;
  Result<Stage*> FindStage(uint32_t node);
  Result<Stage> PlanStage(uint32_t node);
  Status RunStage(Stage& stage, const OpenRun& run);
  Status EvaluateNode(uint32_t node, const OpenRun& run);
  /// Memory for a result: the user's buffer of an output, else memory of the model.
  Result<void*> Place(uint32_t value, ElementType dtype, std::span<const int64_t> dims,
                      const OpenRun& run);
  Result<void*> PlaceOutput(size_t index, const Entry& entry, const OpenRun& run);
  Status CopyOutputs(ShapeList& output_dims, const OpenRun& run);
  void Evict(uint64_t bytes);
  std::vector<CairnAbiTensor> AbiValues() const;

  device::Device& device_;
  const ModelFile& file_;
  const Program& program_;
  device::Instance& lender_;
  const uint32_t model_id_;
  const CairnSpecializerApi* api_ = nullptr;
  void* handle_ = nullptr;
  uint32_t num_nodes_ = 0;
  std::vector<uint32_t> input_values_, output_values_;
  std::vector<int64_t> ranges_;  ///< Least and most of every input dim; -1: no limit.

  std::map<std::vector<int64_t>, Stage> stages_;  // By node and dims of the known values.
  size_t max_plans_ = 0;
  uint64_t max_plan_bytes_ = 0, plan_bytes_ = 0, clock_ = 0;

  std::vector<Entry> entries_;
  std::vector<std::vector<std::byte>> memory_;  // By value, for results between stages.
  std::span<Buffer> outputs_;                   // Of the current run.
  std::vector<int64_t> key_;
  std::vector<const void*> input_addresses_;
  std::vector<void*> output_addresses_;
};

}  // namespace cairn::runtime
