// SPDX-License-Identifier: Apache-2.0
// EliminateCommonSubexpressions: global value numbering of nodes and constants.
#include <bit>
#include <unordered_map>

#include "base/hash.h"
#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

uint64_t Mix(uint64_t a, uint64_t b) {
  const uint64_t words[] = {a, b};
  return HashBytes(std::as_bytes(std::span(words)));
}

uint64_t HashText(std::string_view text, uint64_t seed) {
  return HashBytes(std::as_bytes(std::span(text.data(), text.size())), seed);
}

/// Contents up to a few KiB; equality is decided byte by byte afterwards.
uint64_t HashTensor(const Tensor& tensor) {
  constexpr size_t kSample = 4096;
  uint64_t hash = Mix(static_cast<uint64_t>(tensor.dtype()), tensor.num_bytes());
  for (const int64_t dim : tensor.shape()) hash = Mix(hash, static_cast<uint64_t>(dim));
  if (tensor.dtype() == ElementType::kString) {
    for (const std::string& text : tensor.strings()) hash = HashText(text, hash);
    return hash;
  }
  const std::span<const std::byte> bytes(tensor.bytes(), tensor.num_bytes());
  hash = HashBytes(bytes.first(std::min(bytes.size(), kSample)), hash);
  return HashBytes(bytes.last(std::min(bytes.size(), kSample)), hash);
}

struct AttributeHash {
  uint64_t operator()(int64_t value) const { return Mix(1, static_cast<uint64_t>(value)); }
  uint64_t operator()(float value) const { return Mix(2, std::bit_cast<uint32_t>(value)); }
  uint64_t operator()(const std::string& value) const { return HashText(value, 3); }
  uint64_t operator()(const Ints& value) const {
    return HashBytes(std::as_bytes(std::span(value)), 4);
  }
  uint64_t operator()(const Floats& value) const {
    return HashBytes(std::as_bytes(std::span(value)), 5);
  }
  uint64_t operator()(const Strings& value) const {
    uint64_t hash = 6;
    for (const std::string& text : value) hash = HashText(text, hash);
    return hash;
  }
  uint64_t operator()(const Tensor& value) const { return HashTensor(value); }
  uint64_t operator()(const TensorType& value) const { return HashText(value.ToString(), 7); }
  uint64_t operator()(const Region& /*region*/) const { return 8; }
  uint64_t operator()(const std::vector<Region>& /*regions*/) const { return 9; }
};

bool EqualAttributes(const Attribute& a, const Attribute& b) {
  if (a.index() != b.index()) return false;
  if (const auto* tensor = std::get_if<Tensor>(&a)) return tensor->Identical(std::get<Tensor>(b));
  if (const auto* number = std::get_if<float>(&a)) {
    return std::bit_cast<uint32_t>(*number) == std::bit_cast<uint32_t>(std::get<float>(b));
  }
  if (const auto* type = std::get_if<TensorType>(&a)) return *type == std::get<TensorType>(b);
  if (const auto* v = std::get_if<int64_t>(&a)) return *v == std::get<int64_t>(b);
  if (const auto* v = std::get_if<std::string>(&a)) return *v == std::get<std::string>(b);
  if (const auto* v = std::get_if<Ints>(&a)) return *v == std::get<Ints>(b);
  if (const auto* v = std::get_if<Floats>(&a)) return *v == std::get<Floats>(b);
  if (const auto* v = std::get_if<Strings>(&a)) return *v == std::get<Strings>(b);
  return false;  // Regions are not compared.
}

bool EqualAttributes(const Attributes& a, const Attributes& b) {
  if (a.size() != b.size()) return false;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    if (i->first != j->first || !EqualAttributes(i->second, j->second)) return false;
  }
  return true;
}

class ValueNumbering {
 public:
  explicit ValueNumbering(Graph& graph) : graph_(graph) {}

  Result<int> Run() {
    int changes = MergeConstants();
    for (Node* node : graph_.Nodes()) {
      ASSIGN_OR_RETURN(const bool merged, MergeNode(*node));
      changes += merged ? 1 : 0;
    }
    return changes;
  }

 private:
  int MergeConstants() {
    int changes = 0;
    std::unordered_multimap<uint64_t, Value*> known;
    for (Value* value : graph_.Values()) {
      if (!value->is_constant() || value->num_uses() == 0) continue;
      const uint64_t hash = HashTensor(value->constant());
      Value* twin = nullptr;
      const auto [begin, end] = known.equal_range(hash);
      for (auto it = begin; it != end && !twin; ++it) {
        if (it->second->constant().Identical(value->constant())) twin = it->second;
      }
      if (!twin) {
        known.emplace(hash, value);
      } else {
        graph_.ReplaceAllUses(value, twin);
        ++changes;
      }
    }
    return changes;
  }

  /// Operands in the order that decides equality.
  static std::vector<const Value*> Operands(const Node& node) {
    std::vector<const Value*> operands(node.inputs().begin(), node.inputs().end());
    const OpDef* def = FindOp(node.op());
    if (def->Has(kCommutative) && operands.size() >= 2 && operands[0] > operands[1]) {
      std::swap(operands[0], operands[1]);
    }
    return operands;
  }

  static uint64_t HashNode(const Node& node) {
    uint64_t hash = HashText(node.op(), node.outputs().size());
    for (const Value* operand : Operands(node)) {
      hash = Mix(hash, reinterpret_cast<uintptr_t>(operand));
    }
    for (const auto& [name, attribute] : node.attributes()) {
      hash = Mix(HashText(name, hash), std::visit(AttributeHash(), attribute));
    }
    return hash;
  }

  static bool SameOutputsWanted(const Node& a, const Node& b) {
    if (a.outputs().size() != b.outputs().size()) return false;
    for (size_t i = 0; i < a.outputs().size(); ++i) {
      if ((a.output(i) == nullptr) != (b.output(i) == nullptr)) return false;
    }
    return true;
  }

  static bool Equal(const Node& a, const Node& b) {
    return a.op() == b.op() && SameOutputsWanted(a, b) && Operands(a) == Operands(b) &&
           EqualAttributes(a.attributes(), b.attributes());
  }

  Result<bool> MergeNode(Node& node) {
    const OpDef* def = FindOp(node.op());
    if (!def || !def->Has(kPure) || !node.Regions().empty()) return false;
    const uint64_t hash = HashNode(node);
    const auto [begin, end] = known_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
      Node* twin = it->second;
      if (!Equal(*twin, node)) continue;
      twin->AddOrigins(node.origins());
      for (size_t i = 0; i < node.outputs().size(); ++i) {
        if (node.output(i)) graph_.ReplaceAllUses(node.output(i), twin->output(i));
      }
      graph_.EraseNode(&node);
      return true;
    }
    known_.emplace(hash, &node);
    return false;
  }

  Graph& graph_;
  std::unordered_multimap<uint64_t, Node*> known_;
};

}  // namespace

Result<int> EliminateCommonSubexpressions(Graph& graph, const PassContext& /*context*/) {
  return ValueNumbering(graph).Run();
}

}  // namespace cairn
