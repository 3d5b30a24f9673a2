// SPDX-License-Identifier: Apache-2.0
// What a model becomes: names, shapes, regions, functions, options, reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/model_builder.h"
#include "reference/interpreter.h"

namespace cairn::onnx {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string TypeOf(const Graph& graph, const std::string& name) {
  const Value* value = graph.FindValue(name);
  return value ? value->type().ToString() : "none";
}

std::vector<std::string> Ops(const Graph& graph) {
  std::vector<std::string> ops;
  for (const Node* node : graph.Nodes()) ops.push_back(node->op());
  return ops;
}

TEST(Importer, InitialisersThatAreInputsAreConstants) {
  ModelBuilder model;
  model.Input("x", {"2"}).Input("w", {"2"}).Output("y");
  model.Floats("w", {2}, {1, 2});
  model.Node("Add", {"x", "w"}, {"y"});
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  ASSERT_EQ(imported->graph->inputs().size(), 1u);
  EXPECT_TRUE(imported->graph->Nodes()[0]->input(1)->is_constant());
}

TEST(Importer, SortsNodesAndKeepsNames) {
  ModelBuilder model;
  model.Input("x", {"2"}).Output("y");
  model.Node("Neg", {"h"}, {"y"}, "second");
  model.Node("Relu", {"x"}, {"h"}, "first");
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  EXPECT_THAT(Ops(*imported->graph), ElementsAre("Relu", "Neg"));
  EXPECT_THAT(imported->graph->Nodes()[0]->origins(), ElementsAre("first"));
}

TEST(Importer, UnnamedAndDuplicateNamesBecomeUnique) {
  ModelBuilder model;
  model.Input("x", {"2"}).Output("c");
  model.Node("Relu", {"x"}, {"a"}, "same");
  model.Node("Relu", {"a"}, {"b"}, "same");
  model.Node("Relu", {"b"}, {"c"});
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  const auto nodes = imported->graph->Nodes();
  EXPECT_EQ(nodes[0]->name(), "same");
  EXPECT_NE(nodes[1]->name(), "same");
  EXPECT_THAT(nodes[1]->origins(), ElementsAre("same"));
  EXPECT_FALSE(nodes[2]->name().empty());
}

TEST(Importer, DimParamsMayBeExpressionsOrOddNames) {
  ModelBuilder model;
  model.Input("x", {"N", "2*T+1", "batch size", ""}).Output("y");
  model.Node("Relu", {"x"}, {"y"});
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  EXPECT_EQ(TypeOf(*imported->graph, "y"), "f32[N,2*T+1,batch_size,x.3]");
}

TEST(Importer, ShapeChainsFoldSymbolically) {
  ModelBuilder model;
  model.Input("x", {"N", "4", "H"}).Output("y");
  model.Node("Shape", {"x"}, {"shape"});
  model.Ints("zero", {0});
  model.Ints("minus", {-1});
  model.Node("Gather", {"shape", "zero"}, {"batch"});
  ModelBuilder::Attr(model.Node("Concat", {"batch", "minus"}, {"target"}), "axis", int64_t{0});
  model.Node("Reshape", {"x", "target"}, {"y"});
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  EXPECT_EQ(TypeOf(*imported->graph, "y"), "f32[N,4*H]");
}

TEST(Importer, InputShapesOverrideSymbolsEverywhere) {
  ModelBuilder model;
  model.Input("a", {"N", "3"}).Input("b", {"N"}).Output("y");
  model.Node("Relu", {"a"}, {"y"});
  ImportOptions options;
  options.input_shapes["a"] = {Dim(5), Dim(3)};
  auto imported = model.Import(options);
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  EXPECT_EQ(TypeOf(*imported->graph, "y"), "f32[5,3]");
  EXPECT_EQ(TypeOf(*imported->graph, "b"), "f32[5]");
}

TEST(Importer, InputShapesAreChecked) {
  ModelBuilder model;
  model.Input("a", {"N", "3"}).Input("b", {"N"}).Output("y");
  model.Node("Relu", {"a"}, {"y"});
  auto error = [&](const std::string& name, Dims dims) {
    ImportOptions options;
    options.input_shapes[name] = std::move(dims);
    return model.ImportError(options);
  };
  EXPECT_THAT(error("images", {Dim(1)}), AllOf(HasSubstr("no input 'images'"),
                                               HasSubstr("'a' f32[N,3]"), HasSubstr("'b' f32[N]")));
  EXPECT_THAT(error("a", {Dim(1)}), AllOf(HasSubstr("1 dimensions"), HasSubstr("declares 2")));
  EXPECT_THAT(error("a", {Dim(1), Dim(4)}),
              AllOf(HasSubstr("4 at axis 1"), HasSubstr("fixes it to 3")));
  ImportOptions both;
  both.input_shapes["a"] = {Dim(1), Dim(3)};
  both.input_shapes["b"] = {Dim(2)};
  EXPECT_THAT(model.ImportError(both), AllOf(HasSubstr("'N' is 1"), HasSubstr("2 in input 'b'")));
}

TEST(Importer, OutNodesSelectAndCut) {
  ModelBuilder model;
  model.Input("x", {"2"}).Output("y");
  model.Node("Relu", {"x"}, {"h"}, "act");
  model.Node("NoSuchOperator", {"h"}, {"y"}, "post");
  ImportOptions options;
  options.out_nodes = {"act:0"};
  auto imported = model.Import(options);
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  EXPECT_EQ(imported->graph->output_name(0), "h");
  options.out_nodes = {"h"};
  EXPECT_TRUE(model.Import(options).ok());
  options.out_nodes = {"acts:0"};
  EXPECT_THAT(model.ImportError(options), HasSubstr("did you mean 'act:0'"));
  options.out_nodes = {"act:3"};
  EXPECT_THAT(model.ImportError(options), HasSubstr("has 1 output"));
}

TEST(Importer, UnsupportedNodesAreAllReported) {
  ModelBuilder model;
  model.Input("x", {"2"}).Output("y");
  model.Node("Relo", {"x"}, {"a"}, "typo");
  model.Node("Relu", {"a"}, {"b"}, "fine");
  model.Node("Frobnicate", {"b"}, {"c"}, "custom").set_domain("com.example");
  ModelBuilder::Attr(model.Node("Add", {"c", "x"}, {"y"}, "old"), "broadcast", int64_t{1});
  auto* id = model.proto.add_opset_import();
  id->set_domain("com.example");
  id->set_version(3);
  std::vector<UnsupportedNode> nodes;
  auto imported = model.Import({}, &nodes);
  ASSERT_FALSE(imported.ok());
  EXPECT_EQ(imported.status().code(), Code::kUnsupported);
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].name, "typo");
  EXPECT_EQ(nodes[0].op, "ai.onnx::17::Relo");
  EXPECT_THAT(nodes[0].operands, HasSubstr("f32[2]"));
  EXPECT_EQ(nodes[0].remedy, "did you mean 'Relu'?");
  EXPECT_EQ(nodes[1].op, "com.example::3::Frobnicate");
  EXPECT_THAT(nodes[2].reason, HasSubstr("'broadcast' is unknown"));
  EXPECT_THAT(imported.status().message(), HasSubstr("3 node(s)"));
}

TEST(Importer, FunctionsAreInlined) {
  ModelBuilder model;
  model.Input("x", {"2"}).Output("y");
  auto& call = model.Node("Scaled", {"x"}, {"y"}, "call");
  call.set_domain("local");
  ModelBuilder::Attr(call, "slope", 0.5f);
  auto* id = model.proto.add_opset_import();
  id->set_domain("local");
  id->set_version(1);
  auto* function = model.proto.add_functions();
  function->set_name("Scaled");
  function->set_domain("local");
  function->add_input("a");
  function->add_output("b");
  function->add_attribute("slope");
  function->add_opset_import()->set_version(17);
  auto& node = ModelBuilder::Fill(*function->add_node(), "LeakyRelu", {"a"}, {"b"}, "inner");
  auto* attribute = node.add_attribute();
  attribute->set_name("alpha");
  attribute->set_ref_attr_name("slope");
  attribute->set_type(1);
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  const auto nodes = imported->graph->Nodes();
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0]->op(), "LeakyRelu");
  EXPECT_EQ(nodes[0]->name(), "call/inner");
  EXPECT_EQ(nodes[0]->GetFloat("alpha", 0), 0.5f);
}

TEST(Importer, SparseInitialisersBecomeDense) {
  ModelBuilder model;
  model.Input("x", {"2", "2"}).Output("y");
  auto* sparse = model.graph().add_sparse_initializer();
  auto* values = sparse->mutable_values();
  values->set_name("w");
  values->set_data_type(1);
  values->add_dims(1);
  values->add_float_data(7);
  auto* indices = sparse->mutable_indices();
  indices->set_data_type(7);
  indices->add_dims(1);
  indices->add_dims(2);
  indices->add_int64_data(1);
  indices->add_int64_data(0);
  sparse->add_dims(2);
  sparse->add_dims(2);
  model.Node("Add", {"x", "w"}, {"y"});
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  EXPECT_EQ(imported->graph->Nodes()[0]->input(1)->constant().GetDouble(2), 7);
  indices->set_int64_data(0, 2);
  EXPECT_THAT(model.ImportError(), HasSubstr("outside of shape [2,2]"));
}

TEST(Importer, OldSoftmaxWorksOnTheFlattenedInput) {
  ModelBuilder model(12);
  model.Input("x", {"1", "2", "2"}).Output("y");
  model.Node("Softmax", {"x"}, {"y"}, "soft");
  auto imported = model.Import();
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  auto x = Tensor::Allocate(ElementType::kF32, {1, 2, 2});
  auto y = RunReference(*imported->graph, {*x});
  ASSERT_TRUE(y.ok()) << y.status().message();
  EXPECT_EQ((*y)[0].GetDouble(3), 0.25);
  EXPECT_THAT((*y)[0].shape(), ElementsAre(1, 2, 2));
}

}  // namespace
}  // namespace cairn::onnx
