// SPDX-License-Identifier: Apache-2.0
// Damaged and contradictory models: every one gives an error that names what and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "frontend/model_builder.h"

namespace cairn::onnx {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string ErrorOfBytes(const std::string& bytes) {
  auto model = ImportOnnx(std::as_bytes(std::span(bytes.data(), bytes.size())), "", {}, nullptr);
  return model.ok() ? "" : model.status().message();
}

ModelBuilder ReluModel() {
  ModelBuilder model;
  model.Input("x", {"1", "3"}).Output("y");
  model.Node("Relu", {"x"}, {"y"}, "act");
  return model;
}

TEST(BadModel, MissingFileNamesThePath) {
  const auto model = ImportOnnxFile("/nonexistent/m.onnx", {}, nullptr);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.status().code(), Code::kNotFound);
  EXPECT_THAT(model.status().message(), HasSubstr("/nonexistent/m.onnx"));
}

TEST(BadModel, FolderIsNoFile) {
  const auto model = ImportOnnxFile("/tmp", {}, nullptr);
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.status().message(), HasSubstr("not a regular file"));
}

TEST(BadModel, EmptyAndGarbage) {
  EXPECT_THAT(ErrorOfBytes(""), HasSubstr("is empty"));
  EXPECT_THAT(ErrorOfBytes("hello, this is text"), HasSubstr("not a valid ONNX model"));
  EXPECT_THAT(ErrorOfBytes(std::string(1000, '\xff')), HasSubstr("not a valid ONNX model"));
  EXPECT_THAT(ErrorOfBytes("version https://git-lfs.github.com/spec/v1\n"),
              HasSubstr("Git LFS pointer"));
  EXPECT_THAT(ErrorOfBytes(std::string("PK\x03\x04 zipped", 12)), HasSubstr("zip archive"));
  EXPECT_THAT(ErrorOfBytes("IMOD...."), HasSubstr(".om model"));
}

TEST(BadModel, TruncatedAnywhereFailsCleanly) {
  ModelBuilder model = ReluModel();
  model.Floats("w", {2, 2}, {1, 2, 3, 4});
  const std::string bytes = model.Serialize();
  int failed = 0;
  for (size_t size = 0; size < bytes.size(); ++size)
    failed += !ErrorOfBytes(bytes.substr(0, size)).empty();
  // A prefix that ends between two fields can be a smaller valid model.
  EXPECT_GT(failed, static_cast<int>(bytes.size()) - 8);
}

TEST(BadModel, NoGraphNoOpsetOldIr) {
  ModelBuilder no_graph = ReluModel();
  no_graph.proto.clear_graph();
  EXPECT_THAT(no_graph.ImportError(), HasSubstr("no graph"));
  ModelBuilder no_opset = ReluModel();
  no_opset.proto.clear_opset_import();
  EXPECT_THAT(no_opset.ImportError(), HasSubstr("imports no operator set"));
  ModelBuilder old = ReluModel();
  old.proto.set_ir_version(2);
  EXPECT_THAT(old.ImportError(), HasSubstr("IR version is 2"));
}

TEST(BadModel, OpsetVersions) {
  ModelBuilder twice = ReluModel();
  twice.proto.add_opset_import()->set_version(12);
  EXPECT_THAT(twice.ImportError(), HasSubstr("versions 17 and 12"));
  EXPECT_THAT(ModelBuilder(1000).Input("x", {"1"}).Output("x").ImportError(),
              HasSubstr("version 1000"));
  ModelBuilder unused = ReluModel();
  auto* other = unused.proto.add_opset_import();
  other->set_domain("com.example");
  other->set_version(1);
  EXPECT_EQ(unused.ImportError(), "");
}

TEST(BadModel, CycleNamesItsNodes) {
  ModelBuilder model;
  model.Input("x", {"1"}).Output("b");
  model.Node("Add", {"x", "b"}, {"a"}, "first");
  model.Node("Relu", {"a"}, {"b"}, "second");
  EXPECT_THAT(model.ImportError(),
              AllOf(HasSubstr("cycle"), HasSubstr("'first'"), HasSubstr("'second'")));
}

TEST(BadModel, DanglingEdgeNamesNodeAndTensor) {
  ModelBuilder model;
  model.Input("x", {"1"}).Output("y");
  model.Node("Add", {"x", "ghost"}, {"y"}, "sum");
  EXPECT_THAT(model.ImportError(),
              AllOf(HasSubstr("'sum'"), HasSubstr("'ghost'"), HasSubstr("input 1")));
}

TEST(BadModel, OutputOfNoNode) {
  ModelBuilder model = ReluModel();
  model.Output("lost");
  EXPECT_THAT(model.ImportError(), HasSubstr("'lost'"));
  ModelBuilder none;
  none.Input("x", {"1"});
  EXPECT_THAT(none.ImportError(), HasSubstr("no output"));
}

TEST(BadModel, TensorProducedTwice) {
  ModelBuilder model = ReluModel();
  model.Node("Neg", {"x"}, {"y"}, "again");
  EXPECT_THAT(model.ImportError(),
              AllOf(HasSubstr("produced twice"), HasSubstr("'act'"), HasSubstr("'again'")));
}

TEST(BadModel, NodeShadowsInputOrInitialiser) {
  ModelBuilder input;
  input.Input("x", {"1"}).Output("x");
  input.Node("Relu", {"x"}, {"x"}, "act");
  EXPECT_THAT(input.ImportError(), AllOf(HasSubstr("'x'"), HasSubstr("act")));
}

TEST(BadModel, ShapeContradictionNamesBothSources) {
  ModelBuilder model;
  model.Input("x", {"1", "3"}).Output("y", {"1", "4"});
  model.Node("Relu", {"x"}, {"y"}, "act");
  EXPECT_THAT(model.ImportError(), AllOf(HasSubstr("output declares f32[1,4]"), HasSubstr("'act'"),
                                         HasSubstr("f32[1,3]")));
  ModelBuilder inner;
  inner.Input("x", {"1", "3"}).Output("y");
  ModelBuilder::SetType(*inner.graph().add_value_info(), "h", {"1", "3", "1"});
  inner.Node("Relu", {"x"}, {"h"}, "act");
  inner.Node("Relu", {"h"}, {"y"}, "last");
  EXPECT_THAT(inner.ImportError(),
              AllOf(HasSubstr("value_info"), HasSubstr("ranks differ"), HasSubstr("'act'")));
}

TEST(BadModel, OperandsThatDoNotFitNameTheNode) {
  ModelBuilder model;
  model.Input("a", {"2", "3"}).Input("b", {"4", "5"}).Output("y");
  model.Node("MatMul", {"a", "b"}, {"y"}, "product");
  EXPECT_THAT(model.ImportError(),
              AllOf(HasSubstr("'product'"), HasSubstr("f32[2,3]"), HasSubstr("f32[4,5]")));
}

TEST(BadModel, InitialiserWithWrongContents) {
  ModelBuilder few = ReluModel();
  few.Floats("w", {3}, {1, 2});
  few.Node("Add", {"x", "w"}, {"z"});
  few.Output("z");
  EXPECT_THAT(few.ImportError(), AllOf(HasSubstr("'w'"), HasSubstr("2 values, expected 3")));
  ModelBuilder raw = few;
  auto& tensor = *raw.graph().mutable_initializer(0);
  tensor.clear_float_data();
  tensor.set_raw_data("12345");
  EXPECT_THAT(raw.ImportError(), AllOf(HasSubstr("5 bytes"), HasSubstr("needs 12")));
  tensor.set_data_type(99);
  EXPECT_THAT(raw.ImportError(), HasSubstr("element type number 99"));
}

TEST(BadModel, OverflowingSizes) {
  ModelBuilder model = ReluModel();
  model.Floats("w", {int64_t{1} << 40, int64_t{1} << 40}, {});
  model.Node("Add", {"x", "w"}, {"z"});
  model.Output("z");
  EXPECT_THAT(model.ImportError(), HasSubstr("too many elements"));
  ModelBuilder negative = ReluModel();
  negative.Floats("w", {-1}, {});
  negative.Node("Add", {"x", "w"}, {"z"});
  negative.Output("z");
  EXPECT_THAT(negative.ImportError(), HasSubstr("negative dimension"));
  ModelBuilder huge = ReluModel();
  huge.Floats("w", {int64_t{1} << 36}, {});
  huge.Node("Add", {"x", "w"}, {"z"});
  huge.Output("z");
  EXPECT_THAT(huge.ImportError(), HasSubstr("'w'"));
}

TEST(BadModel, MissingAttributeAndWrongKind) {
  ModelBuilder missing;
  missing.Input("x", {"1"}).Output("y");
  missing.Node("Concat", {"x"}, {"y"}, "join");
  EXPECT_THAT(missing.ImportError(), AllOf(HasSubstr("'join'"), HasSubstr("'axis' is missing")));
  ModelBuilder wrong;
  wrong.Input("x", {"1"}).Output("y");
  ModelBuilder::Attr(wrong.Node("Concat", {"x"}, {"y"}, "join"), "axis", 1.5f);
  EXPECT_THAT(wrong.ImportError(), HasSubstr("'axis' has the wrong kind"));
}

TEST(BadModel, RecursiveFunction) {
  ModelBuilder model;
  model.Input("x", {"1"}).Output("y");
  model.Node("Loop9", {"x"}, {"y"}, "call").set_domain("local");
  auto* id = model.proto.add_opset_import();
  id->set_domain("local");
  id->set_version(1);
  auto* function = model.proto.add_functions();
  function->set_name("Loop9");
  function->set_domain("local");
  function->add_input("a");
  function->add_output("b");
  function->add_opset_import()->CopyFrom(*id);
  ModelBuilder::Fill(*function->add_node(), "Loop9", {"a"}, {"b"}).set_domain("local");
  EXPECT_THAT(model.ImportError(), HasSubstr("calls itself"));
}

}  // namespace
}  // namespace cairn::onnx
