// SPDX-License-Identifier: Apache-2.0
// What people ran into when they converted models, each as the smallest case of its kind.
#include "atc_command.h"

namespace cairn {
namespace {

class AtcUserCases : public AtcCommand {
 protected:
  Program BuiltProgram() const {
    auto om = OmFile::Map(Path("out.om"));
    EXPECT_TRUE(om.ok());
    auto program = ReadProgram(om->Image()->program);
    EXPECT_TRUE(program.ok());
    return *program;
  }

  // A chain with one float initialiser of `count` elements as operand 1 of its first node.
  static onnx::ModelProto WithWeight(const std::string& op, const std::vector<int64_t>& shape,
                                     const std::vector<int64_t>& weight_shape, float value) {
    onnx::ModelProto model = Chain({op}, shape);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.mutable_node(0)->add_input("w");
    onnx::TensorProto& weight = *graph.add_initializer();
    weight.set_name("w");
    weight.set_data_type(1);
    size_t count = 1;
    for (const int64_t dim : weight_shape) {
      weight.add_dims(dim);
      count *= static_cast<size_t>(dim);
    }
    std::string raw(count * sizeof(float), '\0');
    for (size_t i = 0; i < count; ++i) {
      const float element = value + static_cast<float>(i % 97);
      std::memcpy(raw.data() + i * sizeof(float), &element, sizeof(float));
    }
    weight.set_raw_data(std::move(raw));
    return model;
  }
};

TEST_F(AtcUserCases, NewOperatorSetsConvert) {
  for (const int opset : {19, 22}) {
    onnx::ModelProto model = WithWeight("Conv", {1, 3, 8, 8}, {4, 3, 3, 3}, 0.5f);
    model.mutable_opset_import(0)->set_version(opset);
    onnx::NodeProto& sigmoid = *model.mutable_graph()->add_node();
    sigmoid.set_op_type("Sigmoid");
    sigmoid.add_input("y");
    sigmoid.add_output("s");
    onnx::NodeProto& mul = *model.mutable_graph()->add_node();
    mul.set_op_type("Mul");
    mul.add_input("y");
    mul.add_input("s");
    mul.add_output("z");
    model.mutable_graph()->mutable_output(0)->set_name("z");
    Save("yolo.onnx", model);
    EXPECT_EQ(Build("yolo.onnx").exit_code, 0) << opset;
  }
}

TEST_F(AtcUserCases, AnAliasOfAnOperatorGetsAHint) {
  SaveModel("alias.onnx", {"grid_sampler"}, {1, 3, 8, 8});
  ExpectFailure(Build("alias.onnx"), "E16002", "GridSample");
}

TEST_F(AtcUserCases, UnusedDomainsDoNoHarm) {
  onnx::ModelProto model = Chain({"Relu"}, {2, 3});
  onnx::OperatorSetIdProto& domain = *model.add_opset_import();
  domain.set_domain("ai.onnx.ml");
  domain.set_version(3);
  Save("domains.onnx", model);
  EXPECT_EQ(Build("domains.onnx").exit_code, 0);
}

TEST_F(AtcUserCases, OutputsInEveryWriting) {
  SaveModel("two.onnx", {"Relu", "Relu"}, {2, 3});
  for (const char* nodes : {"node0", "node0:0", "t0", "node0:0;node1:0", "t0;y"}) {
    EXPECT_EQ(Build("two.onnx", {StrCat("--out_nodes=", nodes)}).exit_code, 0) << nodes;
  }
  fs::remove(Path("out.om"));
  ExpectFailure(Build("two.onnx", {"--out_nodes=node0:9"}), "E11016", "node0");
  ExpectFailure(Build("two.onnx", {"--out_nodes=node7"}), "E10016", "node7");
}

TEST_F(AtcUserCases, NamesInShapesAreThoseOfTheModel) {
  for (const char* shape : {"input:2,3", "X:2,3", "x:2,3;z:1"}) {
    ExpectFailure(Build("relu.onnx", {StrCat("--input_shape=", shape)}), "E10016", "'x'");
  }
}

TEST_F(AtcUserCases, TypesOfInputsAndOutputsAreIndependentOfThePrecision) {
  for (const char* mode : {"force_fp16", "must_keep_origin_dtype", "force_fp32"}) {
    for (const bool half_input : {false, true}) {
      for (const char* output : {"FP16", "FP32", "INT8"}) {
        std::vector<std::string> words = {StrCat("--precision_mode=", mode),
                                          StrCat("--output_type=", output)};
        if (half_input) words.push_back("--input_fp16_nodes=x");
        ASSERT_EQ(Build("relu.onnx", words).exit_code, 0) << mode << " " << output;
        const Program program = BuiltProgram();
        EXPECT_EQ(program.inputs[0].dtype, half_input ? ElementType::kF16 : ElementType::kF32);
        const ElementType expected = output == std::string("FP16")   ? ElementType::kF16
                                     : output == std::string("FP32") ? ElementType::kF32
                                                                     : ElementType::kI8;
        EXPECT_EQ(program.outputs[0].dtype, expected);
      }
    }
  }
}

TEST_F(AtcUserCases, SmallChannelsChangeNothing) {
  Save("conv.onnx", WithWeight("Conv", {1, 3, 20, 20}, {8, 3, 6, 6}, 0.1f));
  const auto program_bytes = [&](const std::vector<std::string>& words) {
    EXPECT_EQ(Build("conv.onnx", words).exit_code, 0);
    auto om = OmFile::Map(Path("out.om"));
    const ProgramImage image = *om->Image();
    std::vector<std::byte> bytes(image.program.begin(), image.program.end());
    bytes.insert(bytes.end(), image.weights.begin(), image.weights.end());
    return bytes;
  };
  EXPECT_EQ(program_bytes({}), program_bytes({"--enable_small_channel=1"}));
}

TEST_F(AtcUserCases, DeviceNames) {
  for (const char* name : {"Ascend310", "Ascend310P3", "Ascend310B4", "Ascend910B3"}) {
    EXPECT_EQ(Build("relu.onnx", {StrCat("--soc_version=", name)}).exit_code, 0) << name;
  }
  fs::remove(Path("out.om"));
  for (const char* name : {"Ascend999", "ascend 310", "", "Ascend"}) {
    const Outcome outcome = Build("relu.onnx", {StrCat("--soc_version=", name)});
    EXPECT_EQ(outcome.exit_code, 255) << name;
    if (*name) {
      EXPECT_NE(outcome.out.find("Ascend310P3"), std::string::npos) << outcome.out;
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// A model of 100 MB compiles within 1 GB; with less there is a message, and no file.
TEST_F(AtcUserCases, MemoryLimits) {
  Save("large.onnx", WithWeight("MatMul", {8, 5000}, {5000, 5000}, 0.01f));
  const auto build_within = [&](rlim_t bytes) {
    rlimit old{};
    getrlimit(RLIMIT_AS, &old);
    const rlimit limit{bytes, old.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
    const Outcome outcome = Build("large.onnx", {"--aicore_num=1"});
    setrlimit(RLIMIT_AS, &old);
    return outcome;
  };
  EXPECT_EQ(build_within(rlim_t{1} << 30).exit_code, 0);
  fs::remove(Path("out.om"));
  const Outcome outcome = build_within(rlim_t{150} << 20);
  EXPECT_EQ(outcome.exit_code, 255);
  EXPECT_NE(outcome.out.find("ATC run failed"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_FALSE(fs::exists(Path("out.om")));
}
#endif

}  // namespace
}  // namespace cairn
