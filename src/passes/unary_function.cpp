// SPDX-License-Identifier: Apache-2.0
// Growing and sampling of unary clusters.
#include "passes/unary_function.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr size_t kMaxNodes = 20;

double Clamp(double x, double low, double high) {
  if (std::isnan(x)) return x;
  return std::min(std::max(x, low), high);
}

using UnaryFn = double (*)(const Node& node, double a);
using BinaryFn = double (*)(double a, double b);

struct UnaryEntry {
  std::string_view op;
  UnaryFn fn;
};
struct BinaryEntry {
  std::string_view op;
  BinaryFn fn;
};

constexpr UnaryEntry kUnary[] = {
    {"Neg", [](const Node&, double a) { return -a; }},
    {"Abs", [](const Node&, double a) { return std::fabs(a); }},
    {"Exp", [](const Node&, double a) { return std::exp(a); }},
    {"Log", [](const Node&, double a) { return std::log(a); }},
    {"Erf", [](const Node&, double a) { return std::erf(a); }},
    {"Tanh", [](const Node&, double a) { return std::tanh(a); }},
    {"Sqrt", [](const Node&, double a) { return std::sqrt(a); }},
    {"Reciprocal", [](const Node&, double a) { return 1 / a; }},
    {"Relu", [](const Node&, double a) { return a < 0 ? 0 : a; }},
    {"Sigmoid", [](const Node&, double a) { return 1 / (1 + std::exp(-a)); }},
    {"Softplus", [](const Node&, double a) { return a > 30 ? a : std::log1p(std::exp(a)); }},
    {"HardSigmoid",
     [](const Node& node, double a) {
       return Clamp(static_cast<double>(node.GetFloat("alpha", 0.2f)) * a +
                        static_cast<double>(node.GetFloat("beta", 0.5f)),
                    0, 1);
     }},
    {"HardSwish", [](const Node&, double a) { return a * Clamp(a / 6 + 0.5, 0, 1); }},
};

constexpr BinaryEntry kBinary[] = {
    {"Add", [](double a, double b) { return a + b; }},
    {"Sub", [](double a, double b) { return a - b; }},
    {"Mul", [](double a, double b) { return a * b; }},
    {"Div", [](double a, double b) { return a / b; }},
    {"Pow", [](double a, double b) { return std::pow(a, b); }},
    {"Min", [](double a, double b) { return std::isnan(a) || a < b ? a : b; }},
    {"Max", [](double a, double b) { return std::isnan(a) || a > b ? a : b; }},
};

const UnaryEntry* FindUnary(std::string_view op) {
  const auto* it = std::find_if(std::begin(kUnary), std::end(kUnary),
                                [&](const UnaryEntry& entry) { return entry.op == op; });
  return it == std::end(kUnary) ? nullptr : it;
}

const BinaryEntry* FindBinary(std::string_view op) {
  const auto* it = std::find_if(std::begin(kBinary), std::end(kBinary),
                                [&](const BinaryEntry& entry) { return entry.op == op; });
  return it == std::end(kBinary) ? nullptr : it;
}

bool IsScalarConstant(const Value* value) { return SplatOf(value).has_value(); }

/// An element-wise node that Evaluate knows, with the type of `like`.
bool CanJoin(const Node* node, const Value* like) {
  if (!node || node->epilogue() || node->outputs().size() != 1) return false;
  if (!SameType(node->output(), like)) return false;
  if (node->op() == "Clip") {
    return (!node->input(1) || IsScalarConstant(node->input(1))) &&
           (!node->input(2) || IsScalarConstant(node->input(2)));
  }
  if (FindUnary(node->op())) return node->num_formal_inputs() == 1;
  return FindBinary(node->op()) && node->num_formal_inputs() == 2;
}

/// Agreement needed, relative to the size of the numbers involved: constants of the graph were
/// rounded to its type.
double Tolerance(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBf16 ? 2e-3 : 1e-6;
}

}  // namespace

double UnaryFunction::operator()(double x) const {
  double results[kMaxNodes];
  // Producers come last in nodes_.
  const auto read = [&](const Value* value) {
    if (value == variable_) return x;
    if (const auto splat = SplatOf(value)) return *splat;
    const auto it = std::find(nodes_.begin(), nodes_.end(), value->producer());
    return results[it - nodes_.begin()];
  };
  for (size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = *nodes_[i];
    const double a = read(node.input(0));
    if (node.op() == "Clip") {
      results[i] = Clamp(a, node.input(1) ? read(node.input(1)) : -HUGE_VAL,
                         node.input(2) ? read(node.input(2)) : HUGE_VAL);
    } else if (const UnaryEntry* unary = FindUnary(node.op())) {
      results[i] = unary->fn(node, a);
    } else {
      results[i] = FindBinary(node.op())->fn(a, read(node.input(1)));
    }
  }
  return results[0];
}

bool UnaryFunction::Agrees(const std::function<double(double)>& other,
                           std::initializer_list<double> more) const {
  static constexpr double kSamples[] = {
      0.83, -1.37, 2.9, -3.1, 0,  0.001, -0.001, 0.1,  -0.1, 0.25, -0.25, 0.5,  -0.5, 0.7,
      -0.7, 1,     -1,  1.5,  -2, 2,     -2.5,   2.5,  3,    -3,   3.5,   -3.5, 4,    -4,
      4.4,  -4.7,  5,   -5.2, 6,  -6.3,  7.7,    -8.1, 10,   -11,  15,    -20,  30,   -40};
  const double tolerance = Tolerance(root()->output()->type().dtype);
  const auto agrees = [&](double x) {
    const double ours = (*this)(x), theirs = other(x);
    const double scale = std::fabs(theirs) + 0.05 * std::fabs(x) + 0.01;
    return std::fabs(ours - theirs) <= tolerance * scale;
  };
  return std::all_of(std::begin(kSamples), std::end(kSamples), agrees) &&
         std::all_of(more.begin(), more.end(), agrees);
}

class ClusterGrower {
 public:
  ClusterGrower(Node& root, std::initializer_list<std::string_view> signature)
      : root_(root), signature_(signature) {
    Include(root);
  }

  std::optional<UnaryFunction> Run(const std::function<bool(const UnaryFunction&)>& is_wanted) {
    std::optional<UnaryFunction> best;
    while (true) {
      if (frontier_.size() == 1 && signed_ && function_.nodes_.size() > 1 &&
          SameType(frontier_[0], root_.output())) {
        function_.variable_ = frontier_[0];
        if (is_wanted(function_)) best = function_;
      }
      if (function_.nodes_.size() == kMaxNodes || !Expand()) return best;
    }
  }

 private:
  void Include(Node& node) {
    function_.nodes_.push_back(&node);
    signed_ =
        signed_ || std::find(signature_.begin(), signature_.end(), node.op()) != signature_.end();
    for (Value* input : node.inputs()) {
      if (!input || IsScalarConstant(input)) continue;
      if (std::find(frontier_.begin(), frontier_.end(), input) == frontier_.end()) {
        frontier_.push_back(input);
      }
    }
  }

  bool ReadByClusterOnly(const Value* value) const {
    if (value->is_graph_output()) return false;
    const auto& uses = value->uses();
    return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
      return std::find(function_.nodes_.begin(), function_.nodes_.end(), use.node) !=
             function_.nodes_.end();
    });
  }

  /// Takes in the producer of one value of the frontier.
  bool Expand() {
    for (size_t i = 0; i < frontier_.size(); ++i) {
      Value* value = frontier_[i];
      if (!CanJoin(value->producer(), root_.output()) || !ReadByClusterOnly(value)) continue;
      frontier_.erase(frontier_.begin() + static_cast<std::ptrdiff_t>(i));
      Include(*value->producer());
      return true;
    }
    return false;
  }

  Node& root_;
  std::initializer_list<std::string_view> signature_;
  bool signed_ = false;
  UnaryFunction function_;
  std::vector<Value*> frontier_;
};

std::optional<UnaryFunction> FindUnaryFunction(
    Node& root, std::initializer_list<std::string_view> signature,
    const std::function<bool(const UnaryFunction&)>& is_wanted) {
  const Value* y = root.output();
  if (!y || !y->type().dims || !IsPlainFloat(y->type().dtype) || !CanJoin(&root, y)) {
    return std::nullopt;
  }
  return ClusterGrower(root, signature).Run(is_wanted);
}

Status ReplaceCluster(Graph& graph, const UnaryFunction& function, const std::string& op,
                      Attributes attributes) {
  Node* root = function.root();
  const std::vector<const Node*> from(function.nodes().rbegin(), function.nodes().rend());
  ASSIGN_OR_RETURN(Node * node, BuildNode(graph, op, "", {function.variable()},
                                          std::move(attributes), root, from));
  const std::string name = root->name();
  RETURN_IF_ERROR(TakeOver(graph, root->output(), node->output()));
  if (!graph.FindNode(name)) graph.Rename(node, name);
  return OkStatus();
}

}  // namespace cairn
