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

uint64_t OutputStage(const CompileOptions& options, const Graph& graph, const PublicIo& io,
                     plan::CompiledProgram& compiled, CompileReport& report) {
  const std::vector<std::string>& output_names = io.output_names;
  Program& program = compiled.program;
  program.compiler_version = CompilerVersion();
  program.model_name = std::filesystem::path(options.output_path).stem().string();
  for (size_t i = 0; i < output_names.size(); ++i) program.outputs[i].name = output_names[i];
  const auto program_bytes = WriteProgram(program);
  if (!program_bytes.ok()) {
    report.errors.AddText("E19999", program_bytes.status().ToString());
    return 0;
  }

  OmContents contents;
  contents.model_name = program.model_name;
  contents.platform_version = options.target.name;
  contents.inputs =
      PublicInfos(program.inputs, io.layouts.blocked_inputs, options.input_format != "ND");
  contents.outputs =
      PublicInfos(program.outputs, io.layouts.blocked_outputs, options.input_format != "ND");
  std::vector<WeightFile> files;
  if (options.weight_place == WeightPlace::kInside) {
    contents.weights = compiled.weights;
  } else {
    auto written = WriteExternalWeights(compiled, options.output_path, options.weight_place);
    if (!written.ok()) {
      report.errors.AddText("E13004", written.status().message());
      return 0;
    }
    files = std::move(*written);
  }
  const std::vector<std::byte> weight_files =
      files.empty() ? std::vector<std::byte>() : WriteWeightFileTable(files);
  contents.weight_files = weight_files;
  contents.task_info = *program_bytes;

  modeldef::ModelInfo info;
  info.name = program.model_name;
  info.soc_version = options.target.given_name;
  info.framework_type = "5";
  info.compiler_version = CompilerVersion();
  info.command_line = options.command_line;
  info.output_names = output_names;
  info.program_bytes = program_bytes->size();
  info.weights_bytes = RoundUp(contents.weights.size(), kOmWeightAlign);
  info.weight_files = files;
  const std::vector<std::byte> model_def = modeldef::WriteModelDef(
      graph, compiled, info, [&](uint64_t bytes) { return OmModelDefPadding(contents, bytes); });
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
