// SPDX-License-Identifier: Apache-2.0
// A model with one input and one output, run through AscendCL.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "base/status.h"

namespace ocr {

using cairn::Code;
using cairn::Result;
using cairn::Status;
using cairn::StrCat;

/// AscendCL for the process and its first device.
class AclProcess {
 public:
  static Result<std::unique_ptr<AclProcess>> Open();
  ~AclProcess();
  AclProcess(const AclProcess&) = delete;
  AclProcess& operator=(const AclProcess&) = delete;

 private:
  AclProcess() = default;
};

/// The failed call and the library's own text.
Status AclFailure(const std::string& what);

class AclModel {
 public:
  /// kInvalidArgument unless the model has one f32 input [1,3,H,W] and one f32 output.
  static Result<std::unique_ptr<AclModel>> Load(const std::string& path);
  ~AclModel();
  AclModel(const AclModel&) = delete;
  AclModel& operator=(const AclModel&) = delete;

  uint32_t id() const { return id_; }
  int height() const { return height_; }
  int width() const { return width_; }
  const std::vector<int64_t>& output_dims() const { return output_dims_; }

  /// Runs on `input` (3 * height * width values). The result belongs to the model, until the next
  /// run.
  Result<std::span<const float>> Run(std::span<const float> input);
  /// Time of the last execution.
  double last_ms() const { return last_ms_; }

 private:
  AclModel() = default;
  Status Describe(const std::string& path);
  Status AllocateBuffers();

  uint32_t id_ = 0;
  bool loaded_ = false;
  int height_ = 0, width_ = 0;
  std::vector<int64_t> output_dims_;
  size_t input_bytes_ = 0, output_bytes_ = 0;
  void* input_memory_ = nullptr;
  void* output_memory_ = nullptr;
  aclDataBuffer* input_buffer_ = nullptr;
  aclDataBuffer* output_buffer_ = nullptr;
  aclmdlDataset* inputs_ = nullptr;
  aclmdlDataset* outputs_ = nullptr;
  std::vector<float> result_;
  double last_ms_ = 0;
};

}  // namespace ocr
