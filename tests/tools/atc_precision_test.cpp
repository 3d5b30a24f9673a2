// SPDX-License-Identifier: Apache-2.0
// Precision options as they change the tasks of a program.
#include "atc_command.h"

namespace cairn {
namespace {

class AtcPrecision : public AtcCommand {
 protected:
  void SetUp() override {
    AtcCommand::SetUp();
    SaveModel("net.onnx", {"Exp", "Softmax", "Abs"}, {2, 3});
  }

  // How often values are rounded to a smaller type, from the console of a build.
  int Roundings(const std::vector<std::string>& options) {
    std::vector<std::string> words = {"--log=info"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = Build("net.onnx", words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    const size_t at = outcome.out.find("LowerPrecision ");
    return at == std::string::npos ? 0 : std::atoi(outcome.out.c_str() + at + 15);
  }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(Path(name)) << text;
  }
};

TEST_F(AtcPrecision, ModesRound) {
  EXPECT_EQ(Roundings({}), 0);
  EXPECT_EQ(Roundings({"--precision_mode=must_keep_origin_dtype"}), 0);
  EXPECT_EQ(Roundings({"--precision_mode=allow_fp32_to_fp16"}), 0);
  // The input, and the results of Exp and Softmax; Abs keeps what is rounded.
  EXPECT_EQ(Roundings({"--precision_mode=force_fp16"}), 3);
  EXPECT_EQ(Roundings({"--precision_mode_v2=fp16"}), 3);
  EXPECT_EQ(Roundings({"--precision_mode=allow_mix_precision"}), 0);
}

TEST_F(AtcPrecision, FilesChangeTheModes) {
  Write("keep", "OpType::SoftmaxV2\n");
  EXPECT_EQ(Roundings({"--precision_mode=force_fp16", "--keep_dtype=keep"}), 3);
  Write("keep", "node0\nnode1\nnode2\n");
  EXPECT_EQ(Roundings({"--precision_mode=force_fp16", "--keep_dtype=keep"}), 0);
  Write("mix",
        R"({"white-list": {"to-add": ["Exp"]}, "black-list": {"to-remove": ["SoftmaxV2"]}})");
  EXPECT_EQ(Roundings({"--precision_mode=allow_mix_precision", "--modify_mixlist=mix"}), 3);
  Write("types",
        "node0::InputDtype:float16,OutputDtype:float32\nOpType::Abs:OutputDtype:bfloat16\n");
  EXPECT_EQ(Roundings({"--customize_dtypes=types"}), 2);
  Write("variants", "[ByOpType]\nSoftmax=keep_fp16\n[ByNodeName]\nnode2=high_precision\n");
  EXPECT_EQ(Roundings({"--op_precision_mode=variants"}), 2);
}

TEST_F(AtcPrecision, NodesThatTheModelLacksAreWarnedAbout) {
  Write("keep", "node0\nnode9\n");
  const Outcome outcome = Build("net.onnx", {"--precision_mode=force_fp16", "--keep_dtype=keep"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("'node9', which the model does not have"), std::string::npos);
  EXPECT_EQ(outcome.out.find("'node0'"), std::string::npos);
}

TEST_F(AtcPrecision, BadFiles) {
  Write("mix", R"({"white-list": {"to-add": "Exp"}})");
  ExpectFailure(Build("net.onnx", {"--precision_mode=allow_mix_precision", "--modify_mixlist=mix"}),
                "E10032", "must be a list of operator types");
  Write("types", "node0:float16\n");
  ExpectFailure(Build("net.onnx", {"--customize_dtypes=types"}), "E10001", "InputDtype");
  Write("variants", "[ByOpType]\nSoftmax=fast\n");
  ExpectFailure(Build("net.onnx", {"--op_precision_mode=variants"}), "E10001", "Softmax=fast");
}

}  // namespace
}  // namespace cairn
