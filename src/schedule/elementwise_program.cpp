// SPDX-License-Identifier: Apache-2.0
// Converts element-wise programs to attributes and back.
#include "schedule/elementwise_program.h"

namespace cairn::schedule {
namespace {

constexpr size_t kInstructionInts = 5;

bool IsByte(int64_t value) { return value >= 0 && value <= 255; }

Status Malformed(const char* what) {
  return Status(Code::kDataCorrupt, StrCat("attribute 'program' is malformed: ", what));
}

}  // namespace

void EncodeProgram(const kernels::EltProgram& program, TaskAttributes& attributes) {
  std::vector<int64_t> ints = {program.num_inputs, program.num_outputs};
  for (int i = 0; i < program.num_outputs; ++i) {
    ints.push_back(program.outputs[static_cast<size_t>(i)]);
  }
  for (int i = 0; i < program.num_instructions; ++i) {
    const kernels::EltInstruction& code = program.code[static_cast<size_t>(i)];
    ints.insert(ints.end(), {static_cast<int64_t>(code.op), code.dst, code.a, code.b, code.c});
  }
  attributes["program"] = std::move(ints);
  attributes["constants"] = std::vector<double>(program.constants.begin(),
                                                program.constants.begin() + program.num_constants);
}

Result<kernels::EltProgram> DecodeProgram(const Task& task) {
  const std::vector<int64_t> ints = task.GetInts("program");
  std::vector<double> constants;
  if (auto it = task.attributes.find("constants"); it != task.attributes.end()) {
    if (const auto* list = std::get_if<std::vector<double>>(&it->second)) constants = *list;
  }
  if (ints.size() < 2) return Malformed("it has no header");
  if (ints[0] < 0 || ints[0] > kernels::kEltMaxInputs) return Malformed("number of inputs");
  if (ints[1] < 1 || ints[1] > kernels::kEltMaxOutputs) return Malformed("number of outputs");
  if (constants.size() > kernels::kEltMaxConstants) return Malformed("too many constants");
  const auto num_outputs = static_cast<size_t>(ints[1]);
  if (ints.size() < 2 + num_outputs || (ints.size() - 2 - num_outputs) % kInstructionInts != 0) {
    return Malformed("its length");
  }
  const size_t num_instructions = (ints.size() - 2 - num_outputs) / kInstructionInts;
  if (num_instructions > kernels::kEltMaxInstructions) return Malformed("too many instructions");
  for (size_t i = 2; i < ints.size(); ++i) {
    if (!IsByte(ints[i])) return Malformed("a number is out of range");
  }

  kernels::EltProgram program{};
  program.num_inputs = static_cast<int32_t>(ints[0]);
  program.num_outputs = static_cast<int32_t>(ints[1]);
  program.num_constants = static_cast<int32_t>(constants.size());
  program.num_instructions = static_cast<int32_t>(num_instructions);
  for (size_t i = 0; i < num_outputs; ++i) program.outputs[i] = static_cast<uint8_t>(ints[2 + i]);
  for (size_t i = 0; i < constants.size(); ++i) {
    program.constants[i] = static_cast<float>(constants[i]);
  }
  for (size_t i = 0; i < num_instructions; ++i) {
    const int64_t* at = ints.data() + 2 + num_outputs + i * kInstructionInts;
    program.code[i] = {static_cast<kernels::EltOp>(at[0]), static_cast<uint8_t>(at[1]),
                       static_cast<uint8_t>(at[2]), static_cast<uint8_t>(at[3]),
                       static_cast<uint8_t>(at[4])};
  }
  RETURN_IF_ERROR(kernels::ValidateProgram(program));
  return program;
}

}  // namespace cairn::schedule
