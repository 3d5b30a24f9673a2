// SPDX-License-Identifier: Apache-2.0
// Writes an `.om` file.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "executable/om_format.h"
#include "executable/program.h"

namespace cairn {

struct OmContents {
  std::string model_name;        ///< Cut to 31 bytes in the header.
  std::string platform_version;  ///< Cut to 19 bytes.
  std::vector<OmTensorInfo> inputs;
  std::vector<OmTensorInfo> outputs;
  ShapeKind shape_kind = ShapeKind::kStatic;
  std::span<const ProgramGear> gears;
  std::span<const std::byte> model_def;
  std::span<const std::byte> weights;    ///< May be empty: no partition then.
  /// Instead of weights: where they lie (weight_files.h); may be empty.
  std::span<const std::byte> weight_files;
  /// The serialised program; empty: a model definition alone, which nothing runs.
  std::span<const std::byte> task_info;
};

/// How many bytes a model def of `model_def_bytes` must grow so that the partition after it starts
/// on a 4 KiB boundary of the file: 0 to 4095. Reads inputs, outputs and weights of `contents`.
uint64_t OmModelDefPadding(const OmContents& contents, uint64_t model_def_bytes);

/// Writes the file complete or not at all. The model def must have been padded when there is a program. Weights are
/// followed by zeros up to a multiple of kOmWeightAlign, counted in their partition.
Status WriteOmFile(const std::string& path, const OmContents& contents);

}  // namespace cairn
