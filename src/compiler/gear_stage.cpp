// SPDX-License-Identifier: Apache-2.0
// One program per gear, and the program that holds them.
#include "compiler/gear_stage.h"

#include <algorithm>

#include "compiler/import_stage.h"
#include "compiler/progress.h"

namespace cairn::compiler {
namespace {

using Gear = GearOptions::Gear;

/// The dims of the inputs, those named by the option first.
std::vector<int64_t> InputDims(const GearOptions& options, const Program& program) {
  std::vector<int64_t> dims;
  const auto append = [&](const ProgramIo& io) {
    dims.insert(dims.end(), io.dims.begin(), io.dims.end());
  };
  const auto is_named = [&](const std::string& name) {
    return std::ranges::any_of(options.open_shapes,
                               [&](const auto& shape) { return shape.first == name; });
  };
  for (const auto& [name, open] : options.open_shapes) {
    for (const ProgramIo& io : program.inputs) {
      if (io.name == name) append(io);
    }
  }
  for (const ProgramIo& io : program.inputs) {
    if (!is_named(io.name)) append(io);
  }
  return dims;
}

/// The most bytes of any gear, and -1 for dims in which `gear` differs from those before.
void Merge(const std::vector<ProgramIo>& gear, std::vector<ProgramIo>& all) {
  if (all.empty()) all = gear;
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].tensor = kNoTensor;
    all[i].bytes = std::max(all[i].bytes, gear[i].bytes);
    for (size_t d = 0; d < all[i].dims.size(); ++d) {
      if (all[i].dims[d] != gear[i].dims[d]) all[i].dims[d] = -1;
    }
  }
}

void AddGear(const GearOptions& options, const Gear& gear, const Program& program, Program& all) {
  if (all.gears.empty()) {
    all.compiler_version = program.compiler_version;
    all.soc_name = program.soc_name;
    all.isa = program.isa;
    all.c0 = program.c0;
    all.planned_cores = program.planned_cores;
    all.model_name = program.model_name;
  }
  ProgramGear record;
  record.values = gear.values;
  record.input_dims = InputDims(options, program);
  for (const ProgramIo& io : program.outputs)
    record.output_dims.insert(record.output_dims.end(), io.dims.begin(), io.dims.end());
  all.gears.push_back(std::move(record));
  all.arena_bytes = std::max(all.arena_bytes, program.arena_bytes);
  all.weights_bytes = std::max(all.weights_bytes, program.weights_bytes);
  Merge(program.inputs, all.inputs);
  Merge(program.outputs, all.outputs);
}

/// Marks the dims that the user left open and adds the input that chooses the gear.
void FinishInputs(const GearOptions& options, Program& all) {
  for (ProgramIo& io : all.inputs) {
    for (const auto& [name, open] : options.open_shapes) {
      if (io.name == name) io.dims = open;
    }
  }
  const auto count = static_cast<int64_t>(all.gears[0].values.size());
  all.inputs.push_back(
      {kGearInputName, ElementType::kI32, {count}, static_cast<uint64_t>(4 * count), kNoTensor});
}

/// Every gear must have the inputs and outputs of the first, with other dims at most.
bool SameInterface(const Program& program, const Program& all, ErrorReport& errors) {
  const auto same = [](const std::vector<ProgramIo>& a, const std::vector<ProgramIo>& b) {
    return std::ranges::equal(a, b, [](const ProgramIo& x, const ProgramIo& y) {
      return x.name == y.name && x.dtype == y.dtype && x.dims.size() == y.dims.size();
    });
  };
  if (all.gears.empty() ||
      (same(program.inputs, all.inputs) && same(program.outputs, all.outputs))) {
    return true;
  }
  errors.AddText("E10055",
                 "the rank or type of an output depends on the gear; compile one model "
                 "per shape instead");
  return false;
}

std::optional<BuiltModel> BuildGear(const CompileOptions& options,
                                    const onnx::ImportOptions& import, plan::WeightStore& weights,
                                    CompileReport& report) {
  auto model = OptimizeModel(options, import, report);
  if (!model) return std::nullopt;
  if (HasOpenInputs(*model->graph)) {
    report.errors.AddText("E10055", StrCat("every input needs its shape in --input_shape: ",
                                           DescribeOpenInputs(*model->graph)));
    return std::nullopt;
  }
  return PlanModel(options, std::move(*model), &weights, report);
}

}  // namespace

std::optional<BuiltModel> BuildGears(const CompileOptions& options, std::vector<std::byte>& program,
                                     CompileReport& report) {
  const GearOptions& gears = options.gears;
  Program all;
  all.schema_version = kDynamicSchemaVersion;
  all.shape_kind = gears.kind;
  plan::WeightStore weights;
  std::vector<std::vector<std::byte>> programs;
  std::optional<BuiltModel> largest;
  for (const Gear& gear : gears.gears) {
    Progress(options).Gear(gear.values, programs.size() + 1, gears.gears.size());
    onnx::ImportOptions import = options.import;
    import.input_shapes = gear.input_shapes;
    auto built = BuildGear(options, import, weights, report);
    if (!built) {
      report.errors.AddDetail(StrCat("while compiling gear [", StrJoin(gear.values), "]"));
      return std::nullopt;
    }
    const Program& planned = built->compiled.program;
    if (!SameInterface(planned, all, report.errors)) return std::nullopt;
    auto bytes = WriteProgram(planned);
    if (!bytes.ok()) {
      report.errors.AddText("E19999", bytes.status().ToString());
      return std::nullopt;
    }
    programs.push_back(std::move(*bytes));
    AddGear(gears, gear, planned, all);
    if (all.LargestGear() + 1 == programs.size()) largest = std::move(built);
  }
  FinishInputs(gears, all);
  auto bytes = WriteProgram(
      all, {std::vector<std::span<const std::byte>>(programs.begin(), programs.end())});
  if (!bytes.ok()) {
    report.errors.AddText("E19999", bytes.status().ToString());
    return std::nullopt;
  }
  program = std::move(*bytes);
  largest->compiled.weights = weights.Take();
  return largest;
}

}  // namespace cairn::compiler
