// SPDX-License-Identifier: Apache-2.0
// Stages become programs; nodes of unknown results are evaluated.
#include "specialize/specializer.h"

#include "kernels/isa.h"
#include "reference/interpreter.h"

namespace cairn::specialize {

Result<std::unique_ptr<Specializer>> Specializer::Create(std::span<const std::byte> program,
                                                         std::span<const std::byte> weights) {
  ASSIGN_OR_RETURN(const Program records, ReadProgram(program));
  std::unique_ptr<Specializer> result(new Specializer);
  ASSIGN_OR_RETURN(result->model_, ReadDynamicModel(records, weights));
  result->index_ = std::make_unique<ModelIndex>(*result->model_.graph);
  result->target_.name = records.soc_name;
  result->target_.given_name = records.soc_name;
  result->target_.isa = kernels::IsaName(static_cast<kernels::Isa>(records.isa));
  result->target_.num_cores = static_cast<int>(records.planned_cores);
  return result;
}

Status Specializer::CheckSymbols(const KnownTypes& known) const {
  struct Seen {
    int64_t value;
    std::string where;
  };
  std::map<std::string, Seen> seen;
  for (size_t i = 0; i < index_->inputs().size(); ++i) {
    const Value& input = *index_->values()[index_->inputs()[i]];
    const auto& type = known[index_->inputs()[i]];
    if (!type || !type->dims || !input.type().dims) continue;
    for (size_t axis = 0; axis < type->dims->size() && axis < input.type().dims->size(); ++axis) {
      const auto symbol = (*input.type().dims)[axis].symbol();
      if (!symbol) continue;
      const int64_t value = (*type->dims)[axis].value();
      const auto [it, added] =
          seen.try_emplace(*symbol, Seen{value, StrCat("axis ", axis, " of '", input.name(), "'")});
      if (added || it->second.value == value) continue;
      return Status(Code::kInvalidArgument,
                    StrCat("the inputs contradict each other: '", *symbol, "' is ",
                           it->second.value, " at ", it->second.where, " and ", value, " at axis ",
                           axis, " of '", input.name(), "'"));
    }
  }
  return OkStatus();
}

Result<Stage> Specializer::Plan(uint32_t begin, const KnownTypes& known) {
  if (begin == 0) RETURN_IF_ERROR(CheckSymbols(known));
  auto built = BuildStage(*index_, begin, known);
  if (!built.ok() && built.status().code() == Code::kInvalidModel) {
    return Status(Code::kInvalidArgument,
                  StrCat("the shapes do not fit the model: ", built.status().message()));
  }
  RETURN_IF_ERROR(built.status());
  Stage stage;
  stage.inputs = std::move(built->inputs);
  stage.outputs = std::move(built->outputs);
  stage.end = built->end;
  if (stage.outputs.empty()) {
    stage.inputs.clear();
    return stage;
  }
  plan::PlanOptions options;
  options.prepared = &model_.prepared;
  ASSIGN_OR_RETURN(plan::CompiledProgram planned,
                   plan::PlanProgram(*built->graph, target_, options));
  ASSIGN_OR_RETURN(stage.program, WriteProgram(planned.program));
  return stage;
}

Result<std::vector<Tensor>> Specializer::Evaluate(uint32_t node, std::vector<Tensor> inputs) const {
  return EvaluateNode(*index_->nodes()[node], std::move(inputs));
}

}  // namespace cairn::specialize
