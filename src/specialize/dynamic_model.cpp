// SPDX-License-Identifier: Apache-2.0
// The graph as text with its large constants as extra inputs; tables as lists of attributes.
#include "specialize/dynamic_model.h"

#include "ir/text.h"
#include "ir/verifier.h"
#include "ops/op_def.h"

namespace cairn::specialize {
namespace {

constexpr char kGraph[] = "graph";
constexpr char kConstants[] = "constants";  // One offset per extra input.
constexpr char kChoices[] = "choices";      // Lines: node, kernel, algorithm, layouts.
constexpr char kPacked[] = "packed";        // Lines: key, offset, bytes.
constexpr char kField = '\x1f', kLine = '\x1e';  // Separators that names do not hold.

Status Corrupt(const std::string& what) {
  return Status(Code::kDataCorrupt, StrCat("the model in the program is damaged: ", what));
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

std::string LayoutText(const std::vector<Layout>& layouts) {
  std::string text;
  for (Layout layout : layouts) text.push_back(static_cast<char>('0' + static_cast<int>(layout)));
  return text;
}

std::optional<std::vector<Layout>> ParseLayouts(const std::string& text) {
  std::vector<Layout> layouts;
  for (char c : text) {
    if (c < '0' || c > '2') return std::nullopt;
    layouts.push_back(static_cast<Layout>(c - '0'));
  }
  return layouts;
}

/// A copy of the graph whose large constants are inputs behind the model's.
std::unique_ptr<Graph> WithConstantInputs(const Graph& graph, const ConstantOffsets& offsets,
                                          std::vector<int64_t>& places) {
  std::unique_ptr<Graph> copy = graph.Clone();
  for (const Value* value : graph.Values()) {
    const auto found = offsets.find(value);
    if (found == offsets.end()) continue;
    Value* constant = copy->FindValue(value->name());
    Value* input = copy->AddInput("", constant->type());
    copy->ReplaceAllUses(constant, input);
    places.push_back(static_cast<int64_t>(found->second));
  }
  copy->EraseUnusedConstants();
  return copy;
}

std::string ChoiceText(const plan::PreparedForms& prepared) {
  std::string text;
  for (const auto& [node, choice] : prepared.choices) {
    text += StrCat(node, kField, choice.kernel, kField, choice.algorithm, kField, "i",
                   LayoutText(choice.inputs), kField, "o", LayoutText(choice.outputs), kLine);
  }
  return text;
}

std::string PackedText(const plan::PreparedForms& prepared) {
  std::string text;
  for (const auto& [key, packed] : prepared.packed)
    text += StrCat(key, kField, packed.offset, kField, packed.bytes, kLine);
  return text;
}

Status ReadChoices(const std::string& text, plan::PreparedForms& prepared) {
  for (const std::string& line : Split(text, kLine)) {
    const std::vector<std::string> fields = Split(line, kField);
    if (fields.size() != 5 || fields[3].empty() || fields[4].empty())
      return Corrupt("a choice of a kernel");
    const auto inputs = ParseLayouts(fields[3].substr(1));
    const auto outputs = ParseLayouts(fields[4].substr(1));
    if (!inputs || !outputs) return Corrupt("the layouts of a choice");
    prepared.choices[fields[0]] = {fields[1], fields[2], *inputs, *outputs};
  }
  return OkStatus();
}

Status ReadPacked(const std::string& text, plan::PreparedForms& prepared) {
  for (const std::string& line : Split(text, kLine)) {
    const std::vector<std::string> fields = Split(line, kField);
    if (fields.size() != 3) return Corrupt("a packed constant");
    const uint64_t offset = std::strtoull(fields[1].c_str(), nullptr, 10);
    const uint64_t bytes = std::strtoull(fields[2].c_str(), nullptr, 10);
    const uint64_t limit = prepared.weights.size();
    if (offset > limit || bytes > limit - offset) return Corrupt("a packed constant's place");
    prepared.packed[fields[0]] = {offset, bytes};
  }
  return OkStatus();
}

/// Turns the inputs behind the model's `num_inputs` into constants at `places`.
Status BindConstants(const std::vector<int64_t>& places, size_t num_inputs,
                     std::span<const std::byte> weights, Graph& graph) {
  if (graph.inputs().size() != num_inputs + places.size()) return Corrupt("its constants");
  for (size_t i = 0; i < places.size(); ++i) {
    Value* input = graph.inputs()[num_inputs + i];
    const TensorType& type = input->type();
    const auto dims = type.dims ? ConstDims(*type.dims) : std::nullopt;
    if (!dims || ElementBits(type.dtype) == 0) return Corrupt("the type of a constant");
    ASSIGN_OR_RETURN(const uint64_t bytes, StorageBytes(type.dtype, Layout::kPlain, *dims, 1));
    const auto offset = static_cast<uint64_t>(places[i]);
    if (offset > weights.size() || bytes > weights.size() - offset)
      return Corrupt("the place of a constant");
    Value* constant =
        graph.AddConstant("", Tensor::Wrap(type.dtype, *dims, nullptr, weights.subspan(offset, bytes)));
    graph.ReplaceAllUses(input, constant);
  }
  while (graph.inputs().size() > num_inputs) graph.EraseInput(graph.inputs().size() - 1);
  return OkStatus();
}

}  // namespace

Task WriteDynamicModel(const Graph& graph, const ConstantOffsets& offsets,
                       const plan::PreparedForms& prepared) {
  std::vector<int64_t> places;
  const auto copy = WithConstantInputs(graph, offsets, places);
  PrintOptions print;
  print.max_constant_elements = -1;
  Task task;
  task.kernel = "dynamic_model";
  task.op_type = "Model";
  task.name = graph.name();
  task.attributes[kGraph] = PrintGraph(*copy, print);
  task.attributes[kConstants] = places;
  task.attributes[kChoices] = ChoiceText(prepared);
  task.attributes[kPacked] = PackedText(prepared);
  return task;
}

Result<DynamicModel> ReadDynamicModel(const Program& program, std::span<const std::byte> weights) {
  if (!program.is_open()) return Corrupt("the program is not one of open shapes");
  const Task& task = program.tasks[0];
  DynamicModel model;
  ASSIGN_OR_RETURN(model.graph, ParseGraph(task.GetString(kGraph, "")));
  RETURN_IF_ERROR(
      BindConstants(task.GetInts(kConstants), program.inputs.size(), weights, *model.graph));
  RETURN_IF_ERROR(VerifyGraph(*model.graph));
  if (model.graph->outputs().size() != program.outputs.size()) return Corrupt("its outputs");
  model.prepared.weights = weights;
  RETURN_IF_ERROR(ReadChoices(task.GetString(kChoices, ""), model.prepared));
  RETURN_IF_ERROR(ReadPacked(task.GetString(kPacked, ""), model.prepared));
  return model;
}

}  // namespace cairn::specialize
