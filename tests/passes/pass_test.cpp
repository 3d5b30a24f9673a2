// SPDX-License-Identifier: Apache-2.0
// Running single passes on graph text.
#include "passes/pass_test.h"

#include <cmath>
#include <limits>
#include <random>

#include "ir/text.h"
#include "ir/verifier.h"
#include "ops/op_def.h"
#include "reference/interpreter.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const PassDef* FindPass(std::string_view name) {
  for (const PassDef& pass : AllPasses()) {
    if (name == pass.name) return &pass;
  }
  ADD_FAILURE() << "no pass is named " << name;
  return nullptr;
}

std::vector<Tensor> RandomInputs(const Graph& graph, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Tensor> inputs;
  for (const Value* input : graph.inputs()) {
    Shape shape;
    for (const Dim& dim : *input->type().dims) {
      std::map<std::string, int64_t> symbols;
      for (const std::string& symbol : dim.Symbols()) symbols[symbol] = 2;
      auto size = dim.Evaluate(symbols);
      EXPECT_TRUE(size.ok()) << size.status().ToString();
      shape.push_back(size.ok() ? *size : 1);
    }
    auto tensor = Tensor::Allocate(input->type().dtype, shape);
    EXPECT_TRUE(tensor.ok());
    for (int64_t i = 0; i < tensor->num_elements(); ++i) {
      const double value = normal(random);
      if (IsFloat(tensor->dtype())) {
        tensor->SetDouble(i, value);
      } else {
        tensor->SetInt(i, value > 0 ? 1 : 0);
      }
    }
    inputs.push_back(*tensor);
  }
  return inputs;
}

double Difference(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return kInfinity;
  double worst = 0, squares = 0;
  for (int64_t i = 0; i < a.num_elements(); ++i) {
    const double x = a.GetDouble(i), y = b.GetDouble(i);
    if (std::isnan(x) && std::isnan(y)) continue;
    if (x == y) {
      squares += std::isfinite(x) ? x * x : 0;
      continue;
    }
    if (!std::isfinite(x) || !std::isfinite(y)) return kInfinity;
    squares += x * x;
    worst = std::max(worst, std::fabs(x - y));
  }
  const double rms =
      std::sqrt(squares / std::max<double>(1, static_cast<double>(a.num_elements())));
  // Results that are nothing but rounding of larger numbers have no digits to compare.
  return worst / std::max(rms, 1e-3);
}

}  // namespace

std::unique_ptr<Graph> ParseAndInfer(std::string_view text) {
  auto graph = ParseGraph(text);
  if (!graph.ok()) {
    ADD_FAILURE() << graph.status().ToString() << "\n" << text;
    return nullptr;
  }
  const Status inferred = InferGraph(**graph);
  EXPECT_TRUE(inferred.ok()) << inferred.ToString() << "\n" << text;
  return inferred.ok() ? std::move(*graph) : nullptr;
}

int RunPassTo(Graph& graph, std::string_view name) {
  const PassDef* pass = FindPass(name);
  if (!pass) return 0;
  int total = 0;
  for (int round = 0; round < 10; ++round) {
    auto changes = pass->run(graph, PassContext());
    EXPECT_TRUE(changes.ok()) << changes.status().ToString();
    if (!changes.ok()) return total;
    const Status valid = VerifyGraph(graph);
    EXPECT_TRUE(valid.ok()) << valid.ToString();
    const Status inferred = InferGraph(graph);
    EXPECT_TRUE(inferred.ok()) << inferred.ToString();
    if (*changes == 0) return total;
    total += *changes;
  }
  ADD_FAILURE() << name << " does not come to an end";
  return total;
}

std::string Normalized(const Graph& graph) {
  PrintOptions options;
  options.names = options.types = options.origins = false;
  options.max_constant_elements = 64;
  return PrintGraph(graph, options);
}

double ResultDifference(const Graph& a, const Graph& b, uint64_t seed) {
  const std::vector<Tensor> inputs = RandomInputs(a, seed);
  auto expected = RunReference(a, inputs);
  auto actual = RunReference(b, inputs);
  EXPECT_TRUE(expected.ok()) << expected.status().ToString();
  EXPECT_TRUE(actual.ok()) << actual.status().ToString();
  if (!expected.ok() || !actual.ok() || expected->size() != actual->size()) return kInfinity;
  double worst = 0;
  for (size_t i = 0; i < expected->size(); ++i) {
    worst = std::max(worst, Difference((*expected)[i], (*actual)[i]));
  }
  return worst;
}

void ExpectRewrite(std::string_view pass, std::string_view before, std::string_view after,
                   double tolerance) {
  const auto original = ParseAndInfer(before), expected = ParseAndInfer(after);
  if (!original || !expected) return;
  const auto graph = original->Clone();
  EXPECT_GT(RunPassTo(*graph, pass), 0) << pass << " changed nothing in\n" << before;
  EXPECT_EQ(Normalized(*graph), Normalized(*expected));
  EXPECT_LE(ResultDifference(*original, *graph), tolerance) << before;
}

void ExpectUnchanged(std::string_view pass, std::string_view text) {
  const auto original = ParseAndInfer(text);
  if (!original) return;
  const auto graph = original->Clone();
  EXPECT_EQ(RunPassTo(*graph, pass), 0) << PrintGraph(*graph);
  EXPECT_EQ(Normalized(*graph), Normalized(*original));
}

}  // namespace cairn
