// SPDX-License-Identifier: Apache-2.0
// Tasks of damaged or malicious files: binding refuses them, or their run stays inside the operands.
// The sanitizer build of this test is what shows a violation.
#include <gtest/gtest.h>

#include <cstring>

#include "devices/cpu/cpu_device.h"
#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

/// Programs that together name every kernel.
std::vector<plan::CompiledProgram> Programs() {
  std::vector<plan::CompiledProgram> programs;
  auto add = [&programs](NodeGraph& g, bool precise = false) {
    plan::PlanOptions options;
    options.high_precision = precise;
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
    g.Output(g.Op("GatherElements", {x, g.Input({4, 2, 6}, ElementType::kI64)}, {{"axis", int64_t{1}}}));
    g.Output(g.Op("GatherND", {x, i}));
    g.Output(g.Op("ScatterND", {x, i, g.Input({3, 6})}));
    g.Output(g.Op("ScatterElements", {x, g.Input({1, 5, 6}, ElementType::kI64), g.Input({1, 5, 6})}));
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
  switch (dice.Between(0, 6)) {
    case 0: return old + 1;
    case 1: return old - 1;
    case 2: return -old;
    case 3: return 0;
    case 4: return old * 2;
    case 5: return dice.Between(-3, 40);
    default: return dice.OneOf<int64_t>({INT64_MAX, INT64_MIN, int64_t{1} << 32, -1});
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
  int64_t& dim = tensor.dims[static_cast<size_t>(
      dice.Between(0, static_cast<int64_t>(tensor.dims.size()) - 1))];
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
  operand = dice.Between(0, 5) == 0
                ? kNoTensor
                : static_cast<uint32_t>(
                      dice.Between(0, static_cast<int64_t>(program.tensors.size()) - 1));
}

/// Loads and, when that succeeds, runs the program; the outcome does not matter.
bool LoadAndRun(const Program& program, const std::vector<std::byte>& weights) {
  auto bytes = WriteProgram(program);
  if (!bytes.ok() || program.arena_bytes > (64u << 20)) return false;
  auto device = device::NewCpuDevice(2);
  auto loaded = device->Load({*bytes, weights}, nullptr);
  if (!loaded.ok()) return false;
  auto instance = (*loaded)->NewInstance({});
  if (!instance.ok()) return false;
  std::vector<std::vector<std::byte>> memory;
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (const ProgramIo& io : program.inputs) {
    memory.emplace_back(io.bytes);
    inputs.push_back(memory.back().data());
  }
  for (const ProgramIo& io : program.outputs) {
    memory.emplace_back(io.bytes);
    outputs.push_back(memory.back().data());
  }
  (void)(*instance)->Run(inputs, outputs, nullptr).ok();
  return true;
}

TEST(UntrustedTasks, ChangedTasksNeverLeaveTheirOperands) {
  const auto programs = Programs();
  int ran = 0, refused = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Dice dice(seed);
    const auto& original = programs[seed % programs.size()];
    Program program = original.program;
    const int64_t changes = dice.Between(1, 3);
    for (int64_t i = 0; i < changes; ++i) {
      Task& task = program.tasks[static_cast<size_t>(
          dice.Between(0, static_cast<int64_t>(program.tasks.size()) - 1))];
      switch (dice.Between(0, 3)) {
        case 0:
        case 1: ChangeAttribute(dice, task); break;
        case 2: ChangeDims(dice, program); break;
        default: ChangeOperand(dice, program, task); break;
      }
    }
    SCOPED_TRACE(seed);
    ++(LoadAndRun(program, original.weights) ? ran : refused);
  }
  // Both outcomes occur, or the changes would test nothing.
  EXPECT_GT(ran, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace cairn::testing
