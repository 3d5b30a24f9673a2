// SPDX-License-Identifier: Apache-2.0
// Writes the ModelDef of a compiled model.
#include "modeldef/model_def.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <cstring>
#include <map>
#include <optional>

#include "modeldef/attributes.h"
#include "modeldef/graph_def.h"

namespace cairn::modeldef {
namespace {

// Constants up to this size keep their data in the ModelDef, so that viewers always show them.
constexpr size_t kInlineBytes = 1024;

// Finds constants that lie unchanged in the weights section.
class WeightIndex {
 public:
  explicit WeightIndex(const plan::CompiledProgram& compiled) : weights_(compiled.weights) {
    for (const ProgramTensor& tensor : compiled.program.tensors) {
      if (tensor.storage != Storage::kWeights || tensor.layout != Layout::kPlain) continue;
      if (tensor.offset > weights_.size() || tensor.bytes > weights_.size() - tensor.offset)
        continue;
      by_size_.emplace(tensor.bytes, tensor.offset);
    }
  }

  std::optional<uint64_t> Find(const Tensor& tensor) const {
    const auto [begin, end] = by_size_.equal_range(tensor.num_bytes());
    for (auto entry = begin; entry != end; ++entry) {
      if (std::memcmp(weights_.data() + entry->second, tensor.bytes(), tensor.num_bytes()) == 0) {
        return entry->second;
      }
    }
    return std::nullopt;
  }

 private:
  std::span<const std::byte> weights_;
  std::multimap<uint64_t, uint64_t> by_size_;
};

void WriteModelConstant(const WeightIndex& weights, const Tensor& tensor, ge::TensorDef& out) {
  if (tensor.dtype() == ElementType::kString) return;
  if (tensor.num_bytes() <= kInlineBytes) {
    FillTensor(tensor, out);
    return;
  }
  const std::optional<uint64_t> offset = weights.Find(tensor);
  if (!offset) return;
  out.mutable_desc()->set_data_offset(static_cast<int64_t>(*offset));
  out.mutable_desc()->set_weight_size(static_cast<int64_t>(tensor.num_bytes()));
}

void WriteModelAttributes(const plan::CompiledProgram& compiled, const ModelInfo& info,
                          AttrMap& attributes) {
  SetInt(attributes, "memory_size", static_cast<int64_t>(compiled.program.arena_bytes));
  SetInt(attributes, "zero_copy_memory_size", 0);
  SetInt(attributes, "p2p_memory_size", 0);
  SetInt(attributes, "weight_size", static_cast<int64_t>(info.weights_bytes));
  SetInt(attributes, "stream_num", 1);
  SetInt(attributes, "event_num", 0);
  SetInt(attributes, "label_num", 0);
  SetText(attributes, "target_type", "MINI");
  SetText(attributes, "soc_version", info.soc_version);
  SetText(attributes, "framework_type", info.framework_type);
  SetText(attributes, "atc_version", info.compiler_version);
  SetText(attributes, "opp_version", info.compiler_version);
  SetText(attributes, "atc_cmdline", info.command_line);
  SetText(attributes, "host_env_os", "linux");
  SetTexts(attributes, "attr_model_out_nodes_name", info.output_names);
  SetInts(attributes, "om_info_list",
          {static_cast<int64_t>(info.weights_bytes), 0, 0, static_cast<int64_t>(info.program_bytes),
           0});
}

// Constants in external files are of another type, with the place of their data as attributes.
void NameWeightFiles(const std::vector<WeightFile>& files, ge::GraphDef& graph) {
  for (ge::OpDef& op : *graph.mutable_op()) {
    AttrMap& attributes = *op.mutable_attr();
    if (op.type() != "Const" || attributes["value"].t().desc().weight_size() == 0) continue;
    const ge::TensorDescriptor desc = attributes["value"].t().desc();
    const auto offset = static_cast<uint64_t>(desc.data_offset());
    attributes.erase("value");
    op.set_type("FileConstant");
    for (const WeightFile& file : files) {
      if (offset < file.offset || offset >= file.offset + file.bytes) continue;
      SetText(attributes, "location", file.name);
      SetInt(attributes, "offset", static_cast<int64_t>(file.file_offset + offset - file.offset));
      SetInt(attributes, "length", desc.weight_size());
    }
  }
}

std::string Serialize(const ge::ModelDef& model) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  model.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

// Adds an attribute so that the serialised size grows by `bytes` modulo a page. From 256 bytes of
// contents on all length prefixes have two bytes, so the size grows as the contents do.
void AddPadding(uint64_t bytes, ge::ModelDef& model) {
  constexpr uint64_t kPage = 4096;
  constexpr uint64_t kLeast = 256;
  if (bytes == 0) return;
  const uint64_t before = model.ByteSizeLong();
  ge::AttrDef& attribute = (*model.mutable_attr())["cairn_padding"];
  attribute.set_bt(std::string(kLeast, '\0'));
  const uint64_t grown = (model.ByteSizeLong() - before) % kPage;
  attribute.set_bt(std::string(kLeast + (bytes + kPage - grown) % kPage, '\0'));
}

}  // namespace

std::vector<std::byte> WriteModelDef(const Graph& graph, const plan::CompiledProgram& compiled,
                                     const ModelInfo& info,
                                     const std::function<uint64_t(uint64_t)>& padding) {
  ge::ModelDef model;
  model.set_name(info.name);
  const WeightIndex weights(compiled);
  const ConstantWriter constants = [&](const Tensor& tensor, ge::TensorDef& out) {
    WriteModelConstant(weights, tensor, out);
  };
  std::map<std::string_view, const plan::NodeMapping*> mappings;
  for (const plan::NodeMapping& mapping : compiled.report.mappings)
    mappings[mapping.node] = &mapping;
  const NodeWriter nodes = [&](const Node& node, ge::OpDef& out) {
    const auto found = mappings.find(node.name());
    if (found != mappings.end()) SetText(*out.mutable_attr(), "kernel", found->second->kernel);
  };
  WriteGraph(graph, constants, nodes, *model.add_graph());
  if (!info.weight_files.empty()) NameWeightFiles(info.weight_files, *model.mutable_graph(0));
  WriteModelAttributes(compiled, info, *model.mutable_attr());
  AddPadding(padding(model.ByteSizeLong()), model);
  const std::string text = Serialize(model);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> GraphAsModelDef(const Graph& graph, const std::string& name) {
  ge::ModelDef model;
  model.set_name(name);
  const ConstantWriter constants = [](const Tensor& tensor, ge::TensorDef& out) {
    FillTensor(tensor, out);
  };
  WriteGraph(
      graph, constants, [](const Node&, ge::OpDef&) {}, *model.add_graph());
  const std::string text = Serialize(model);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string GraphAsProtoText(const Graph& graph, bool with_weights) {
  ge::ModelDef model;
  model.set_name(graph.name());
  const ConstantWriter constants = [&](const Tensor& tensor, ge::TensorDef& out) {
    if (with_weights) FillTensor(tensor, out);
  };
  WriteGraph(
      graph, constants, [](const Node&, ge::OpDef&) {}, *model.add_graph());
  std::string text;
  google::protobuf::TextFormat::PrintToString(model, &text);
  return text;
}

}  // namespace cairn::modeldef
