// SPDX-License-Identifier: Apache-2.0
// Writes a graph in its text form.
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "ir/text.h"

namespace cairn {
namespace {

std::string Quote(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool IsIdentifier(std::string_view name) {
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.') return false;
  }
  return !name.empty() && name != "_";
}

std::string Identifier(std::string_view name) {
  return IsIdentifier(name) ? std::string(name) : Quote(name);
}

template <class T>
std::string Shortest(T value) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, error == std::errc() ? end : buffer);
}

/// Marked as a float: "1.0", "1e-05", "inf", "nan".
std::string FloatText(float value) {
  if (std::isnan(value)) return "nan";
  std::string text = Shortest(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

template <class Range, class Format>
std::string List(const Range& range, const char* empty, Format format) {
  if (range.empty()) return StrCat(empty, "[]");
  std::string out = "[";
  for (const auto& item : range) {
    if (out.size() > 1) out += ", ";
    out += format(item);
  }
  return out + "]";
}

bool IsUniform(const Tensor& tensor) {
  const int bits = ElementBits(tensor.dtype());
  const auto size = static_cast<size_t>(bits / 8);
  if (tensor.num_elements() < 2 || size == 0) return false;
  const std::byte* bytes = tensor.bytes();
  return std::memcmp(bytes, bytes + size, tensor.num_bytes() - size) == 0;
}

/// True when element text cannot carry the contents: complex numbers, NaN payloads.
bool NeedsHex(const Tensor& tensor) {
  if (tensor.dtype() == ElementType::kC64 || tensor.dtype() == ElementType::kC128) return true;
  if (!IsFloat(tensor.dtype())) return false;
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    if (std::isnan(tensor.GetDouble(i))) return true;
  }
  return false;
}

std::string HexText(const Tensor& tensor) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "hex<\"";
  for (size_t i = 0; i < tensor.num_bytes(); ++i) {
    const auto byte = std::to_integer<unsigned>(tensor.bytes()[i]);
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out + "\">";
}

std::string ElementText(const Tensor& tensor, int64_t i) {
  switch (tensor.dtype()) {
    case ElementType::kString:
      return Quote(tensor.strings()[static_cast<size_t>(i)]);
    case ElementType::kF32:
      return Shortest(tensor.data<float>()[i]);
    case ElementType::kU64:
      return StrCat(tensor.data<uint64_t>()[i]);
    default:
      break;
  }
  return IsFloat(tensor.dtype()) ? Shortest(tensor.GetDouble(i)) : StrCat(tensor.GetInt(i));
}

std::string TensorText(const Tensor& tensor, int64_t max_elements) {
  if (max_elements >= 0 && tensor.num_elements() > max_elements && !IsUniform(tensor)) {
    return "dense<...>";
  }
  if (NeedsHex(tensor)) return HexText(tensor);
  if (IsUniform(tensor)) return StrCat("dense<", ElementText(tensor, 0), ">");
  std::string out = "dense<[";
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    if (i > 0) out += ", ";
    out += ElementText(tensor, i);
  }
  return out + "]>";
}

class Printer {
 public:
  explicit Printer(const PrintOptions& options) : options_(options) {}

  /// `head`: "graph @" or "@".
  void Print(const Graph& graph, const char* head, int indent) {
    const std::string margin(static_cast<size_t>(indent), ' ');
    out_ += StrCat(head, Identifier(graph.name()), "(");
    for (size_t i = 0; i < graph.inputs().size(); ++i) {
      const Value* input = graph.inputs()[i];
      out_ += StrCat(i ? ", " : "", Name(*input), ": ", input->type());
    }
    out_ += ") -> (";
    const size_t results = out_.size();
    out_ += ")";
    PrintMetadata(graph);
    out_ += " {\n";
    if (options_.names) {
      for (const Value* value : graph.Values()) {
        if (value->is_constant()) PrintConstant(*value, indent + 2);
      }
    }
    for (const Node* node : graph.Nodes()) PrintNode(*node, indent + 2);
    for (const Value* output : graph.outputs()) PrintBeforeUse(*output, indent + 2);
    out_ += margin + "}";
    out_.insert(results, Results(graph, options_.names || indent == 0));
  }

  std::string Take() { return std::move(out_); }

 private:
  std::string Name(const Value& value) {
    if (options_.names) return "%" + Identifier(value.name());
    const auto [it, added] = numbers_.emplace(&value, numbers_.size());
    return StrCat("%", it->second);
  }

  /// `show_names`: what the model calls the outputs, where it is not the value's own name.
  std::string Results(const Graph& graph, bool show_names) {
    std::string out;
    for (size_t i = 0; i < graph.outputs().size(); ++i) {
      const Value* output = graph.outputs()[i];
      out += StrCat(i ? ", " : "", Name(*output));
      if (show_names && (graph.output_name(i) != output->name() || !options_.names)) {
        out += StrCat(" as ", Quote(graph.output_name(i)));
      }
    }
    return out;
  }

  void PrintMetadata(const Graph& graph) {
    if (graph.metadata.empty() || !options_.names) return;
    out_ += " metadata {";
    bool first = true;
    for (const auto& [key, value] : graph.metadata) {
      out_ += StrCat(first ? "" : ", ", Quote(key), " = ", Quote(value));
      first = false;
    }
    out_ += "}";
  }

  void PrintConstant(const Value& value, int indent) {
    out_ += StrCat(std::string(static_cast<size_t>(indent), ' '), "const ", Name(value), ": ",
                   value.type(), " = ",
                   TensorText(value.constant(), options_.max_constant_elements), "\n");
  }

  void PrintBeforeUse(const Value& value, int indent) {
    if (options_.names || !value.is_constant()) return;
    if (printed_.insert(&value).second) PrintConstant(value, indent);
  }

  void PrintNode(const Node& node, int indent) {
    for (const Value* input : node.inputs()) {
      if (input) PrintBeforeUse(*input, indent);
    }
    out_.append(static_cast<size_t>(indent), ' ');
    for (size_t i = 0; i < node.outputs().size(); ++i) {
      const Value* output = node.output(i);
      out_ += StrCat(i ? ", " : "", output ? Name(*output) : "_");
      if (output && options_.types) out_ += StrCat(": ", output->type());
    }
    out_ += StrCat(" = ", Identifier(node.op()), "(");
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      out_ += StrCat(i ? ", " : "", node.input(i) ? Name(*node.input(i)) : "_");
    }
    out_ += ")";
    PrintAttributes(node, indent);
    const Value* first = node.output(0);
    if (options_.names && (first == nullptr || first->name() != node.name())) {
      out_ += StrCat(" name ", Quote(node.name()));
    }
    if (options_.origins && !node.origins().empty()) {
      out_ += StrCat(" origins ", List(node.origins(), "", Quote));
    }
    out_ += "\n";
  }

  void PrintAttributes(const Node& node, int indent) {
    if (node.attributes().empty()) return;
    out_ += " {";
    bool first = true;
    for (const auto& [name, attribute] : node.attributes()) {
      out_ += StrCat(first ? "" : ", ", Identifier(name), " = ");
      first = false;
      PrintAttribute(attribute, indent);
    }
    out_ += "}";
  }

  void PrintAttribute(const Attribute& attribute, int indent) {
    if (const auto* region = std::get_if<Region>(&attribute)) {
      Print(**region, "@", indent + 2);
    } else if (const auto* regions = std::get_if<std::vector<Region>>(&attribute)) {
      out_ += regions->empty() ? "regions[" : "[";
      for (size_t i = 0; i < regions->size(); ++i) {
        if (i > 0) out_ += ", ";
        Print(*(*regions)[i], "@", indent + 2);
      }
      out_ += "]";
    } else {
      out_ += PlainAttributeText(attribute);
    }
  }

  std::string PlainAttributeText(const Attribute& attribute) const {
    if (const auto* value = std::get_if<int64_t>(&attribute)) return StrCat(*value);
    if (const auto* value = std::get_if<float>(&attribute)) return FloatText(*value);
    if (const auto* value = std::get_if<std::string>(&attribute)) return Quote(*value);
    if (const auto* list = std::get_if<Ints>(&attribute)) {
      return List(*list, "ints", [](int64_t v) { return StrCat(v); });
    }
    if (const auto* list = std::get_if<Floats>(&attribute)) return List(*list, "floats", FloatText);
    if (const auto* list = std::get_if<Strings>(&attribute)) return List(*list, "strings", Quote);
    if (const auto* type = std::get_if<TensorType>(&attribute)) return StrCat("type ", *type);
    const Tensor& tensor = std::get<Tensor>(attribute);
    return StrCat("tensor ", ElementTypeName(tensor.dtype()), ShapeToString(tensor.shape()), " ",
                  TensorText(tensor, options_.max_constant_elements));
  }

  const PrintOptions& options_;
  std::string out_;
  std::unordered_map<const Value*, size_t> numbers_;
  std::unordered_set<const Value*> printed_;
};

}  // namespace

std::string PrintGraph(const Graph& graph, const PrintOptions& options) {
  Printer printer(options);
  printer.Print(graph, "graph @", 0);
  return printer.Take() + "\n";
}

}  // namespace cairn
