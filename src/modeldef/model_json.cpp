// SPDX-License-Identifier: Apache-2.0
// JSON of model definitions: serialised, in text form, and of a graph.
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include "modeldef/attributes.h"
#include "modeldef/cairn_ge.pb.h"
#include "modeldef/graph_def.h"
#include "modeldef/message_json.h"
#include "modeldef/model_def.h"
#include "modeldef/parse.h"

namespace cairn::modeldef {
namespace {

// Keeps the first complaint of the text parser.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

Result<std::string> ModelDefToJson(std::span<const std::byte> model_def) {
  ge::ModelDef model;
  RETURN_IF_ERROR(ParseModelDef(model_def, model));
  return MessageToJson(model, {});
}

Result<std::string> ModelTextToJson(const std::string& text) {
  ge::ModelDef model;
  google::protobuf::TextFormat::Parser parser;
  FirstError error;
  parser.RecordErrorsTo(&error);
  parser.AllowUnknownField(true);
  if (!parser.ParseFromString(text, &model)) {
    return Status(Code::kDataCorrupt,
                  StrCat("the file is no model definition in text form: ", error.text()));
  }
  return MessageToJson(model, {});
}

std::string GraphToJson(const Graph& graph) {
  ge::ModelDef model;
  model.set_name(graph.name());
  const ConstantWriter constants = [](const Tensor& tensor, ge::TensorDef& out) {
    FillTensor(tensor, out);
  };
  WriteGraph(
      graph, constants, [](const Node&, ge::OpDef&) {}, *model.add_graph());
  return MessageToJson(model, {.enum_names = false, .leave_out_data = false});
}

}  // namespace cairn::modeldef
