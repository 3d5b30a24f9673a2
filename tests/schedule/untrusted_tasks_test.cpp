// SPDX-License-Identifier: Apache-2.0
// Tasks of damaged or malicious files: binding refuses them, or their run stays inside the
// operands. The sanitizer build of this test is what shows a violation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "schedule/kernel_binding.h"
#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

/// Programs that together name every kernel.
std::vector<plan::CompiledProgram> Programs() {
  std::vector<plan::CompiledProgram> programs;
  auto add = [&programs](NodeGraph& g, bool precise = false) {
    plan::PlanOptions options;
    options.exact.all = precise;
    auto compiled = plan::PlanProgram(*g, HostTarget(2), options);
    ASSERT_TRUE(compiled.ok()) << compiled.status().ToString();
    programs.push_back(std::move(*compiled));
  };
  {
    NodeGraph g;
    Value* y = g.Op("Conv", {g.Input({1, 3, 12, 12}), g.Weights({21, 3, 3, 3}), g.Weights({21})});
    Value* z = g.Op("Conv", {y, g.Weights({21, 21, 3, 3})}, {{"pads", Ints{1, 1, 1, 1}}});
    z = g.Op("Conv", {z, g.Weights({21, 1, 3, 3})}, {{"group", int64_t{21}}});
    z = g.Op("ConvTranspose", {z, g.Weights({21, 16, 2, 2})}, {{"strides", Ints{2, 2}}});
    z = g.Op("AveragePool", {z}, {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}});
    z = g.Op("Pad", {z, g.IntList({0, 0, 1, 2, 0, 0, 3, 1})});
    z = g.Op("Resize", {z, nullptr, nullptr, g.IntList({1, 16, 9, 31})},
             {{"mode", std::string("linear")}});
    g.Output(g.Op("GlobalAveragePool", {z}));
    g.Output(g.Op("Transpose", {z}, {{"perm", Ints{0, 2, 3, 1}}}));
    add(g);
  }
  {
    NodeGraph g;
    Value* y = g.Op("Conv", {g.Input({1, 32, 20, 20}), g.Weights({32, 32, 3, 3}), g.Weights({32})});
    g.Output(g.Op("Exp", {g.Op("Mul", {y, g.Input({1, 1, 18, 18})})}));
    add(g, true);
  }
  {
    NodeGraph g;
    Value* x = g.Input({2, 6, 24});
    Value* y = g.Op("MatMul", {x, g.Weights({24, 24})});
    y = g.Op("Attention", {y, y, y, g.Input({6, 6})},
             {{"q_num_heads", int64_t{3}}, {"kv_num_heads", int64_t{3}}});
    y = g.Op("LayerNormalization", {y, g.Weights({24}), g.Weights({24})});
    g.Output(g.Op("Softmax", {y}, {{"axis", int64_t{1}}}));
    g.Output(g.Op("ArgMax", {y}));
    g.Output(g.Op("MatMul", {y, g.Input({2, 24, 5})}));
    g.Output(g.Op("ReduceSum", {y, g.IntList({0, 2})}));
    g.Output(g.Op("InstanceNormalization", {y, g.Weights({6}), g.Weights({6})}));
    g.Output(g.Op("LRN", {y}, {{"size", int64_t{3}}}));
    add(g);
  }
  {
    NodeGraph g;
    Value *x = g.Input({4, 5, 6}), *i = g.Input({3, 2}, ElementType::kI64);
    g.Output(g.Op("Gather", {x, i}, {{"axis", int64_t{1}}}));
    g.Output(
        g.Op("GatherElements", {x, g.Input({4, 2, 6}, ElementType::kI64)}, {{"axis", int64_t{1}}}));
    g.Output(g.Op("GatherND", {x, i}));
    g.Output(g.Op("ScatterND", {x, i, g.Input({3, 6})}));
    g.Output(
        g.Op("ScatterElements", {x, g.Input({1, 5, 6}, ElementType::kI64), g.Input({1, 5, 6})}));
    g.Output(g.Op("Where", {g.Input({5, 1}, ElementType::kBool), g.Input({6}, ElementType::kI64),
                            g.Input({5, 6}, ElementType::kI64)}));
    g.Output(g.Op("Cast", {i}, {{"to", TensorType(ElementType::kI32)}}));
    g.Output(g.Op("Tile", {x, g.IntList({2, 1, 3})}));
    g.Output(g.Op("Concat", {x, x}, {{"axis", int64_t{2}}}));
    add(g);
  }
  return programs;
}

int64_t StrangeNumber(Dice& dice, int64_t old) {
  const auto bits = static_cast<uint64_t>(old);  // Wraps around.
  switch (dice.Between(0, 6)) {
    case 0:
      return static_cast<int64_t>(bits + 1);
    case 1:
      return static_cast<int64_t>(bits - 1);
    case 2:
      return static_cast<int64_t>(-bits);
    case 3:
      return 0;
    case 4:
      return static_cast<int64_t>(bits * 2);
    case 5:
      return dice.Between(-3, 40);
    default:
      return dice.OneOf<int64_t>({INT64_MAX, INT64_MIN, int64_t{1} << 32, -1});
  }
}

void ChangeAttribute(Dice& dice, Task& task) {
  if (task.attributes.empty()) return;
  auto it = task.attributes.begin();
  std::advance(it, dice.Between(0, static_cast<int64_t>(task.attributes.size()) - 1));
  if (auto* number = std::get_if<int64_t>(&it->second)) {
    *number = StrangeNumber(dice, *number);
  } else if (auto* list = std::get_if<std::vector<int64_t>>(&it->second)) {
    if (list->empty() || dice.Between(0, 9) == 0) {
      list->push_back(1);
    } else {
      int64_t& entry =
          (*list)[static_cast<size_t>(dice.Between(0, static_cast<int64_t>(list->size()) - 1))];
      entry = StrangeNumber(dice, entry);
    }
  } else if (auto* real = std::get_if<double>(&it->second)) {
    *real = dice.OneOf({0.0, -1.0, 1e300, 1e-300});
  } else if (auto* reals = std::get_if<std::vector<double>>(&it->second)) {
    if (dice.Coin()) reals->push_back(-1);
    if (!reals->empty()) reals->front() = dice.OneOf({0.0, -1.0, 1e30, 0.01});
  }
}

/// Another extent for one axis; the sizes stay consistent, as a reader checks them.
void ChangeDims(Dice& dice, Program& program) {
  ProgramTensor& tensor = program.tensors[static_cast<size_t>(
      dice.Between(0, static_cast<int64_t>(program.tensors.size()) - 1))];
  if (tensor.dims.empty()) return;
  int64_t& dim =
      tensor
          .dims[static_cast<size_t>(dice.Between(0, static_cast<int64_t>(tensor.dims.size()) - 1))];
  dim = tensor.layout == Layout::kPacked ? StrangeNumber(dice, dim)
                                         : std::max<int64_t>(0, dim + dice.Between(-2, 20));
  if (tensor.layout == Layout::kPacked) return;
  auto bytes = StorageBytes(tensor.dtype, tensor.layout, tensor.dims, program.c0);
  if (bytes.ok()) tensor.bytes = *bytes;
  if (tensor.storage == Storage::kArena) {
    program.arena_bytes = std::max(program.arena_bytes, tensor.offset + tensor.bytes);
  }
}

void ChangeOperand(Dice& dice, const Program& program, Task& task) {
  auto& list = dice.Coin() ? task.inputs : task.outputs;
  if (list.empty()) return;
  uint32_t& operand =
      list[static_cast<size_t>(dice.Between(0, static_cast<int64_t>(list.size()) - 1))];
  operand = dice.Between(0, 5) == 0 ? kNoTensor
                                    : static_cast<uint32_t>(dice.Between(
                                          0, static_cast<int64_t>(program.tensors.size()) - 1));
}

/// Memory of exactly the given size and 64-byte aligned, as a sanitizer wants it.
using Memory = std::unique_ptr<std::byte, void (*)(void*)>;
Memory Allocate(uint64_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, std::max<uint64_t>(bytes, 1)) != 0) memory = nullptr;
  return Memory(static_cast<std::byte*>(memory), std::free);
}

/// Runs a task whose operands each lie in memory of their own; the outcome does not matter.
void RunApart(const Program& program, const Task& task, const schedule::BoundTask& bound,
              const std::vector<std::byte>& weights, Dice& dice) {
  const int fill = dice.OneOf({0, 0x41, 0xFF});
  std::vector<Memory> memory;
  std::vector<void*> operands;
  for (const auto* list : {&task.inputs, &task.outputs}) {
    for (uint32_t id : *list) {
      operands.push_back(nullptr);
      if (id == kNoTensor) continue;
      const ProgramTensor& tensor = program.tensors[id];
      memory.push_back(Allocate(tensor.bytes));
      operands.back() = memory.back().get();
      if (tensor.bytes == 0) continue;
      std::memset(operands.back(), fill, tensor.bytes);
      if (tensor.storage == Storage::kWeights) {
        std::memcpy(operands.back(), weights.data() + tensor.offset, tensor.bytes);
      }
    }
  }
  const Memory scratch = Allocate(bound.scratch_bytes);
  for (int phase = 0; phase < bound.num_phases; ++phase) {
    for (int part = 0; part < bound.max_parts; ++part) {
      (void)bound.run(bound.state.get(), operands.data(), scratch.get(), phase,
                      {part, bound.max_parts});
    }
  }
}

/// Verifies the program as a reader does, binds every task and runs those that bind. Returns how
/// many.
int BindAndRun(const Program& changed, const std::vector<std::byte>& weights, Dice& dice) {
  constexpr uint64_t kMostBytes = 16u << 20;
  auto bytes = WriteProgram(changed);
  if (!bytes.ok()) return 0;
  auto program = ReadProgram(*bytes);
  if (!program.ok()) return 0;
  for (const ProgramTensor& tensor : program->tensors) {
    if (tensor.bytes > kMostBytes) return 0;
  }
  int ran = 0;
  for (const Task& task : program->tasks) {
    if (task.kernel == "reference") continue;
    auto bound = schedule::BindTask({*program, task, static_cast<kernels::Isa>(program->isa), 2});
    if (!bound.ok() || bound->scratch_bytes > 4 * kMostBytes) continue;
    RunApart(*program, task, *bound, weights, dice);
    ++ran;
  }
  return ran;
}

TEST(UntrustedTasks, ChangedTasksNeverLeaveTheirOperands) {
  const auto programs = Programs();
  int ran = 0, refused = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Dice dice(seed);
    const auto& original = programs[seed % programs.size()];
    Program program = original.program;
    const int64_t changes = dice.Between(1, 3);
    for (int64_t i = 0; i < changes; ++i) {
      Task& task = program.tasks[static_cast<size_t>(
          dice.Between(0, static_cast<int64_t>(program.tasks.size()) - 1))];
      task.max_parts = 2;
      switch (dice.Between(0, 3)) {
        case 0:
        case 1:
          ChangeAttribute(dice, task);
          break;
        case 2:
          ChangeDims(dice, program);
          break;
        default:
          ChangeOperand(dice, program, task);
          break;
      }
    }
    SCOPED_TRACE(seed);
    const int count = BindAndRun(program, original.weights, dice);
    ran += count;
    refused += static_cast<int>(program.tasks.size()) - count;
  }
  // Both outcomes occur, or the changes would test nothing.
  EXPECT_GT(ran, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace cairn::testing
