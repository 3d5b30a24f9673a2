// SPDX-License-Identifier: Apache-2.0
// Runs planned programs beside the reference.
#include "support/plan_runner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "devices/cpu/cpu_device.h"
#include "ir/text.h"
#include "kernels/isa.h"
#include "ops/op_def.h"
#include "reference/interpreter.h"

namespace cairn::testing {

std::unique_ptr<Graph> GraphFromText(const std::string& text) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status().ToString() << "\n" << text;
  if (!graph.ok()) return nullptr;
  const Status inferred = InferGraph(**graph);
  EXPECT_TRUE(inferred.ok()) << inferred.ToString() << "\n" << text;
  return inferred.ok() ? std::move(*graph) : nullptr;
}

std::vector<Tensor> RandomInputs(const Graph& graph, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Tensor> inputs;
  for (const Value* value : graph.inputs()) {
    auto tensor = Tensor::Allocate(value->type().dtype, *ConstDims(*value->type().dims));
    EXPECT_TRUE(tensor.ok());
    for (int64_t i = 0; i < tensor->num_elements(); ++i) {
      if (tensor->dtype() == ElementType::kBool) {
        tensor->SetInt(i, static_cast<int64_t>(random() % 2));
      } else if (IsInteger(tensor->dtype())) {
        tensor->SetInt(i, static_cast<int64_t>(random() % 4));
      } else {
        tensor->SetDouble(i, normal(random));
      }
    }
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

target::TargetSpec HostTarget(int num_cores) {
  target::TargetSpec target;
  target.name = "test";
  target.isa = kernels::IsaName(*kernels::BestIsa());
  target.vector_floats = kernels::VectorFloats(*kernels::BestIsa());
  target.num_cores = num_cores;
  return target;
}

Result<std::vector<Tensor>> RunProgram(const plan::CompiledProgram& compiled,
                                       const std::vector<Tensor>& inputs, int num_threads) {
  ASSIGN_OR_RETURN(auto bytes, WriteProgram(compiled.program));
  auto device = device::NewCpuDevice(num_threads);
  ASSIGN_OR_RETURN(auto loaded, device->Load({bytes, compiled.weights}, nullptr));
  ASSIGN_OR_RETURN(auto instance, loaded->NewInstance({}));
  std::vector<const void*> in;
  for (const Tensor& input : inputs) in.push_back(input.bytes());
  std::vector<Tensor> outputs;
  std::vector<void*> out;
  for (const ProgramIo& io : compiled.program.outputs) {
    ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(io.dtype, io.dims));
    // Bytes nobody writes must show.
    if (tensor.num_bytes() > 0) std::memset(tensor.mutable_bytes(), 0xA5, tensor.num_bytes());
    outputs.push_back(std::move(tensor));
  }
  for (Tensor& output : outputs) out.push_back(output.mutable_bytes());
  RETURN_IF_ERROR(instance->Run(in, out, nullptr));
  // A second run on the same memory shows state that survives a run.
  RETURN_IF_ERROR(instance->Run(in, out, nullptr));
  return outputs;
}

double RelativeError(const Tensor& a, const Tensor& b) {
  constexpr double kDifferent = std::numeric_limits<double>::infinity();
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return kDifferent;
  if (!IsFloat(a.dtype())) return a.Identical(b) ? 0 : kDifferent;
  double squares = 0, worst = 0;
  for (int64_t i = 0; i < a.num_elements(); ++i) {
    const double x = a.GetDouble(i), y = b.GetDouble(i);
    if (std::isnan(x) != std::isnan(y) || (std::isinf(y) && x != y)) return kDifferent;
    if (!std::isfinite(y)) continue;
    squares += y * y;
    worst = std::max(worst, std::abs(x - y));
  }
  if (worst == 0) return 0;
  return worst / std::max(std::sqrt(squares / static_cast<double>(a.num_elements())), 1e-30);
}

plan::CompiledProgram ExpectMatchesReference(const Graph& graph, const plan::PlanOptions& options,
                                             double tolerance, uint64_t seed) {
  auto compiled = plan::PlanProgram(graph, HostTarget(2), options);
  EXPECT_TRUE(compiled.ok()) << compiled.status().ToString();
  if (!compiled.ok()) return {};
  const std::vector<Tensor> inputs = RandomInputs(graph, seed);
  auto expected = RunReference(graph, inputs);
  EXPECT_TRUE(expected.ok()) << expected.status().ToString();
  auto actual = RunProgram(*compiled, inputs, 2);
  EXPECT_TRUE(actual.ok()) << actual.status().ToString();
  if (!expected.ok() || !actual.ok()) return std::move(*compiled);
  for (size_t i = 0; i < expected->size(); ++i) {
    EXPECT_LE(RelativeError((*actual)[i], (*expected)[i]), tolerance) << "output " << i << " of\n"
                                                                      << PrintGraph(graph);
  }
  return std::move(*compiled);
}

}  // namespace cairn::testing
