// SPDX-License-Identifier: Apache-2.0
// Reads a graph from its text form.
#include "ir/text.h"
#include "ir/text_cursor.h"
#include "ir/text_literal.h"

namespace cairn {
namespace {

constexpr int kMaxRegionDepth = 32;
constexpr int64_t kMaxGeneratedBytes = int64_t{1} << 30;

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  Result<std::unique_ptr<Graph>> Run() {
    RETURN_IF_ERROR(cursor_.Expect("graph"));
    ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, ReadGraph(0));
    if (!cursor_.AtEnd()) return cursor_.Fail("unexpected text after the graph");
    return graph;
  }

 private:
  struct GraphResult {
    std::string value, name;
  };
  struct OutputText {
    bool wanted = false;
    std::string name;
    TensorType type;
  };

  Result<std::unique_ptr<Graph>> ReadGraph(int depth) {
    if (depth > kMaxRegionDepth) return cursor_.Fail("regions are nested too deeply");
    RETURN_IF_ERROR(cursor_.Expect("@"));
    ASSIGN_OR_RETURN(std::string name, cursor_.ReadIdentifier());
    auto graph = std::make_unique<Graph>(std::move(name));
    RETURN_IF_ERROR(ReadInputs(*graph));
    ASSIGN_OR_RETURN(const std::vector<GraphResult> results, ReadResults());
    if (cursor_.Take("metadata")) RETURN_IF_ERROR(ReadMetadata(*graph));
    RETURN_IF_ERROR(cursor_.Expect("{"));
    while (!cursor_.Take("}")) RETURN_IF_ERROR(ReadStatement(*graph, depth));
    for (const GraphResult& result : results) {
      Value* value = graph->FindValue(result.value);
      if (!value) return cursor_.Fail(StrCat("output %", result.value, " is not defined"));
      graph->AddOutput(value, result.name);
    }
    return graph;
  }

  Status ReadInputs(Graph& graph) {
    RETURN_IF_ERROR(cursor_.Expect("("));
    while (!cursor_.Take(")")) {
      if (!graph.inputs().empty()) RETURN_IF_ERROR(cursor_.Expect(","));
      ASSIGN_OR_RETURN(const std::string name, ReadNewName(graph));
      RETURN_IF_ERROR(cursor_.Expect(":"));
      ASSIGN_OR_RETURN(const TensorType type, cursor_.ReadType());
      ReserveSymbols(graph, type);
      graph.AddInput(name, type);
    }
    return OkStatus();
  }

  Result<std::vector<GraphResult>> ReadResults() {
    std::vector<GraphResult> results;
    RETURN_IF_ERROR(cursor_.Expect("->"));
    RETURN_IF_ERROR(cursor_.Expect("("));
    while (!cursor_.Take(")")) {
      if (!results.empty()) RETURN_IF_ERROR(cursor_.Expect(","));
      GraphResult result;
      RETURN_IF_ERROR(cursor_.Expect("%"));
      ASSIGN_OR_RETURN(result.value, cursor_.ReadIdentifier());
      if (cursor_.Take("as")) {
        ASSIGN_OR_RETURN(result.name, cursor_.ReadString());
      }
      results.push_back(std::move(result));
    }
    return results;
  }

  Status ReadMetadata(Graph& graph) {
    RETURN_IF_ERROR(cursor_.Expect("{"));
    while (!cursor_.Take("}")) {
      if (!graph.metadata.empty()) RETURN_IF_ERROR(cursor_.Expect(","));
      ASSIGN_OR_RETURN(const std::string key, cursor_.ReadString());
      RETURN_IF_ERROR(cursor_.Expect("="));
      ASSIGN_OR_RETURN(graph.metadata[key], cursor_.ReadString());
    }
    return OkStatus();
  }

  static void ReserveSymbols(Graph& graph, const TensorType& type) {
    if (!type.dims) return;
    for (const Dim& dim : *type.dims) {
      for (const std::string& symbol : dim.Symbols()) graph.ReserveSymbol(symbol);
    }
  }

  /// "%name" of a value that does not exist yet.
  Result<std::string> ReadNewName(const Graph& graph) {
    RETURN_IF_ERROR(cursor_.Expect("%"));
    ASSIGN_OR_RETURN(std::string name, cursor_.ReadIdentifier());
    if (name.empty()) return cursor_.Fail("a value needs a name");
    if (graph.FindValue(name)) return cursor_.Fail(StrCat("%", name, " is defined twice"));
    return name;
  }

  Status ReadStatement(Graph& graph, int depth) {
    return cursor_.Take("const") ? ReadConstant(graph) : ReadNode(graph, depth);
  }

  Status ReadConstant(Graph& graph) {
    ASSIGN_OR_RETURN(const std::string name, ReadNewName(graph));
    RETURN_IF_ERROR(cursor_.Expect(":"));
    ASSIGN_OR_RETURN(const TensorType type, cursor_.ReadType());
    RETURN_IF_ERROR(cursor_.Expect("="));
    ASSIGN_OR_RETURN(Tensor tensor, ReadTensorLiteral(cursor_, type, budget_bytes_));
    graph.AddConstant(name, std::move(tensor));
    return OkStatus();
  }

  Result<std::vector<OutputText>> ReadOutputs(const Graph& graph) {
    std::vector<OutputText> outputs;
    do {
      OutputText output;
      if (!cursor_.Take("_")) {
        output.wanted = true;
        ASSIGN_OR_RETURN(output.name, ReadNewName(graph));
        for (const OutputText& other : outputs) {
          if (other.name == output.name) {
            return cursor_.Fail(StrCat("%", output.name, " is defined twice"));
          }
        }
        if (cursor_.Take(":")) {
          ASSIGN_OR_RETURN(output.type, cursor_.ReadType());
        }
      }
      outputs.push_back(std::move(output));
    } while (cursor_.Take(","));
    return outputs;
  }

  Result<std::vector<Value*>> ReadOperands(const Graph& graph) {
    std::vector<Value*> operands;
    RETURN_IF_ERROR(cursor_.Expect("("));
    while (!cursor_.Take(")")) {
      if (!operands.empty()) RETURN_IF_ERROR(cursor_.Expect(","));
      if (cursor_.Take("_")) {
        operands.push_back(nullptr);
        continue;
      }
      RETURN_IF_ERROR(cursor_.Expect("%"));
      ASSIGN_OR_RETURN(const std::string name, cursor_.ReadIdentifier());
      Value* value = graph.FindValue(name);
      if (!value) return cursor_.Fail(StrCat("%", name, " is not defined before its use"));
      operands.push_back(value);
    }
    return operands;
  }

  Status ReadNode(Graph& graph, int depth) {
    ASSIGN_OR_RETURN(const std::vector<OutputText> outputs, ReadOutputs(graph));
    RETURN_IF_ERROR(cursor_.Expect("="));
    ASSIGN_OR_RETURN(const std::string op, cursor_.ReadIdentifier());
    ASSIGN_OR_RETURN(const std::vector<Value*> operands, ReadOperands(graph));
    Attributes attributes;
    if (cursor_.Take("{")) RETURN_IF_ERROR(ReadAttributes(attributes, depth));
    std::string name = outputs[0].name;
    if (cursor_.Take("name")) {
      ASSIGN_OR_RETURN(name, cursor_.ReadString());
      if (graph.FindNode(name)) return cursor_.Fail(StrCat("two nodes are named '", name, "'"));
    }
    std::vector<std::string> output_names;
    for (const OutputText& output : outputs) output_names.push_back(output.name);
    Node* node =
        graph.AddNode(op, name, operands, static_cast<int>(outputs.size()), nullptr, output_names);
    for (auto& [key, value] : attributes) node->Set(key, std::move(value));
    for (size_t i = outputs.size(); i-- > 0;) {
      if (outputs[i].wanted) {
        ReserveSymbols(graph, outputs[i].type);
        node->output(i)->set_type(outputs[i].type);
      } else {
        graph.EraseOutput(node, i);
      }
    }
    if (cursor_.Take("origins")) {
      ASSIGN_OR_RETURN(const Strings origins, ReadStrings());
      node->AddOrigins(origins);
    }
    return OkStatus();
  }

  Status ReadAttributes(Attributes& attributes, int depth) {
    while (!cursor_.Take("}")) {
      if (!attributes.empty()) RETURN_IF_ERROR(cursor_.Expect(","));
      ASSIGN_OR_RETURN(const std::string name, cursor_.ReadIdentifier());
      if (attributes.count(name))
        return cursor_.Fail(StrCat("attribute '", name, "' is given twice"));
      RETURN_IF_ERROR(cursor_.Expect("="));
      ASSIGN_OR_RETURN(attributes[name], ReadAttribute(depth));
    }
    return OkStatus();
  }

  Result<Attribute> ReadAttribute(int depth) {
    if (cursor_.Peek() == '"') {
      ASSIGN_OR_RETURN(std::string text, cursor_.ReadString());
      return Attribute(std::move(text));
    }
    if (cursor_.Peek() == '@') {
      ASSIGN_OR_RETURN(std::unique_ptr<Graph> region, ReadGraph(depth + 1));
      return Attribute(Region(std::move(region)));
    }
    if (cursor_.Take("[")) return ReadList(depth);
    if (cursor_.Take("type")) {
      ASSIGN_OR_RETURN(TensorType type, cursor_.ReadType());
      return Attribute(std::move(type));
    }
    if (cursor_.Take("tensor")) {
      ASSIGN_OR_RETURN(const TensorType type, cursor_.ReadType());
      ASSIGN_OR_RETURN(Tensor tensor, ReadTensorLiteral(cursor_, type, budget_bytes_));
      return Attribute(std::move(tensor));
    }
    for (const auto& [word, empty] : {std::pair<const char*, Attribute>{"ints", Ints()},
                                      {"floats", Floats()},
                                      {"strings", Strings()},
                                      {"regions", std::vector<Region>()}}) {
      if (!cursor_.Take(word)) continue;
      RETURN_IF_ERROR(cursor_.Expect("["));
      RETURN_IF_ERROR(cursor_.Expect("]"));
      return empty;
    }
    ASSIGN_OR_RETURN(const TextNumber number, cursor_.ReadNumber());
    if (number.is_float) return Attribute(static_cast<float>(number.real));
    return Attribute(number.integer);
  }

  /// The rest of a non-empty list; the first element decides the kind.
  Result<Attribute> ReadList(int depth) {
    if (cursor_.Peek() == '"') {
      ASSIGN_OR_RETURN(Strings strings, ReadStringsAfterBracket());
      return Attribute(std::move(strings));
    }
    if (cursor_.Peek() == '@') return ReadRegions(depth);
    Ints ints;
    Floats floats;
    bool is_float = false;
    do {
      ASSIGN_OR_RETURN(const TextNumber number, cursor_.ReadNumber());
      is_float = is_float || number.is_float;
      ints.push_back(number.integer);
      floats.push_back(static_cast<float>(number.real));
    } while (cursor_.Take(","));
    RETURN_IF_ERROR(cursor_.Expect("]"));
    return is_float ? Attribute(std::move(floats)) : Attribute(std::move(ints));
  }

  Result<Attribute> ReadRegions(int depth) {
    std::vector<Region> regions;
    do {
      ASSIGN_OR_RETURN(std::unique_ptr<Graph> region, ReadGraph(depth + 1));
      regions.push_back(Region(std::move(region)));
    } while (cursor_.Take(","));
    RETURN_IF_ERROR(cursor_.Expect("]"));
    return Attribute(std::move(regions));
  }

  Result<Strings> ReadStrings() {
    RETURN_IF_ERROR(cursor_.Expect("["));
    return ReadStringsAfterBracket();
  }

  Result<Strings> ReadStringsAfterBracket() {
    Strings strings;
    do {
      ASSIGN_OR_RETURN(std::string text, cursor_.ReadString());
      strings.push_back(std::move(text));
    } while (cursor_.Take(","));
    RETURN_IF_ERROR(cursor_.Expect("]"));
    return strings;
  }

  TextCursor cursor_;
  int64_t budget_bytes_ = kMaxGeneratedBytes;
};

}  // namespace

Result<std::unique_ptr<Graph>> ParseGraph(std::string_view text) { return Parser(text).Run(); }

}  // namespace cairn
