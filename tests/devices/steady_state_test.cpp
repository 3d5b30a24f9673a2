// SPDX-License-Identifier: Apache-2.0
// A run of a loaded program allocates nothing, on any thread.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "devices/cpu/cpu_device.h"
#include "executable/program.h"
#include "support/node_graph.h"
#include "support/plan_runner.h"

namespace {

std::atomic<long> num_allocations{0};

}  // namespace

// The program's own allocator entry points, counting what the C library does behind them.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, size_t bytes) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, bytes);
}
}

namespace cairn::testing {
namespace {

/// A program with convolutions of every algorithm, a product, attention and element-wise work.
void BuildNetwork(NodeGraph& g) {
  const Ints one_pixel = {1, 1, 1, 1};
  Value* x = g.Input({1, 3, 64, 64});
  Value* y = g.Op("Conv", {x, g.Weights({32, 3, 3, 3})}, {{"strides", Ints{2, 2}}, {"pads", one_pixel}});
  y = g.Op("Relu", {y});
  Value* z = g.Op("Conv", {y, g.Weights({32, 32, 3, 3})}, {{"pads", one_pixel}});
  y = g.Op("Add", {y, z});
  y = g.Op("Conv", {y, g.Weights({32, 1, 3, 3})}, {{"pads", one_pixel}, {"group", int64_t{32}}});
  y = g.Op("MaxPool", {y}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
  Value* tokens = g.Op("Reshape", {y, g.IntList({1, 256, 32})});
  tokens = g.Op("LayerNormalization", {tokens, g.Weights({32}), g.Weights({32})});
  Value* q = g.Op("MatMul", {tokens, g.Weights({32, 64})});
  Value* a = g.Op("Attention", {q, q, q}, {{"q_num_heads", int64_t{4}}, {"kv_num_heads", int64_t{4}}});
  g.Output(g.Op("Softmax", {g.Op("MatMul", {a, g.Weights({64, 300})})}));
}

TEST(SteadyState, ARunAllocatesNothing) {
  NodeGraph g;
  BuildNetwork(g);
  const std::vector<Tensor> inputs = RandomInputs(*g, 5);
  auto compiled = plan::PlanProgram(*g, HostTarget(2), {});
  ASSERT_TRUE(compiled.ok()) << compiled.status().ToString();
  ASSERT_TRUE(compiled->report.reference_nodes.empty());
  auto bytes = WriteProgram(compiled->program);
  ASSERT_TRUE(bytes.ok());
  auto device = device::NewCpuDevice(2);
  auto loaded = device->Load({*bytes, compiled->weights}, nullptr);
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  auto instance = (*loaded)->NewInstance({});
  ASSERT_TRUE(instance.ok());
  std::vector<std::byte> result(compiled->program.outputs[0].bytes);
  const void* in[] = {inputs[0].bytes()};
  void* out[] = {result.data()};

  const long before_any = num_allocations.load();
  ASSERT_GT(before_any, 0) << "the counter does not count";
  for (int run = 0; run < 3; ++run) {
    const long before = num_allocations.load();
    ASSERT_TRUE((*instance)->Run(in, out, nullptr).ok());
    EXPECT_EQ(num_allocations.load() - before, 0) << "run " << run;
  }
}

}  // namespace
}  // namespace cairn::testing
