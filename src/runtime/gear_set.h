// SPDX-License-Identifier: Apache-2.0
// The programs of a model with gears: chosen by exact match, bound on first use.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "runtime/buffer.h"
#include "runtime/model_file.h"
#include "runtime/plan.h"

namespace cairn::runtime {

/// The index of the gear with exactly these values. kNotFound names what was given, all gears and
/// the nearest one.
Result<size_t> FindGear(const Program& program, std::span<const int64_t> values);

/// "[1],[2],[4]", at most 16 of them.
std::string GearList(const Program& program);

class GearSet {
 public:
  /// `program` is the one of `file`; both and `lender`, whose memory all gears work in, must
  /// outlive the object.
  GearSet(device::Device& device, const ModelFile& file, const Program& program,
          device::Instance& lender)
      : device_(device),
        file_(file),
        program_(program),
        lender_(lender),
        plans_(program.gears.size()) {}

  /// The gear whose values are in `buffer` (32- or 64-bit integers, by its size). The largest one
  /// when nothing was ever chosen. kInvalidArgument for other values.
  Result<size_t> Read(const Buffer& buffer) const;

  /// The gear's plan. One thread at a time.
  Result<Plan*> Get(size_t gear, uint32_t model_id);

  /// The gear last chosen through the API; the largest at first.
  size_t current() const;
  void set_current(size_t gear) { current_ = static_cast<int64_t>(gear); }

 private:
  device::Device& device_;
  const ModelFile& file_;
  const Program& program_;
  device::Instance& lender_;
  std::vector<Plan> plans_;
  std::atomic<int64_t> current_{-1};
};

}  // namespace cairn::runtime
