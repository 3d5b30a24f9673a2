// SPDX-License-Identifier: Apache-2.0
// The ModelDef of a compiled model: structure, constants, padding, JSON and summary.
#include "modeldef/model_def.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "modeldef/parse.h"

namespace cairn::modeldef {
namespace {

constexpr const char* kGraph = R"(graph @net(%x: f32[1,3,4,4]) -> (%y as "out", %r) {
  const %w: f32[8,3,5,5] = random<1>
  const %small: f32[8] = dense<0.5>
  %c: f32[1,8,4,4] = Conv(%x, %w, %small) {pads = [2, 2, 2, 2], alpha = 0.25} name "conv" origins ["conv", "bn"]
  %r: f32[1,8,4,4] = Relu(%c) name "relu"
  %y: f32[1,8,4,4] = Clip(%r, _, _) name "clip"
})";

class ModelDefTest : public testing::Test {
 protected:
  void SetUp() override {
    auto graph = ParseGraph(kGraph);
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    graph_ = std::move(*graph);
    info_.name = "net";
    info_.soc_version = "Ascend310P3";
    info_.framework_type = "5";
    info_.compiler_version = "1.2.3";
    info_.command_line = "atc --model=net.onnx";
    info_.output_names = {"clip:0:out", "relu:0"};
    info_.program_bytes = 77;
    info_.weights_bytes = 4096;
    compiled_.program.arena_bytes = 1000;
    compiled_.report.mappings.push_back({"conv", "Conv", "conv2d_f32", "direct", {}, {"conv"}});
  }

  std::vector<std::byte> Write(uint64_t padding = 0) {
    return WriteModelDef(*graph_, compiled_, info_, [&](uint64_t) { return padding; });
  }
  ge::ModelDef Parse(const std::vector<std::byte>& bytes) {
    ge::ModelDef model;
    EXPECT_TRUE(ParseModelDef(bytes, model).ok());
    return model;
  }
  const ge::OpDef& Op(const ge::ModelDef& model, const std::string& name) {
    for (const ge::OpDef& op : model.graph(0).op()) {
      if (op.name() == name) return op;
    }
    ADD_FAILURE() << "no op " << name;
    return model.graph(0).op(0);
  }

  std::unique_ptr<Graph> graph_;
  plan::CompiledProgram compiled_;
  ModelInfo info_;
};

TEST_F(ModelDefTest, HasDataConstNodesAndNetOutput) {
  const ge::ModelDef model = Parse(Write());
  ASSERT_EQ(model.graph_size(), 1);
  std::map<std::string, int> types;
  for (const ge::OpDef& op : model.graph(0).op()) ++types[op.type()];
  EXPECT_EQ(
      types,
      (std::map<std::string, int>{
          {"Data", 1}, {"Const", 2}, {"Conv", 1}, {"Relu", 1}, {"Clip", 1}, {"NetOutput", 1}}));
  const ge::OpDef& conv = Op(model, "conv");
  EXPECT_EQ(conv.input(0), "x:0");
  EXPECT_EQ(conv.input(1), "w:0");
  EXPECT_EQ(conv.attr().at("pads").list().i_size(), 4);
  EXPECT_EQ(conv.attr().at("alpha").f(), 0.25f);
  EXPECT_EQ(conv.attr().at("kernel").s(), "conv2d_f32");
  EXPECT_EQ(conv.attr().at("_datadump_original_op_names").list().s_size(), 2);
  const ge::OpDef& clip = Op(model, "clip");
  ASSERT_EQ(clip.input_size(), 3);
  EXPECT_EQ(clip.input(1), "");
  EXPECT_EQ(clip.input_desc_size(), 3);
  const ge::OpDef& out = Op(model, "Node_Output");
  EXPECT_EQ(out.src_name(0), "clip");
  EXPECT_EQ(out.src_name(1), "relu");
}

// Viewers refuse an edge whose two descriptors disagree.
TEST_F(ModelDefTest, BothEndsOfEveryEdgeHaveTheSameDescriptor) {
  const ge::ModelDef model = Parse(Write());
  std::map<std::string, std::string> produced;
  for (const ge::OpDef& op : model.graph(0).op()) {
    for (int i = 0; i < op.output_desc_size(); ++i) {
      produced[op.name() + ":" + std::to_string(i)] =
          op.output_desc(i).shape().DebugString() + ge::DataType_Name(op.output_desc(i).dtype());
    }
  }
  int edges = 0;
  for (const ge::OpDef& op : model.graph(0).op()) {
    ASSERT_EQ(op.input_size(), op.input_desc_size());
    for (int i = 0; i < op.input_size(); ++i) {
      if (op.input(i).empty()) continue;
      ++edges;
      EXPECT_EQ(produced.at(op.input(i)), op.input_desc(i).shape().DebugString() +
                                              ge::DataType_Name(op.input_desc(i).dtype()));
    }
  }
  EXPECT_EQ(edges, 7);
}

TEST_F(ModelDefTest, SmallConstantsAreInLineLargeOnesReferToTheWeights) {
  const Tensor& tensor = graph_->FindValue("w")->constant();
  compiled_.weights.resize(512 + tensor.num_bytes());
  std::copy_n(tensor.bytes(), tensor.num_bytes(), compiled_.weights.begin() + 512);
  ProgramTensor stored;
  stored.storage = Storage::kWeights;
  stored.offset = 512;
  stored.bytes = tensor.num_bytes();
  compiled_.program.tensors.push_back(stored);
  const ge::ModelDef model = Parse(Write());
  const ge::TensorDef& large = Op(model, "w").attr().at("value").t();
  EXPECT_TRUE(large.data().empty());
  EXPECT_EQ(large.desc().data_offset(), 512);
  EXPECT_EQ(large.desc().weight_size(), 8 * 3 * 25 * 4);
  const ge::TensorDef& small = Op(model, "small").attr().at("value").t();
  EXPECT_EQ(small.data().size(), 32u);
}

TEST_F(ModelDefTest, PackedConstantsHaveNoData) {
  const ge::ModelDef model = Parse(Write());
  const ge::TensorDef& large = Op(model, "w").attr().at("value").t();
  EXPECT_TRUE(large.data().empty());
  EXPECT_EQ(large.desc().weight_size(), 0);
  EXPECT_EQ(large.desc().shape().dim_size(), 4);
}

TEST_F(ModelDefTest, EveryPaddingSizeIsReached) {
  const size_t base = Write().size();
  for (uint64_t padding = 0; padding < 4096; ++padding) {
    ASSERT_EQ(Write(padding).size() % 4096, (base + padding) % 4096) << padding;
  }
}

TEST_F(ModelDefTest, EqualInputGivesEqualBytes) {
  EXPECT_EQ(Write(100), Write(100));
  auto again = ParseGraph(kGraph);
  const auto first = Write();
  graph_ = std::move(*again);
  EXPECT_EQ(first, Write());
}

TEST_F(ModelDefTest, RegionsBecomeGraphAttributes) {
  auto graph = ParseGraph(R"(graph @net(%x: f32[2]) -> (%y) {
  %y: f32[2] = Neg(%x) {epilogue = @e(%a: f32[2]) -> (%b) {
    %b: f32[2] = Relu(%a)
  }} name "neg"
})");
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  graph_ = std::move(*graph);
  const ge::ModelDef model = Parse(Write());
  const ge::GraphDef& region = Op(model, "neg").attr().at("epilogue").g();
  EXPECT_EQ(region.op(1).type(), "Relu");
}

TEST_F(ModelDefTest, JsonFollowsThePublicForm) {
  auto text = ModelDefToJson(Write(50));
  ASSERT_TRUE(text.ok());
  const auto json = nlohmann::json::parse(*text);
  EXPECT_EQ(json["name"], "net");
  const auto& graph = json["graph"][0];
  EXPECT_FALSE(graph.contains("output"));
  const auto& ops = graph["op"];
  const auto conv = std::ranges::find_if(ops, [](const auto& op) { return op["name"] == "conv"; });
  ASSERT_NE(conv, ops.end());
  EXPECT_EQ((*conv)["output_desc"][0]["dtype"], "DT_FLOAT");
  EXPECT_FALSE((*conv)["output_desc"][0].contains("size"));
  const auto& attributes = (*conv)["attr"];
  ASSERT_TRUE(attributes.is_array());
  EXPECT_TRUE(std::ranges::is_sorted(
      attributes, [](const auto& a, const auto& b) { return a["key"] < b["key"]; }));
  const auto alpha =
      std::ranges::find_if(attributes, [](const auto& a) { return a["key"] == "alpha"; });
  EXPECT_EQ((*alpha)["value"]["f"], "0.25");
  EXPECT_NE(text->find("\"key\": \"memory_size\""), std::string::npos);
  EXPECT_EQ(text->find("\"bt\""), std::string::npos);
}

TEST_F(ModelDefTest, SummaryShowsTheRecordedFigures) {
  const auto bytes = Write();
  auto text = ModelSummary(bytes);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text,
            "============ Display Model Info start ============\n"
            "Original Atc command line: atc --model=net.onnx\n"
            "system   info: atc_version[1.2.3], soc_version[Ascend310P3], framework_type[5].\n"
            "resource info: memory_size[1000 B], weight_size[4096 B], stream_num[1], "
            "event_num[0].\n"
            "om       info: modeldef_size[" +
                std::to_string(bytes.size()) +
                " B], weight_data_size[4096 B], tbe_kernels_size[0 B], "
                "cust_aicpu_kernel_store_size[0 B], task_info_size[77 B], so_store_size[0 B].\n"
                "============ Display Model Info end   ============\n");
}

TEST(ModelSummary, MissingAttributesAndDamage) {
  auto text = ModelSummary({});
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("memory_size[-1 B]"), std::string::npos);
  EXPECT_NE(text->find("om_info_list is missing"), std::string::npos);
  const std::vector<std::byte> garbage(64, std::byte{0xff});
  EXPECT_EQ(ModelSummary(garbage).status().code(), Code::kDataCorrupt);
  EXPECT_EQ(ModelDefToJson(garbage).status().code(), Code::kDataCorrupt);
}

}  // namespace
}  // namespace cairn::modeldef
