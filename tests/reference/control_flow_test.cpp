// SPDX-License-Identifier: Apache-2.0
// If, Loop and Scan: what inference says of their regions, and what the interpreter computes.
#include <gtest/gtest.h>

#include "ir/text.h"
#include "ops/op_def.h"
#include "reference/interpreter.h"

namespace cairn {
namespace {

std::unique_ptr<Graph> Parse(std::string_view text) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status().ToString();
  if (!graph.ok()) return nullptr;
  const Status status = InferGraph(**graph);
  EXPECT_TRUE(status.ok()) << status.ToString();
  if (!status.ok()) return nullptr;
  return std::move(*graph);
}

std::string InferError(std::string_view text) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status().ToString();
  return graph.ok() ? InferGraph(**graph).message() : std::string();
}

Tensor Floats(Shape shape, const std::vector<float>& values) {
  return Tensor::FromValues<float>(ElementType::kF32, std::move(shape),
                                   std::span<const float>(values));
}

Tensor Bool(bool value) {
  const uint8_t byte = value;
  return Tensor::FromValues<uint8_t>(ElementType::kBool, {}, std::span(&byte, 1));
}

std::string OutputType(const Graph& graph, size_t i) {
  return graph.outputs()[i]->type().ToString();
}

constexpr const char* kChoice =
    R"(graph @main(%c: bool[], %x: f32[N,3]) -> (%y) {
  %y = If(%c, %x) {num_captures = 1, then_branch = @then(%a: f32[N,3]) -> (%b) {
      %b = Neg(%a)
    }, else_branch = @else(%a: f32[N,3]) -> (%b) {
      const %axes: i64[1] = dense<[1]>
      %b = ReduceSum(%a, %axes)
    }}
}
)";

TEST(If, RunsTheChosenRegion) {
  auto graph = Parse(kChoice);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->outputs()[0]->type().rank(), 2);
  EXPECT_EQ((*graph->outputs()[0]->type().dims)[0], Dim::Symbol("N"));
  const Tensor x = Floats({1, 3}, {1, 2, 3});
  auto negated = RunReference(*graph, {Bool(true), x});
  ASSERT_TRUE(negated.ok()) << negated.status().ToString();
  EXPECT_TRUE((*negated)[0].Identical(Floats({1, 3}, {-1, -2, -3})));
  auto summed = RunReference(*graph, {Bool(false), x});
  ASSERT_TRUE(summed.ok()) << summed.status().ToString();
  EXPECT_TRUE((*summed)[0].Identical(Floats({1, 1}, {6})));
}

TEST(If, RefusesBranchesOfOtherElementTypes) {
  EXPECT_NE(InferError(R"(graph @main(%c: bool[], %x: f32[3]) -> (%y) {
  %y = If(%c, %x) {num_captures = 1, then_branch = @then(%a: f32[3]) -> (%b) {
      %b = Neg(%a)
    }, else_branch = @else(%a: f32[3]) -> (%b) {
      %b = Shape(%a)
    }}
}
)").find("expected one element type"),
            std::string::npos);
}

/// Doubles a value and stacks the intermediate ones.
constexpr const char* kDoubling =
    R"(graph @main(%m: i64[], %x: f32[N]) -> (%last, %all) {
  %last, %all = Loop(%m, _, %x) {body = @body(%i: i64[], %go: bool[], %v: f32[N]) -> (%go, %w, %v) {
      %w = Add(%v, %v)
    }}
}
)";

TEST(Loop, CarriesValuesAndStacksScannedOnes) {
  auto graph = Parse(kDoubling);
  ASSERT_TRUE(graph);
  EXPECT_EQ(OutputType(*graph, 0), "f32[N]");
  auto results = RunReference(*graph, {Tensor::ScalarInt(3), Floats({2}, {1, 5})});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_TRUE((*results)[0].Identical(Floats({2}, {8, 40})));
  EXPECT_TRUE((*results)[1].Identical(Floats({3, 2}, {1, 5, 2, 10, 4, 20})));
}

TEST(Loop, WithoutIterationsKeepsTheInitialValue) {
  auto graph = Parse(kDoubling);
  ASSERT_TRUE(graph);
  auto results = RunReference(*graph, {Tensor::ScalarInt(0), Floats({2}, {1, 5})});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_TRUE((*results)[0].Identical(Floats({2}, {1, 5})));
  EXPECT_EQ((*results)[1].shape()[0], 0);
}

TEST(Loop, KnowsTheLengthOfAConstantTripCount) {
  auto graph = Parse(R"(graph @main(%x: f32[2]) -> (%last, %all) {
  const %m: i64[] = dense<4>
  %last, %all = Loop(%m, _, %x) {body = @body(%i: i64[], %go: bool[], %v: f32[2]) -> (%go, %w, %w) {
      %w = Neg(%v)
    }}
}
)");
  ASSERT_TRUE(graph);
  EXPECT_EQ(OutputType(*graph, 1), "f32[4,2]");
}

/// The carried value grows, so its dim is not that of the first iteration; nor are types in the body.
constexpr const char* kGrowing =
    R"(graph @main(%m: i64[], %x: f32[2]) -> (%last) {
  %last = Loop(%m, _, %x) {body = @body(%i: i64[], %go: bool[], %v: f32[2]) -> (%go, %w) {
      %n = Neg(%v)
      %w = Concat(%n, %v) {axis = 0}
    }}
}
)";

TEST(Loop, ForgetsDimsThatIterationsChange) {
  auto graph = Parse(kGrowing);
  ASSERT_TRUE(graph);
  const TensorType& type = graph->outputs()[0]->type();
  ASSERT_EQ(type.rank(), 1);
  EXPECT_FALSE((*type.dims)[0].is_const()) << type;
  auto results = RunReference(*graph, {Tensor::ScalarInt(2), Floats({2}, {1, 2})});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_TRUE((*results)[0].Identical(Floats({8}, {1, 2, -1, -2, -1, -2, 1, 2})));
  ASSERT_TRUE(InferGraph(*graph).ok()) << "inference must be repeatable";
  EXPECT_FALSE((*graph->outputs()[0]->type().dims)[0].is_const());
}

TEST(Loop, EndsWhenTheConditionFails) {
  auto graph = Parse(R"(graph @main(%x: i64[]) -> (%last) {
  %last = Loop(_, _, %x) {body = @body(%i: i64[], %go: bool[], %v: i64[]) -> (%more, %w) {
      const %ten: i64[] = dense<10>
      %w = Add(%v, %v)
      %more = Less(%w, %ten)
    }}
}
)");
  ASSERT_TRUE(graph);
  auto results = RunReference(*graph, {Tensor::ScalarInt(3)});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ((*results)[0].GetInt(0), 12);
}

TEST(Loop, WithoutAnEndFailsInTheEnd) {
  const auto graph = Parse(R"(graph @main(%x: f32[1]) -> (%last) {
  %last = Loop(_, _, %x) {body = @body(%i: i64[], %go: bool[], %v: f32[1]) -> (%go, %v) {
    }} name "forever"
})");
  const auto result = RunReference(*graph, {Floats({1}, {1})});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.status().message().find("'forever'"), std::string::npos);
  EXPECT_NE(result.status().message().find("still holds after 1000000 iterations"),
            std::string::npos);
}

TEST(Loop, RefusesACarriedValueThatChangesItsElementType) {
  EXPECT_NE(InferError(R"(graph @main(%m: i64[], %x: f32[1]) -> (%last) {
  %last = Loop(%m, _, %x) {body = @body(%i: i64[], %go: bool[], %v: f32[1]) -> (%go, %w) {
      %w = Shape(%v)
    }}
}
)").find("carried value 0 is f32 before and i64 after"),
            std::string::npos);
}

/// Running sums over columns from the last to the first; sums stack from the end.
constexpr const char* kSums =
    R"(graph @main(%s: f32[2], %x: f32[2,T]) -> (%last, %all) {
  %last, %all = Scan(%s, %x) {num_scan_inputs = 1, scan_input_axes = [1], scan_input_directions = [1], scan_output_axes = [-1], scan_output_directions = [1], body = @body(%a: f32[2], %b: f32[2]) -> (%c, %d) {
      %c = Add(%a, %b)
      %d = Identity(%c)
    }}
}
)";

TEST(Scan, SlicesAndStacksAlongAxesAndDirections) {
  auto graph = Parse(kSums);
  ASSERT_TRUE(graph);
  EXPECT_EQ(OutputType(*graph, 0), "f32[2]");
  EXPECT_EQ(OutputType(*graph, 1), "f32[2,T]");
  auto results =
      RunReference(*graph, {Floats({2}, {0, 100}), Floats({2, 3}, {1, 2, 3, 10, 20, 30})});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_TRUE((*results)[0].Identical(Floats({2}, {6, 160})));
  EXPECT_TRUE((*results)[1].Identical(Floats({2, 3}, {6, 5, 3, 160, 150, 130})));
}

TEST(Scan, RefusesInputsOfOtherLengths) {
  EXPECT_NE(InferError(R"(graph @main(%x: f32[3], %y: f32[4]) -> (%all) {
  %all = Scan(%x, %y) {num_scan_inputs = 2, body = @body(%a: f32[], %b: f32[]) -> (%c) {
      %c = Add(%a, %b)
    }}
}
)").find("the inputs have 3 and 4 slices"),
            std::string::npos);
}

}  // namespace
}  // namespace cairn
