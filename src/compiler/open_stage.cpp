// SPDX-License-Identifier: Apache-2.0
// Likely shapes, one planning that records its choices, and the program that holds the model.
#include "compiler/open_stage.h"

#include <algorithm>

#include "compiler/progress.h"
#include "kernels/isa.h"
#include "specialize/dynamic_model.h"
#include "specialize/stage.h"

namespace cairn::compiler {
namespace {

using Range = std::pair<int64_t, int64_t>;
using SymbolValues = std::map<std::string, int64_t>;

constexpr char kRangesAttribute[] = "ranges";

/// The range of one dim of an input.
Range RangeOf(const OpenOptions& options, const Value& input, size_t axis) {
  const Dim& dim = (*input.type().dims)[axis];
  if (dim.is_const()) return {dim.value(), dim.value()};
  const auto found = options.ranges.find(input.name());
  if (found == options.ranges.end() || axis >= found->second.size()) return {0, -1};
  return found->second[axis];
}

/// A size that is likely for a dim nobody told about.
int64_t LikelySize(size_t axis, size_t rank, int64_t fallback) {
  if (axis == 0) return 1;
  return rank == 4 && axis >= 2 ? 3 * fallback : fallback;
}

/// A number for every symbol of the inputs.
SymbolValues LikelyValues(const OpenOptions& options, const Graph& graph, int64_t fallback) {
  SymbolValues values;
  for (size_t i = 0; i < graph.inputs().size(); ++i) {
    const Value& input = *graph.inputs()[i];
    if (!input.type().dims) continue;
    const Dims& dims = *input.type().dims;
    const auto hint = options.hints.find(i);
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      const auto [low, high] = RangeOf(options, input, axis);
      int64_t value = std::max(low, LikelySize(axis, dims.size(), fallback));
      if (high >= 0) value = std::min(value, high);
      const bool hinted = hint != options.hints.end() && hint->second.size() == dims.size();
      if (hinted) value = hint->second[axis];
      for (const std::string& symbol : dims[axis].Symbols()) {
        if (hinted) {
          values[symbol] = value;
        } else {
          values.try_emplace(symbol, value);
        }
      }
    }
  }
  return values;
}

/// The types of the inputs with these symbol values; nothing when a dim cannot be had.
std::optional<specialize::KnownTypes> ConcreteInputs(const specialize::ModelIndex& index,
                                                     const SymbolValues& values) {
  specialize::KnownTypes known(index.values().size());
  for (uint32_t id : index.inputs()) {
    const TensorType& type = index.values()[id]->type();
    if (!type.dims) return std::nullopt;
    Dims dims;
    for (const Dim& dim : *type.dims) {
      const auto value = dim.Evaluate(values);
      if (!value.ok()) return std::nullopt;
      dims.push_back(Dim(*value));
    }
    known[id] = TensorType(type.dtype, std::move(dims));
  }
  return known;
}

/// Plans the model's first stage for likely shapes; the choices are recorded in options.prepared.
/// Nothing when the model refuses all shapes tried.
std::optional<plan::CompiledProgram> PlanLikely(const CompileOptions& options, const Graph& graph,
                                                const plan::PlanOptions& plan_options,
                                                plan::WeightStore& weights) {
  const specialize::ModelIndex index(graph);
  for (int64_t fallback : {64, 32, 128, 16, 256, 8, 1}) {
    const auto known =
        ConcreteInputs(index, LikelyValues(options.open, graph, fallback));
    if (!known) continue;
    auto stage = specialize::BuildStage(index, 0, *known);
    if (!stage.ok() || stage->outputs.empty()) continue;
    auto planned = plan::PlanProgram(*stage->graph, options.target, plan_options, &weights);
    if (planned.ok()) return std::move(*planned);
  }
  return std::nullopt;
}

/// Stores the large constants that nodes read.
specialize::ConstantOffsets StoreConstants(const Graph& graph, plan::WeightStore& weights) {
  specialize::ConstantOffsets offsets;
  for (const Value* value : graph.Values()) {
    if (!value->is_constant() || value->uses().empty()) continue;
    const Tensor& tensor = value->constant();
    if (tensor.num_bytes() <= specialize::kInlineConstantBytes ||
        ElementBits(tensor.dtype()) == 0) {
      continue;
    }
    offsets[value] = weights.Add({tensor.bytes(), tensor.num_bytes()});
  }
  return offsets;
}

ProgramIo OpenIo(const Value& value, std::string name) {
  ProgramIo io;
  io.name = std::move(name);
  io.dtype = value.type().dtype;
  if (value.type().dims) {
    for (const Dim& dim : *value.type().dims) io.dims.push_back(dim.is_const() ? dim.value() : -1);
  }
  return io;
}

/// The most bytes of a value when its symbols have their upper limits; 0: no limit.
uint64_t MostBytes(const TensorType& type, const SymbolValues& most) {
  if (!type.dims) return 0;
  std::vector<int64_t> dims;
  for (const Dim& dim : *type.dims) {
    const auto value = dim.Evaluate(most);
    if (!value.ok() || *value < 0) return 0;
    dims.push_back(*value);
  }
  const auto bytes = StorageBytes(type.dtype, Layout::kPlain, dims, 1);
  return bytes.ok() ? *bytes : 0;
}

/// The inputs and outputs, and the ranges of all input dims in turn.
std::vector<int64_t> DescribeIo(const CompileOptions& options, const OptimizedModel& model,
                                Program& program) {
  std::vector<int64_t> ranges;
  SymbolValues most;
  for (const Value* input : model.graph->inputs()) {
    program.inputs.push_back(OpenIo(*input, input->name()));
    if (!input->type().dims) continue;
    for (size_t axis = 0; axis < input->type().dims->size(); ++axis) {
      const auto [low, high] = RangeOf(options.open, *input, axis);
      ranges.insert(ranges.end(), {low, high});
      if (const auto symbol = (*input->type().dims)[axis].symbol(); symbol && high >= 0)
        most[*symbol] = high;
    }
  }
  for (size_t i = 0; i < program.inputs.size(); ++i)
    program.inputs[i].bytes = MostBytes(model.graph->inputs()[i]->type(), most);
  for (const Value* output : model.graph->outputs()) {
    program.outputs.push_back(OpenIo(*output, ""));
    program.outputs.back().bytes = MostBytes(output->type(), most);
  }
  return ranges;
}

/// What no open model can have.
bool CheckModel(const Graph& graph, ErrorReport& errors) {
  for (const auto* list : {&graph.inputs(), &graph.outputs()}) {
    for (const Value* value : *list) {
      const TensorType& type = value->type();
      const bool good = type.kind == ValueKind::kTensor && ElementBits(type.dtype) != 0 &&
                        (list == &graph.outputs() || type.has_rank());
      if (good) continue;
      errors.AddText("E10055", StrCat("'", value->name(), "' is ", type,
                                      "; inputs need a rank, inputs and outputs must be tensors of "
                                      "numbers"));
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<BuiltModel> BuildOpen(const CompileOptions& options, OptimizedModel model,
                                    std::vector<std::byte>& program, CompileReport& report) {
  const Graph& graph = *model.graph;
  if (!CheckModel(graph, report.errors)) return std::nullopt;
  plan::WeightStore weights;
  const specialize::ConstantOffsets offsets = StoreConstants(graph, weights);
  plan::PreparedForms prepared;
  prepared.recording = true;
  plan::PlanOptions plan_options = options.plan;
  plan_options.prepared = &prepared;
  auto likely = PlanLikely(options, graph, plan_options, weights);
  BuiltModel built;
  if (likely) {
    report.plan = likely->report;
    Progress(options).Planned(*likely);
    built.compiled = std::move(*likely);
  } else {
    report.errors.AddWarning("WARNING: no likely shape suits the model; kernels are chosen at run "
                             "time, see --input_hint_shape");
  }

  Program all;
  all.schema_version = kDynamicSchemaVersion;
  all.shape_kind = ShapeKind::kOpen;
  const auto isa = kernels::ParseIsa(options.target.isa);
  if (!isa) {
    report.errors.AddText("E10055", StrCat("'", options.target.isa, "' has no kernels"));
    return std::nullopt;
  }
  all.isa = static_cast<uint8_t>(*isa);
  all.c0 = static_cast<uint8_t>(kernels::VectorFloats(*isa));
  all.planned_cores = static_cast<uint32_t>(std::max(options.target.num_cores, 1));
  all.soc_name = options.target.given_name.empty() ? options.target.name : options.target.given_name;
  const std::vector<int64_t> ranges = DescribeIo(options, model, all);
  NameProgram(options, model.output_names, all);
  all.weights_bytes = weights.size();
  Task task = specialize::WriteDynamicModel(graph, offsets, prepared);
  task.attributes[kRangesAttribute] = ranges;
  all.tasks.push_back(std::move(task));
  auto bytes = WriteProgram(all);
  if (!bytes.ok()) {
    ReportStageFailure("plan", bytes.status(), report.errors);
    return std::nullopt;
  }
  program = std::move(*bytes);
  built.graph = std::move(model.graph);
  built.layouts = std::move(model.layouts);
  built.compiled.weights = weights.Take();
  return built;
}

}  // namespace cairn::compiler
