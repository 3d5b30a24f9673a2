// SPDX-License-Identifier: Apache-2.0
// Conversions at the border of a graph compute what the layouts mean.
#include "compiler/io_types.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ops/op_def.h"
#include "reference/interpreter.h"

namespace cairn::compiler {
namespace {

TEST(IoTypes, BlockedInputAndOutputHoldTheSameImage) {
  auto graph = ParseGraph("graph @g(%x: f32[1,3,2,2]) -> (%y) { %y = Neg(%x) }");
  ASSERT_TRUE(graph.ok());
  ASSERT_TRUE(InferGraph(**graph).ok());
  IoTypeOptions options;
  options.half_inputs = {{"x", true}};
  options.blocked_outputs = {true};
  IoLayouts layouts;
  ErrorReport errors;
  ASSERT_TRUE(ApplyIoTypes(**graph, options, {"n:0:y"}, layouts, errors)) << errors.Text();
  EXPECT_TRUE(layouts.blocked_inputs[0]);
  EXPECT_TRUE(layouts.blocked_outputs[0]);

  Tensor x = *Tensor::Allocate(ElementType::kF16, {1, 1, 2, 2, 16});
  for (int64_t pixel = 0; pixel < 4; ++pixel) {
    for (int64_t c = 0; c < 16; ++c) {
      x.SetDouble(pixel * 16 + c, c < 3 ? static_cast<double>(10 * c + pixel + 1) : 99.0);
    }
  }
  const auto results = RunReference(**graph, {x});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  const Tensor& y = (*results)[0];
  ASSERT_EQ(y.dtype(), ElementType::kF16);
  ASSERT_EQ(y.shape(), (Shape{1, 1, 2, 2, 16}));
  for (int64_t pixel = 0; pixel < 4; ++pixel) {
    for (int64_t c = 0; c < 16; ++c) {
      const double expected = c < 3 ? -static_cast<double>(10 * c + pixel + 1) : 0.0;
      EXPECT_EQ(y.GetDouble(pixel * 16 + c), expected) << "pixel " << pixel << " channel " << c;
    }
  }
}

TEST(IoTypes, OnlyFloatInputsBecomeHalf) {
  auto graph = ParseGraph("graph @g(%x: i64[2]) -> (%y) { %y = Neg(%x) }");
  ASSERT_TRUE(graph.ok());
  ASSERT_TRUE(InferGraph(**graph).ok());
  IoTypeOptions options;
  options.half_inputs = {{"x", false}};
  IoLayouts layouts;
  ErrorReport errors;
  EXPECT_FALSE(ApplyIoTypes(**graph, options, {"n:0:y"}, layouts, errors));
  EXPECT_EQ(errors.code(), "E10001");
}

}  // namespace
}  // namespace cairn::compiler
