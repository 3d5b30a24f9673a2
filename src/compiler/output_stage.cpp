// SPDX-License-Identifier: Apache-2.0
// Assembles and writes the `.om` file.
#include "compiler/output_stage.h"

#include <filesystem>

#include "executable/om_writer.h"
#include "modeldef/model_def.h"

namespace cairn::compiler {
namespace {

constexpr int32_t kFormatNchw = 0;
constexpr int32_t kFormatNd = 2;
constexpr int32_t kFormatNc1hwc0 = 3;

std::vector<OmTensorInfo> PublicInfos(const std::vector<ProgramIo>& tensors,
                                      const std::vector<bool>& blocked, bool nchw) {
  std::vector<OmTensorInfo> infos;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ProgramIo& tensor = tensors[i];
    int32_t format = nchw && tensor.dims.size() == 4 ? kFormatNchw : kFormatNd;
    if (i < blocked.size() && blocked[i]) format = kFormatNc1hwc0;
    infos.push_back({tensor.name, tensor.dtype, format, tensor.bytes, tensor.dims});
  }
  return infos;
}

uint64_t RoundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

uint64_t OutputStage(const CompileOptions& options, const BuiltModel& built,
                     std::span<const std::byte> program_bytes, CompileReport& report) {
  const auto read = ReadProgram(program_bytes);
  if (!read.ok()) {
    report.errors.AddText("E19999", read.status().ToString());
    return 0;
  }
  const Program& program = *read;
  OmContents contents;
  contents.model_name = program.model_name;
  contents.platform_version = options.target.name;
  if (!program.is_static() && options.weight_place != WeightPlace::kInside) {
    report.errors.AddText("E10055", "weights of models whose shapes change cannot lie outside the "
                                    "file yet; leave out --external_weight");
    return 0;
  }
  contents.inputs =
      PublicInfos(program.inputs, built.layouts.blocked_inputs, options.input_format != "ND");
  contents.outputs =
      PublicInfos(program.outputs, built.layouts.blocked_outputs, options.input_format != "ND");
  std::vector<WeightFile> files;
  if (options.weight_place == WeightPlace::kInside) {
    contents.weights = built.compiled.weights;
  } else {
    auto written = WriteExternalWeights(built.compiled, options.output_path, options.weight_place);
    if (!written.ok()) {
      report.errors.AddText("E13004", written.status().message());
      return 0;
    }
    files = std::move(*written);
  }
  const std::vector<std::byte> weight_files =
      files.empty() ? std::vector<std::byte>() : WriteWeightFileTable(files);
  contents.weight_files = weight_files;
  contents.task_info = program_bytes;
  contents.shape_kind = program.shape_kind;
  contents.gears = program.gears;

  modeldef::ModelInfo info;
  info.name = program.model_name;
  info.soc_version = options.target.given_name;
  info.framework_type = "5";
  info.compiler_version = CompilerVersion();
  info.command_line = options.command_line;
  for (const ProgramIo& output : program.outputs) info.output_names.push_back(output.name);
  info.program_bytes = program_bytes.size();
  info.weights_bytes = RoundUp(contents.weights.size(), kOmWeightAlign);
  info.weight_files = files;
  const std::vector<std::byte> model_def = modeldef::WriteModelDef(
      *built.graph, built.compiled, info, [&](uint64_t bytes) { return OmModelDefPadding(contents, bytes); });
  contents.model_def = model_def;

  const Status status = WriteOmFile(options.output_path, contents);
  if (!status.ok()) {
    report.errors.AddText("E13004", status.message());
    return 0;
  }
  const auto summary = modeldef::ModelSummary(model_def);
  if (summary.ok()) report.summary = *summary;
  std::error_code ignored;
  return std::filesystem::file_size(options.output_path, ignored);
}

}  // namespace cairn::compiler
