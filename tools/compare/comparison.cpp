// SPDX-License-Identifier: Apache-2.0
// Matching of tasks and nodes through the names of the model's nodes.
#include "compare/comparison.h"

#include <algorithm>
#include <map>
#include <set>

#include "compare/stepper.h"
#include "reference/interpreter.h"

namespace cairn::compare {
namespace {

/// What the reference computed for a value of the original model.
struct Golden {
  const Node* node;
  size_t output;
  Tensor tensor;
};

Shape WithoutOnes(Shape shape) {
  std::erase(shape, 1);
  return shape;
}

bool IsFrom(const Node& node, const std::set<std::string>& names) {
  if (node.origins().empty()) return names.count(node.name()) > 0;
  return std::all_of(node.origins().begin(), node.origins().end(),
                     [&](const std::string& origin) { return names.count(origin) > 0; });
}

class Matcher {
 public:
  explicit Matcher(const Graph& graph) : graph_(graph) {}

  Result<std::vector<Tensor>> RunGolden(const std::vector<Tensor>& inputs) {
    return RunReference(graph_, inputs,
                        [this](const Node& node, const std::vector<Tensor>& outputs) {
                          for (size_t i = 0; i < outputs.size(); ++i)
                            if (outputs[i].defined()) goldens_.push_back({&node, i, outputs[i]});
                        });
  }

  /// The last value among the task's nodes that others read, of the same shape; null when none is.
  const Golden* Find(const Task& task, const Tensor& actual) const {
    std::set<std::string> names(task.origins.begin(), task.origins.end());
    if (names.empty()) names.insert(task.name);
    const Golden* found = nullptr;
    for (const Golden& golden : goldens_) {
      if (!IsFrom(*golden.node, names) || !IsReadOutside(golden, names)) continue;
      if (WithoutOnes(golden.tensor.shape()) != WithoutOnes(actual.shape())) continue;
      found = &golden;
    }
    return found;
  }

 private:
  bool IsReadOutside(const Golden& golden, const std::set<std::string>& names) const {
    const Value* value = golden.node->output(golden.output);
    if (value == nullptr) return false;
    if (value->is_graph_output()) return true;
    for (const Node* node : graph_.Nodes()) {
      const auto& inputs = node->inputs();
      if (std::find(inputs.begin(), inputs.end(), value) != inputs.end() && !IsFrom(*node, names))
        return true;
    }
    return false;
  }

  const Graph& graph_;
  std::vector<Golden> goldens_;
};

void Fill(const Tensor& actual, const Tensor& golden, Row& row) {
  row.dtype = actual.dtype();
  row.golden_dtype = golden.dtype();
  row.shape = ShapeToString(actual.shape());
  if (actual.num_elements() != golden.num_elements()) {
    row.reason = StrCat("shapes differ: ", row.shape, " and ", ShapeToString(golden.shape()));
    return;
  }
  row.metrics = Compare(actual, golden);
  row.error = PrecisionError(row.metrics);
}

Result<Tensor> Sorted(const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.num_elements(); ++i) values.push_back(tensor.GetDouble(i));
  std::sort(values.begin(), values.end());
  ASSIGN_OR_RETURN(Tensor sorted, Tensor::Allocate(tensor.dtype(), tensor.shape()));
  for (int64_t i = 0; i < tensor.num_elements(); ++i)
    sorted.SetDouble(i, values[static_cast<size_t>(i)]);
  return sorted;
}

/// Whether both hold the same values in another order: a pass moved a transpose over the node.
bool IsReordered(const Tensor& actual, const Tensor& golden) {
  if (!IsFloat(actual.dtype()) || actual.num_elements() != golden.num_elements()) return false;
  const auto a = Sorted(actual), b = Sorted(golden);
  return a.ok() && b.ok() && Compare(*a, *b).relative_euclidean_distance < 1e-4;
}

Row CompareTask(const Matcher& matcher, const Task& task, size_t output, const Tensor& actual) {
  Row row;
  row.task = task.name;
  row.op_type = task.op_type;
  row.kernel = task.kernel;
  row.tensor = StrCat(task.name, ":output:", output);
  const Golden* golden = matcher.Find(task, actual);
  row.golden = golden == nullptr ? "*" : golden->node->name();
  row.dtype = actual.dtype();
  row.shape = ShapeToString(actual.shape());
  if (golden == nullptr) {
    row.reason = "no value of the original model corresponds";
    return row;
  }
  Fill(actual, golden->tensor, row);
  if (!row.error.empty() && IsReordered(actual, golden->tensor)) {
    row.error.clear();
    row.reason = "the same values in another order: a pass moved a transpose";
  }
  return row;
}

}  // namespace

Result<Comparison> CompareModels(const Graph& graph, const Program& program,
                                 std::span<const std::byte> weights,
                                 const std::vector<Tensor>& inputs) {
  Matcher matcher(graph);
  ASSIGN_OR_RETURN(const std::vector<Tensor> golden, matcher.RunGolden(inputs));
  Comparison comparison;
  ASSIGN_OR_RETURN(
      const std::vector<Tensor> actual,
      RunStepwise(program, weights, inputs, [&](const Task& task, const std::vector<Tensor>& outs) {
        for (size_t i = 0; i < outs.size(); ++i)
          if (outs[i].defined()) comparison.rows.push_back(CompareTask(matcher, task, i, outs[i]));
      }));
  if (actual.size() != golden.size())
    return Status(Code::kInvalidArgument,
                  StrCat("the compiled model has ", actual.size(), " outputs, the original ",
                         golden.size(), ": they are not the same model"));
  for (size_t i = 0; i < actual.size(); ++i) {
    Row row;
    row.task = "Node_Output";
    row.golden = graph.output_name(i);
    row.tensor = StrCat(row.golden, ":output:", i);
    row.is_model_output = true;
    Fill(actual[i], golden[i], row);
    if (!row.error.empty() || !row.reason.empty()) comparison.outputs_agree = false;
    comparison.rows.push_back(std::move(row));
  }
  if (comparison.outputs_agree) return comparison;
  const auto bad = std::find_if(comparison.rows.begin(), comparison.rows.end(),
                                [](const Row& row) { return !row.error.empty(); });
  if (bad != comparison.rows.end())
    comparison.first_bad = static_cast<size_t>(bad - comparison.rows.begin());
  return comparison;
}

}  // namespace cairn::compare
