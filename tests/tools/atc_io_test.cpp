// SPDX-License-Identifier: Apache-2.0
// Options about the types and layouts of inputs and outputs, as the file records them.
#include "atc_command.h"

namespace cairn {
namespace {

class AtcIo : public AtcCommand {
 protected:
  void SetUp() override {
    AtcCommand::SetUp();
    SaveModel("image.onnx", {"Relu", "Neg"}, {1, 3, 4, 5});
  }

  Program BuiltProgram() const {
    auto om = OmFile::Map(Path("out.om"));
    EXPECT_TRUE(om.ok());
    auto program = ReadProgram(om->Image()->program);
    EXPECT_TRUE(program.ok());
    return *program;
  }
};

TEST_F(AtcIo, OutputTypeOfAllOutputs) {
  ASSERT_EQ(Build("image.onnx", {"--output_type=FP16", "--out_nodes=node0:0;node1:0"}).exit_code,
            0);
  const Program program = BuiltProgram();
  EXPECT_EQ(program.outputs[0].dtype, ElementType::kF16);
  EXPECT_EQ(program.outputs[1].dtype, ElementType::kF16);
  EXPECT_EQ(program.outputs[1].name, "node1:0:y");
  EXPECT_EQ(program.inputs[0].dtype, ElementType::kF32);
}

TEST_F(AtcIo, OutputTypeOfOneOutput) {
  ASSERT_EQ(
      Build("image.onnx", {"--output_type=node1:0:UINT8", "--out_nodes=node0:0;node1:0"}).exit_code,
      0);
  const Program program = BuiltProgram();
  EXPECT_EQ(program.outputs[0].dtype, ElementType::kF32);
  EXPECT_EQ(program.outputs[1].dtype, ElementType::kU8);
}

TEST_F(AtcIo, BadOutputTypes) {
  ExpectFailure(Build("image.onnx", {"--output_type=FP17"}), "E10001", "FP32, FP16, UINT8");
  ExpectFailure(Build("image.onnx", {"--output_type=node1:0:FP16"}), "E10001",
                "--out_nodes must name the output 'node1:0' too");
  ExpectFailure(Build("image.onnx", {"--output_type=node1:x:FP16"}), "E10001",
                "'x' is no output index");
  ExpectFailure(Build("image.onnx", {"--output_type=node1:FP16"}), "E10001", "node:index:type");
}

TEST_F(AtcIo, HalfInputs) {
  ASSERT_EQ(Build("image.onnx", {"--input_fp16_nodes=x"}).exit_code, 0);
  EXPECT_EQ(BuiltProgram().inputs[0].dtype, ElementType::kF16);
  ASSERT_EQ(fs::remove(Path("out.om")), true);
  ExpectFailure(Build("image.onnx", {"--input_fp16_nodes=z"}), "E10016",
                "the inputs of the model are 'x'");
  ExpectFailure(Build("image.onnx", {"--input_fp16_nodes=node1"}), "E10017", "'x'");
}

TEST_F(AtcIo, BlockedInputsAndOutputs) {
  ASSERT_EQ(Build("image.onnx",
                  {"--input_fp16_nodes=x", "--is_input_adjust_hw_layout=true",
                   "--out_nodes=node0:0;node1:0", "--is_output_adjust_hw_layout=false,true"})
                .exit_code,
            0);
  const Program program = BuiltProgram();
  EXPECT_EQ(program.inputs[0].dims, (std::vector<int64_t>{1, 1, 4, 5, 16}));
  EXPECT_EQ(program.outputs[0].dims, (std::vector<int64_t>{1, 3, 4, 5}));
  EXPECT_EQ(program.outputs[1].dims, (std::vector<int64_t>{1, 1, 4, 5, 16}));
  EXPECT_EQ(program.outputs[1].dtype, ElementType::kF16);
}

TEST_F(AtcIo, BadLayoutLists) {
  ExpectFailure(Build("image.onnx", {"--input_fp16_nodes=x", "--is_input_adjust_hw_layout=tru"}),
                "E10005", "must be true or false");
  ExpectFailure(
      Build("image.onnx", {"--input_fp16_nodes=x", "--is_input_adjust_hw_layout=true,false"}),
      "E10001", "it has 2 values, but --input_fp16_nodes has 1");
  ExpectFailure(Build("relu.onnx", {"--input_fp16_nodes=x", "--is_input_adjust_hw_layout=true"}),
                "E10001", "NC1HWC0 needs a 4-D input");
}

}  // namespace
}  // namespace cairn
