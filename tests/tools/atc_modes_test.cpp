// SPDX-License-Identifier: Apache-2.0
// Modes besides compiling, and what a build writes besides the offline model.
#include "atc_command.h"

namespace cairn {
namespace {

using Json = nlohmann::json;

class AtcModes : public AtcCommand {
 protected:
  Json JsonOf(const std::string& name) const { return Json::parse(ReadFile(Path(name))); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(Path(name)) << text;
  }
};

TEST_F(AtcModes, PreCheckReportsEveryNode) {
  SaveModel("two.onnx", {"Relu", "Foo"}, {2, 3});
  const Outcome bad = Run({"--mode=3", "--model=two.onnx", "--framework=5",
                           "--soc_version=Ascend310P3", "--check_report=report.json"});
  EXPECT_EQ(bad.exit_code, 255);
  EXPECT_NE(bad.out.find("(E16002)"), std::string::npos) << bad.out;
  const Json report = JsonOf("report.json");
  EXPECT_EQ(report["name"], "two");
  EXPECT_EQ(report["result"], "failed");
  EXPECT_EQ(report["total"], 2);
  EXPECT_EQ(report["pass"], 1);
  EXPECT_EQ(report["fail"], 1);
  EXPECT_EQ(report["op"][0]["result"], "success");
  EXPECT_FALSE(report["op"][0].contains("cause"));
  EXPECT_EQ(report["op"][1]["name"], "node1");
  EXPECT_EQ(report["op"][1]["type"], "ai.onnx::13::Foo");
  EXPECT_NE(report["op"][1]["cause"][0]["message"], "");

  const Outcome good =
      Run({"--mode=3", "--model=relu.onnx", "--framework=5", "--soc_version=Ascend310P3"});
  EXPECT_EQ(good.exit_code, 0) << good.out;
  EXPECT_EQ(JsonOf("check_result.json")["result"], "success");
  EXPECT_FALSE(fs::exists(Path("out.om")));
}

TEST_F(AtcModes, AFailedBuildLeavesTheReport) {
  SaveModel("foo.onnx", {"Foo"}, {2, 3});
  ExpectFailure(Build("foo.onnx"), "E16002", "ai.onnx::13::Foo");
  EXPECT_EQ(JsonOf("check_result.json")["fail"], 1);
}

TEST_F(AtcModes, TextDumpToJson) {
  Write("dump.txt", "name: \"net\" graph { name: \"g\" op { name: \"a\" type: \"Relu\" } }");
  EXPECT_EQ(Run({"--mode=5", "--om=dump.txt", "--json=out.json"}).exit_code, 0);
  EXPECT_EQ(JsonOf("out.json")["graph"][0]["op"][0]["type"], "Relu");
  Write("bad.txt", "name: \"net\"\ngraph {{");
  const Outcome bad = Run({"--mode=5", "--om=bad.txt", "--json=out.json"});
  EXPECT_NE(bad.out.find("(E10041)"), std::string::npos);
  EXPECT_NE(bad.out.find("line 2"), std::string::npos) << bad.out;
}

TEST_F(AtcModes, OriginalModelToJson) {
  EXPECT_EQ(Run({"--mode=1", "--om=relu.onnx", "--json=o.json", "--framework=5"}).exit_code, 0);
  const Json own = JsonOf("o.json");
  EXPECT_EQ(own["graph"]["node"][0]["op_type"], "Relu");
  EXPECT_EQ(own["graph"]["node"][0]["output"][0], "y");
  EXPECT_EQ(Run({"--mode=1", "--om=relu.onnx", "--json=s.json", "--framework=5", "--dump_mode=1"})
                .exit_code,
            0);
  const Json inferred = JsonOf("s.json");
  const Json& relu = inferred["graph"][0]["op"][1];
  EXPECT_EQ(relu["type"], "Relu");
  EXPECT_EQ(relu["output_desc"][0]["dtype"], 1);
  EXPECT_EQ(relu["output_desc"][0]["shape"]["dim"], Json({2, 3}));
}

TEST_F(AtcModes, OriginalGraphBesideTheModel) {
  SaveModel("twice.onnx", {"Relu", "Relu"}, {2, 3});
  EXPECT_EQ(Build("twice.onnx", {"--save_original_model=true"}).exit_code, 0);
  EXPECT_EQ(Run({"--mode=1", "--om=out_original.om", "--json=o.json"}).exit_code, 0);
  const Json original = JsonOf("o.json");
  EXPECT_EQ(original["name"], "out_original");
  EXPECT_EQ(original["graph"][0]["op"][2]["type"], "Relu");
}

TEST_F(AtcModes, RawOptions) {
  Write("raw.json", R"({"compile options": {
      "global": {"ge.outputDatatype": "FP32"},
      "graph": {"ge.outputDatatype": "FP16", "ge.opDebugLevel": 1}}})");
  EXPECT_EQ(Build("relu.onnx", {"--raw_ge_options=raw.json"}).exit_code, 0);
  auto om = OmFile::Map(Path("out.om"));
  EXPECT_EQ(ReadProgram(om->Image()->program)->outputs[0].dtype, ElementType::kF16);
  EXPECT_EQ(Build("relu.onnx", {"--raw_ge_options=raw.json", "--output_type=UINT8"}).exit_code, 0);
  om = OmFile::Map(Path("out.om"));
  EXPECT_EQ(ReadProgram(om->Image()->program)->outputs[0].dtype, ElementType::kU8);
  fs::remove(Path("out.om"));

  Write("odd.json", R"({"compile options": {"graph": {"ge.flightAltitude": "3"}}})");
  ExpectFailure(Build("relu.onnx", {"--raw_ge_options=odd.json"}), "E10001", "flightAltitude");
  const Outcome ignored =
      Build("relu.onnx", {"--raw_ge_options=odd.json", "--raw_ge_options_ignore_unsupported"});
  EXPECT_EQ(ignored.exit_code, 0);
  EXPECT_NE(ignored.out.find("WARNING"), std::string::npos);
  fs::remove(Path("out.om"));
  Write("soc.json", R"({"compile options": {"graph": {"ge.socVersion": "Ascend310"}}})");
  const Outcome soc = Build("relu.onnx", {"--raw_ge_options=soc.json"});
  EXPECT_NE(soc.out.find("only be given on the command line"), std::string::npos) << soc.out;
}

TEST_F(AtcModes, SingleOperators) {
  Write("ops.json", R"([
      {"op": "Add",
       "input_desc": [{"format": "ND", "shape": [3, 3], "type": "int32"},
                      {"format": "ND", "shape": [3, 3], "type": "int32"}],
       "output_desc": [{"format": "ND", "shape": [3, 3], "type": "int32"}]},
      {"op": "Conv2D", "name": "conv",
       "input_desc": [{"format": "NCHW", "shape": [1, 3, 8, 8], "type": "float"},
                      {"format": "NCHW", "shape": [4, 3, 3, 3], "type": "float"}],
       "output_desc": [{"format": "NCHW", "shape": [1, 4, 4, 4], "type": "float"}],
       "attr": [{"name": "strides", "type": "list_int", "value": [1, 1, 2, 2]},
                {"name": "pads", "type": "list_int", "value": [1, 1, 1, 1]},
                {"name": "groups", "type": "int", "value": 1}]}])");
  const std::vector<std::string> words = {"--singleop=ops.json", "--output=folder",
                                          "--soc_version=Cairn-x86-64-v3"};
  const Outcome done = Run(words);
  EXPECT_EQ(done.exit_code, 0) << done.out;
  auto add = OmFile::Map(Path("folder/0_Add_3_2_3_3_3_2_3_3_3_2_3_3.om"));
  ASSERT_TRUE(add.ok()) << add.status().ToString();
  EXPECT_EQ(ReadProgram(add->Image()->program)->inputs.size(), 2u);
  EXPECT_TRUE(OmFile::Map(Path("folder/conv.om")).ok());

  Write("ops.json", R"([{"op": "Nonesuch"}])");
  EXPECT_NE(Run(words).out.find("(E10501)"), std::string::npos);
  Write("ops.json", R"([{"op": "Relu",
      "input_desc": [{"format": "ND", "shape": [3], "type": "float"}],
      "output_desc": [{"format": "ND", "shape": [4], "type": "float"}]}])");
  EXPECT_NE(Run(words).out.find("output 0 is given as [4], the operator gives f32[3]"),
            std::string::npos);
  Write("ops.json", R"([{"op": "Relu", "input_desc": [{"shape": [3], "type": "float"}]}])");
  EXPECT_NE(Run(words).out.find("(E10027)"), std::string::npos);
  Write("ops.json", R"([{"op": ""}])");
  EXPECT_NE(Run(words).out.find("(E10026)"), std::string::npos);
  Write("ops.json", "{");
  EXPECT_NE(Run(words).out.find("(E10025)"), std::string::npos);
}

class AtcWeights : public AtcModes {
 protected:
  // y = x * w + w2 with weights that no two elements of are equal.
  void SaveWeighted() {
    onnx::ModelProto model = Chain({"Relu"}, {2, 40});
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.mutable_node(0)->set_op_type("MatMul");
    graph.mutable_node(0)->add_input("w");
    onnx::TensorProto& weight = *graph.add_initializer();
    weight.set_name("w");
    weight.set_data_type(1);
    weight.add_dims(40);
    weight.add_dims(30);
    for (int i = 0; i < 1200; ++i) weight.add_float_data(static_cast<float>(i));
    Save("weighted.onnx", model);
  }

  std::vector<std::byte> Weights() const {
    auto om = OmFile::Map(Path("out.om"));
    auto image = om->Image();
    EXPECT_TRUE(image.ok()) << image.status().ToString();
    if (!image.ok()) return {};
    const uint64_t bytes = ReadProgram(image->program)->weights_bytes;
    EXPECT_GE(image->weights.size(), bytes);
    return {image->weights.begin(), image->weights.begin() + static_cast<std::ptrdiff_t>(bytes)};
  }
};

TEST_F(AtcWeights, LieInFilesBesideTheModel) {
  SaveWeighted();
  ASSERT_EQ(Build("weighted.onnx").exit_code, 0);
  const std::vector<std::byte> inside = Weights();
  const auto size_inside = fs::file_size(Path("out.om"));
  ASSERT_EQ(Build("weighted.onnx", {"--external_weight=2"}).exit_code, 0);
  EXPECT_EQ(Weights(), inside);
  EXPECT_TRUE(fs::exists(Path("weight/out_weight_combined")));
  EXPECT_LT(fs::file_size(Path("out.om")) + 4000, size_inside);
  fs::remove_all(Path("weight"));
  ASSERT_EQ(Build("weighted.onnx", {"--external_weight=1"}).exit_code, 0);
  EXPECT_EQ(Weights(), inside);
  const std::string name = fs::directory_iterator(Path("weight"))->path().filename();
  EXPECT_EQ(name.size(), std::string("weight_").size() + 64);
}

TEST_F(AtcWeights, MissingAndForeignFilesAreRefused) {
  SaveWeighted();
  ASSERT_EQ(Build("weighted.onnx", {"--external_weight=2"}).exit_code, 0);
  const std::string file = Path("weight/out_weight_combined");
  auto om = OmFile::Map(Path("out.om"));
  const std::string contents = ReadFile(file);
  std::ofstream(file, std::ios::binary) << contents.substr(0, contents.size() - 4) << "abcd";
  EXPECT_EQ(om->Image().status().code(), Code::kDataCorrupt);
  std::ofstream(file, std::ios::binary) << contents.substr(0, 100);
  EXPECT_EQ(om->Image().status().code(), Code::kDataCorrupt);
  fs::remove(file);
  EXPECT_EQ(om->Image().status().code(), Code::kNotFound);
  const std::string bytes = ReadFile(Path("out.om"));
  auto memory = OmFile::FromMemory(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(memory->Image().status().code(), Code::kFailedPrecondition);
}

}  // namespace
}  // namespace cairn
