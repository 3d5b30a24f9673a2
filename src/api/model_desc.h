// SPDX-License-Identifier: Apache-2.0
// The type behind aclmdlDesc: a copy of what a program says about its inputs and outputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl_mdl.h"
#include "api/call.h"
#include "runtime/model.h"

struct aclmdlDesc {
  struct Tensor {
    cairn::ProgramIo io;
    std::string shown_name;  ///< The name, or an alias when it does not fit into aclmdlIODims.
  };
  std::optional<uint32_t> model_id;  ///< None for a description of a file.
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  cairn::ShapeKind shape_kind = cairn::ShapeKind::kStatic;
  std::vector<cairn::ProgramGear> gears;
  std::vector<int64_t> ranges;  ///< Of open shapes: least and most of every input dim in turn.
};

namespace cairn::api {

/// Replaces the content of `desc` by that of `program`.
void Describe(const Program& program, std::optional<uint32_t> model_id, aclmdlDesc& desc);

/// NCHW for four dims, ND for others.
aclFormat FormatOf(const ProgramIo& io);

}  // namespace cairn::api
