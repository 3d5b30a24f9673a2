// SPDX-License-Identifier: Apache-2.0
// The C face of online compilation: one operator in, one program out.
#include "abi/compiler_api.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "executable/program.h"
#include "frontend/singleop/operator.h"
#include "passes/pass.h"
#include "plan/plan.h"
#include "target/target_spec.h"

namespace cairn::compiler {
namespace {

int32_t ResultOf(Code code) {
  switch (code) {
    case Code::kOk:
      return kCairnAbiCompiled;
    case Code::kNotFound:
      return kCairnAbiUnknownOperator;
    case Code::kInvalidArgument:
      return kCairnAbiInvalidOperator;
    case Code::kFailedPrecondition:
      return kCairnAbiNeedsConstant;
    default:
      return kCairnAbiFailed;
  }
}

Shape ShapeOf(const CairnAbiOperand& operand) {
  return Shape(operand.dims, operand.dims + std::max(operand.rank, 0));
}

Result<singleop::InputOperand> ToInput(const CairnAbiOperand& operand, uint64_t index) {
  singleop::InputOperand input;
  input.dtype = static_cast<ElementType>(operand.dtype);
  input.shape = ShapeOf(operand);
  if (operand.constant == nullptr) return input;
  ASSIGN_OR_RETURN(input.constant, Tensor::Allocate(input.dtype, input.shape));
  if (operand.constant_bytes < input.constant.num_bytes())
    return Status(Code::kInvalidArgument,
                  StrCat("input ", index, " needs ", input.constant.num_bytes(),
                         " bytes of constant elements, ", operand.constant_bytes, " are given"));
  std::memcpy(input.constant.mutable_bytes(), operand.constant, input.constant.num_bytes());
  return input;
}

Attribute ToAttribute(const CairnAbiAttribute& attribute) {
  switch (attribute.kind) {
    case kCairnAbiFloat:
      return static_cast<float>(attribute.f);
    case kCairnAbiString:
      return std::string(attribute.s);
    case kCairnAbiInts:
      return Ints(attribute.ints, attribute.ints + attribute.count);
    case kCairnAbiFloats:
      return Floats(attribute.floats, attribute.floats + attribute.count);
    default:
      return attribute.i;
  }
}

Result<singleop::Operator> ToOperator(const CairnAbiOperator& from) {
  singleop::Operator op;
  op.type = from.type;
  for (uint64_t i = 0; i < from.num_inputs; ++i) {
    ASSIGN_OR_RETURN(singleop::InputOperand input, ToInput(from.inputs[i], i));
    op.inputs.push_back(std::move(input));
  }
  for (uint64_t i = 0; i < from.num_outputs; ++i) {
    singleop::OutputOperand output;
    output.dtype = static_cast<ElementType>(from.outputs[i].dtype);
    if (from.outputs[i].rank >= 0) output.shape = ShapeOf(from.outputs[i]);
    op.outputs.push_back(std::move(output));
  }
  for (uint64_t i = 0; i < from.num_attributes; ++i)
    op.attributes[from.attributes[i].name] = ToAttribute(from.attributes[i]);
  return op;
}

Status Compile(const CairnAbiOperator& from, int32_t num_cores, CairnAbiProgramSink sink,
               void* context) {
  ASSIGN_OR_RETURN(const singleop::Operator op, ToOperator(from));
  ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, singleop::BuildGraph(op));
  RETURN_IF_ERROR(RunPasses(*graph, {}).status());
  ASSIGN_OR_RETURN(target::TargetSpec target, target::FindTarget("native"));
  target.num_cores = std::max(num_cores, 1);
  ASSIGN_OR_RETURN(plan::CompiledProgram compiled, plan::PlanProgram(*graph, target, {}));
  compiled.program.compiler_version = CAIRN_VERSION;
  compiled.program.model_name = op.type;
  ASSIGN_OR_RETURN(const std::vector<std::byte> program, WriteProgram(compiled.program));
  sink(context, program.data(), program.size(), compiled.weights.data(), compiled.weights.size());
  return OkStatus();
}

int32_t CompileOperator(const CairnAbiOperator* op, int32_t num_cores, CairnAbiProgramSink sink,
                        void* context, char* error, size_t error_bytes) {
  Status status;
  try {
    status = Compile(*op, num_cores, sink, context);
  } catch (const std::bad_alloc&) {
    status = Status(Code::kOutOfMemory, "out of memory while compiling an operator");
  } catch (const std::exception& exception) {
    status = Status(Code::kInternal, exception.what());
  }
  if (!status.ok() && error_bytes > 0) {
    const size_t length = std::min(status.message().size(), error_bytes - 1);
    std::memcpy(error, status.message().data(), length);
    error[length] = '\0';
  }
  return ResultOf(status.code());
}

}  // namespace
}  // namespace cairn::compiler

extern "C" __attribute__((visibility("default"))) const CairnCompilerApi* cairn_compiler_api(void) {
  static const CairnCompilerApi api = {CAIRN_COMPILER_API_VERSION,
                                       cairn::compiler::CompileOperator};
  return &api;
}
