// SPDX-License-Identifier: Apache-2.0
// Renders the model as it was read.
#include "compiler/original_model.h"

#include <filesystem>

#include "executable/om_writer.h"
#include "frontend/onnx/model_file.h"
#include "modeldef/message_json.h"
#include "modeldef/model_def.h"

namespace cairn::compiler {

Result<std::string> OnnxToJson(const std::string& path) {
  ASSIGN_OR_RETURN(const onnx::MappedFile file, onnx::MapFile(path));
  ASSIGN_OR_RETURN(const auto model, onnx::ParseModel(file.bytes));
  return modeldef::MessageToJson(*model, {.enum_names = true, .leave_out_data = false});
}

Status WriteOriginalModel(const Graph& graph, const std::string& output_path) {
  std::filesystem::path path(output_path);
  path.replace_extension();
  const std::string name = path.stem().string() + "_original";
  path.replace_filename(name + ".om");
  OmContents contents;
  contents.model_name = name;
  const std::vector<std::byte> model_def = modeldef::GraphAsModelDef(graph, name);
  contents.model_def = model_def;
  return WriteOmFile(path.string(), contents);
}

}  // namespace cairn::compiler
