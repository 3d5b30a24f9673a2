// SPDX-License-Identifier: Apache-2.0
// Forms of operators in older operator sets mean what the newest form means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/model_builder.h"
#include "frontend/onnx/op_registry.h"
#include "reference/interpreter.h"

namespace cairn::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Runs a model of one f32 input on 0, 1, 2, ...; output 0 as text "f32[2,2] 0 1 2 3".
std::string RunOnCounts(const ModelBuilder& model) {
  auto imported = model.Import();
  if (!imported.ok()) return imported.status().message();
  const auto shape = ConstDims(*imported->graph->inputs()[0]->type().dims);
  auto x = Tensor::Allocate(ElementType::kF32, *shape);
  for (int64_t i = 0; i < x->num_elements(); ++i) x->SetDouble(i, static_cast<double>(i));
  auto result = RunReference(*imported->graph, {*x});
  if (!result.ok()) return result.status().message();
  const Tensor& y = (*result)[0];
  std::string text = StrCat(y.dtype(), ShapeToString(y.shape()));
  for (int64_t i = 0; i < y.num_elements(); ++i) text += StrCat(" ", y.GetDouble(i));
  return text;
}

ModelBuilder OneInput(int64_t opset, const std::vector<std::string>& dims) {
  ModelBuilder model(opset);
  model.Input("x", dims).Output("y");
  return model;
}

TEST(Opsets, ClipBoundsMoveToInputs) {
  ModelBuilder old = OneInput(10, {"4"});
  auto& node = old.Node("Clip", {"x"}, {"y"});
  ModelBuilder::Attr(node, "min", 1.0f);
  ModelBuilder::Attr(node, "max", 2.0f);
  EXPECT_EQ(RunOnCounts(old), "f32[4] 1 1 2 2");
  ModelBuilder open = OneInput(6, {"4"});
  open.Node("Clip", {"x"}, {"y"});
  EXPECT_EQ(RunOnCounts(open), "f32[4] 0 1 2 3");
}

TEST(Opsets, SliceAttributesMoveToInputs) {
  ModelBuilder old = OneInput(9, {"2", "3"});
  auto& node = old.Node("Slice", {"x"}, {"y"});
  ModelBuilder::Attr(node, "starts", std::vector<int64_t>{1});
  ModelBuilder::Attr(node, "ends", std::vector<int64_t>{3});
  ModelBuilder::Attr(node, "axes", std::vector<int64_t>{1});
  EXPECT_EQ(RunOnCounts(old), "f32[2,2] 1 2 4 5");
}

TEST(Opsets, SqueezeAndUnsqueezeAxesMoveToInputs) {
  ModelBuilder squeeze = OneInput(11, {"1", "2", "1"});
  ModelBuilder::Attr(squeeze.Node("Squeeze", {"x"}, {"y"}), "axes", std::vector<int64_t>{-1});
  EXPECT_EQ(RunOnCounts(squeeze), "f32[1,2] 0 1");
  ModelBuilder unsqueeze = OneInput(11, {"2"});
  ModelBuilder::Attr(unsqueeze.Node("Unsqueeze", {"x"}, {"y"}), "axes", std::vector<int64_t>{0});
  EXPECT_EQ(RunOnCounts(unsqueeze), "f32[1,2] 0 1");
}

TEST(Opsets, ReductionAxesMoveToInputs) {
  for (const int64_t opset : {7, 13, 17}) {
    ModelBuilder model = OneInput(opset, {"2", "2"});
    auto& node = model.Node("ReduceMax", {"x"}, {"y"});
    ModelBuilder::Attr(node, "axes", std::vector<int64_t>{0});
    ModelBuilder::Attr(node, "keepdims", int64_t{0});
    EXPECT_EQ(RunOnCounts(model), "f32[2] 2 3") << opset;
  }
  ModelBuilder sum = OneInput(13, {"2", "2"});
  sum.Ints("axes", {1});
  sum.Node("ReduceSum", {"x", "axes"}, {"y"});
  EXPECT_EQ(RunOnCounts(sum), "f32[2,1] 1 5");
}

TEST(Opsets, PadAttributesMoveToInputs) {
  ModelBuilder model = OneInput(10, {"2"});
  auto& node = model.Node("Pad", {"x"}, {"y"});
  ModelBuilder::Attr(node, "pads", std::vector<int64_t>{1, 1});
  ModelBuilder::Attr(node, "value", 7.0f);
  EXPECT_EQ(RunOnCounts(model), "f32[4] 7 0 1 7");
}

TEST(Opsets, SplitSizesMoveToInputs) {
  for (const int64_t opset : {11, 13}) {
    ModelBuilder model = OneInput(opset, {"3"});
    auto& node = model.Node(
        "Split",
        opset < 13 ? std::vector<std::string>{"x"} : std::vector<std::string>{"x", "sizes"},
        {"y", "rest"});
    if (opset < 13) ModelBuilder::Attr(node, "split", std::vector<int64_t>{2, 1});
    model.Ints("sizes", {2, 1});
    EXPECT_EQ(RunOnCounts(model), "f32[2] 0 1") << opset;
  }
}

TEST(Opsets, TopKCountMovesToInput) {
  ModelBuilder model = OneInput(9, {"4"});
  ModelBuilder::Attr(model.Node("TopK", {"x"}, {"y", "indices"}), "k", int64_t{2});
  EXPECT_EQ(RunOnCounts(model), "f32[2] 3 2");
}

TEST(Opsets, SoftmaxDefaultsChange) {
  ModelBuilder last = OneInput(13, {"1", "2", "1"});
  last.Node("Softmax", {"x"}, {"y"});
  EXPECT_EQ(RunOnCounts(last), "f32[1,2,1] 1 1");
  ModelBuilder flat = OneInput(11, {"1", "2", "1"});
  flat.Node("Hardmax", {"x"}, {"y"});
  EXPECT_EQ(RunOnCounts(flat), "f32[1,2,1] 0 1");
}

TEST(Opsets, UpsampleAndOldResizeAreAsymmetric) {
  ModelBuilder upsample = OneInput(9, {"2"});
  upsample.Floats("scales", {1}, {2});
  upsample.Node("Upsample", {"x", "scales"}, {"y"});
  EXPECT_EQ(RunOnCounts(upsample), "f32[4] 0 0 1 1");
  ModelBuilder resize = OneInput(10, {"4"});
  resize.Floats("scales", {1}, {0.5f});
  resize.Node("Resize", {"x", "scales"}, {"y"});
  EXPECT_EQ(RunOnCounts(resize), "f32[2] 0 2");
}

TEST(Opsets, DropoutIsGoneInInference) {
  for (const int64_t opset : {7, 12, 22}) {
    ModelBuilder model = OneInput(opset, {"2"});
    model.Node("Dropout", {"x"}, {"y", "mask"});
    EXPECT_EQ(RunOnCounts(model), "f32[2] 0 1") << opset;
  }
}

TEST(Opsets, DropoutMaskIsOfTheDataTypeBeforeOperatorSet10) {
  const std::pair<int64_t, const char*> cases[] = {
      {7, "f32[2] 0 0"}, {10, "bool[2] 0 0"}, {13, "bool[2] 1 1"}};
  for (const auto& [opset, mask] : cases) {
    ModelBuilder model(opset);
    model.Input("x", {"2"}).Output("mask");
    model.Node("Dropout", {"x"}, {"y", "mask"});
    EXPECT_EQ(RunOnCounts(model), mask) << opset;
  }
}

TEST(Opsets, GroupNormalizationScalesPerGroupBefore21) {
  ModelBuilder model = OneInput(18, {"1", "4", "1"});
  model.Floats("scale", {2}, {1, 10});
  model.Floats("bias", {2}, {0, 5});
  auto& node = model.Node("GroupNormalization", {"x", "scale", "bias"}, {"y"});
  ModelBuilder::Attr(node, "num_groups", int64_t{2});
  ModelBuilder::Attr(node, "epsilon", 0.0f);
  EXPECT_EQ(RunOnCounts(model), "f32[1,4,1] -1 1 -5 15");
}

TEST(Opsets, BroadcastAxisOfOperatorSet6SaysWhereTheSecondInputLies) {
  ModelBuilder model = OneInput(6, {"2", "2"});
  model.Floats("w", {2}, {10, 20});
  auto& node = model.Node("Add", {"x", "w"}, {"y"});
  ModelBuilder::Attr(node, "broadcast", int64_t{1});
  ModelBuilder::Attr(node, "axis", int64_t{0});
  EXPECT_EQ(RunOnCounts(model), "f32[2,2] 10 11 22 23");
}

TEST(Opsets, SlopesOfOperatorSet6BelongToChannels) {
  ModelBuilder model = OneInput(6, {"1", "2", "1"});
  model.Floats("slope", {2}, {2, 3});
  model.Node("Neg", {"x"}, {"n"});
  model.Node("PRelu", {"n", "slope"}, {"y"});
  EXPECT_EQ(RunOnCounts(model), "f32[1,2,1] -0 -3");
}

TEST(Opsets, DftAxisMovesToAnInput) {
  ModelBuilder model = OneInput(17, {"1", "2", "1"});
  model.Node("DFT", {"x"}, {"y"});
  EXPECT_EQ(RunOnCounts(model), "f32[1,2,2] 1 0 -1 0");
}

TEST(Opsets, ScanOfOperatorSet8HasABatch) {
  ModelBuilder model = OneInput(8, {"2", "3", "1"});
  model.Floats("zero", {2, 1}, {0, 100});
  auto& node = model.Node("Scan", {"", "zero", "x"}, {"last", "y"});
  ModelBuilder::Attr(node, "num_scan_inputs", int64_t{1});
  auto& attribute = *node.add_attribute();
  attribute.set_name("body");
  attribute.set_type(5);
  GraphProto& body = *attribute.mutable_g();
  for (const char* name : {"sum", "next"}) ModelBuilder::SetType(*body.add_input(), name, {"1"});
  for (const char* name : {"total", "copy"}) body.add_output()->set_name(name);
  ModelBuilder::Fill(*body.add_node(), "Add", {"sum", "next"}, {"total"});
  ModelBuilder::Fill(*body.add_node(), "Identity", {"total"}, {"copy"});
  EXPECT_EQ(RunOnCounts(model), "f32[2,3,1] 0 1 3 103 107 112");
}

TEST(Opsets, OperatorsNewerThanTheModelAreRefused) {
  ModelBuilder model = OneInput(17, {"2"});
  model.Node("Gelu", {"x"}, {"y"}, "gelu");
  EXPECT_THAT(model.ImportError(), HasSubstr("supported from operator set 20 on"));
}

TEST(Opsets, EveryUnchangedOperatorIsDefined) {
  for (const std::string& name : OpTypesOf("")) {
    const OpEntry* entry = FindEntry("ai.onnx", name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_TRUE(entry->convert != ConvertUnchanged || FindOp(name)) << name;
  }
  EXPECT_EQ(FindEntry("", "NoSuchOperator"), nullptr);
}

}  // namespace
}  // namespace cairn::onnx
