// SPDX-License-Identifier: Apache-2.0
// The atc program as its users meet it: console protocol, exit codes, files, bad models.
#include "atc_command.h"

namespace cairn {
namespace {

TEST_F(AtcCommand, SuccessFollowsTheConsoleProtocol) {
  const Outcome outcome = Build("relu.onnx");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out,
            "ATC start working now, please wait for a moment.\n"
            "...\n"
            "ATC run success, welcome to the next use.\n"
            "\n");
  EXPECT_EQ(outcome.err, "");
  auto om = OmFile::Map(Path("out.om"));
  ASSERT_TRUE(om.ok()) << om.status().ToString();
  auto image = om->Image();
  ASSERT_TRUE(image.ok());
  auto program = ReadProgram(image->program);
  ASSERT_TRUE(program.ok()) << program.status().ToString();
  EXPECT_EQ(program->inputs[0].name, "x");
  EXPECT_EQ(program->outputs[0].name, "node0:0:y");
  EXPECT_EQ(program->model_name, "out");
}

TEST_F(AtcCommand, FailureFollowsTheConsoleProtocol) {
  const Outcome outcome = Build("none.onnx");
  EXPECT_EQ(outcome.exit_code, 255);
  EXPECT_EQ(outcome.out.find("ATC start working now, please wait for a moment.\n...\nATC run "
                             "failed, Please check the detail log, Try 'atc --help' for more "
                             "information\n[PID: "),
            0u)
      << outcome.out;
  EXPECT_NE(outcome.out.find("File_Operation_Error_Invalid_Path(E13026): Path [none.onnx] is "
                             "invalid: No such file or directory\n        Solution: "),
            std::string::npos);
}

TEST_F(AtcCommand, TheReportTellsPassesChoicesAndMemory) {
  ASSERT_EQ(Build("relu.onnx", {"--report=" + Path("report.json")}).exit_code, 0);
  const auto json = nlohmann::json::parse(ReadFile(Path("report.json")));
  EXPECT_FALSE(json["passes"].empty());
  ASSERT_FALSE(json["nodes"].empty());
  EXPECT_FALSE(json["nodes"][0]["candidates"].empty());
  EXPECT_GE(json["arena_bytes"].get<uint64_t>(), json["arena_lower_bound"].get<uint64_t>());
  ASSERT_EQ(Build("relu.onnx", {"--report=" + Path("report.html")}).exit_code, 0);
  EXPECT_NE(ReadFile(Path("report.html")).find("\"candidates\""), std::string::npos);
  const Outcome outcome = Build("relu.onnx", {"--report=" + Path("report.txt")});
  EXPECT_EQ(outcome.exit_code, 255);
  EXPECT_NE(outcome.out.find("ends neither in .json nor in .html"), std::string::npos);
}

TEST_F(AtcCommand, ParserComplaintsGoToStderr) {
  const Outcome outcome = Run({"--modell=relu.onnx"});
  EXPECT_EQ(outcome.exit_code, 255);
  EXPECT_EQ(outcome.err, "ERROR: unknown command line flag 'modell'; did you mean 'model'?\n");
  EXPECT_EQ(outcome.out,
            "ATC start working now, please wait for a moment.\n"
            "ATC run failed, Please check the detail log, Try 'atc --help' for more information\n"
            "\n");
  EXPECT_EQ(Run({"relu.onnx"}).err, "ERROR: Non-option parameter: relu.onnx\n");
}

TEST_F(AtcCommand, HelpExitsWithSuccessAndNoVerdict) {
  for (const char* word : {"--help", "-h"}) {
    const Outcome outcome = Run({word});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("--soc_version"), std::string::npos);
    EXPECT_EQ(outcome.out.find("ATC run"), std::string::npos);
  }
}

TEST_F(AtcCommand, BadModelFiles) {
  std::ofstream(Path("empty.onnx"));
  ExpectFailure(Build("empty.onnx"), "E16001", "empty");
  std::ofstream(Path("garbage.onnx")) << "this is no model at all";
  ExpectFailure(Build("garbage.onnx"), "E16001", "garbage.onnx");
  const std::string whole = ReadFile(Path("relu.onnx"));
  std::ofstream(Path("short.onnx"), std::ios::binary) << whole.substr(0, whole.size() / 2);
  ExpectFailure(Build("short.onnx"), "E16001", "truncated");
  fs::create_directories(Path("folder.onnx"));
  ExpectFailure(Build("folder.onnx"), "E13026", "it is a folder");
  EXPECT_EQ(Build("relu.onnx").exit_code, 0);
  fs::rename(Path("out.om"), Path("model.om"));
  ExpectFailure(Build("model.om"), "E16001", ".om");
}

TEST_F(AtcCommand, GraphsThatContradictThemselves) {
  onnx::ModelProto cycle = Chain({"Relu", "Relu"}, {2, 3});
  cycle.mutable_graph()->mutable_node(0)->set_input(0, "y");
  Save("cycle.onnx", cycle);
  ExpectFailure(Build("cycle.onnx"), "E16001", "cycle");

  onnx::ModelProto dangling = Chain({"Relu", "Relu"}, {2, 3});
  dangling.mutable_graph()->mutable_node(1)->set_input(0, "nowhere");
  Save("dangling.onnx", dangling);
  ExpectFailure(Build("dangling.onnx"), "E16001", "nowhere");

  onnx::ModelProto shapes = Chain({"Relu"}, {2, 3});
  auto& declared = *shapes.mutable_graph()->mutable_output(0)->mutable_type();
  declared.mutable_tensor_type()->set_elem_type(1);
  for (int64_t dim : {2, 5}) {
    declared.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dim);
  }
  Save("shapes.onnx", shapes);
  const Outcome outcome = Build("shapes.onnx");
  ExpectFailure(outcome, "E16001", "[2,3]");
  EXPECT_NE(outcome.out.find("[2,5]"), std::string::npos) << outcome.out;

  SaveModel("huge.onnx", {"Relu"}, {int64_t{1} << 40, int64_t{1} << 40});
  EXPECT_EQ(Build("huge.onnx").exit_code, 255);
  EXPECT_FALSE(fs::exists(Path("out.om")));
  SaveModel("large.onnx", {"Relu"}, {int64_t{1} << 30, int64_t{1} << 27});
  ExpectFailure(Build("large.onnx"), "E16001", "more than 2^56 elements");
}

TEST_F(AtcCommand, ExternalDataMustBeWholeAndInTheModelsFolder) {
  onnx::ModelProto model = Chain({"Relu"}, {2, 3});
  onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.add_dims(64);
  tensor.set_data_type(1);
  tensor.set_data_location(1);
  auto& location = *tensor.add_external_data();
  location.set_key("location");
  const auto build = [&](const std::string& file) {
    location.set_value(file);
    Save("external.onnx", model);
    return Build("external.onnx");
  };
  // A weight that the output depends on, so that it is read.
  model.mutable_graph()->mutable_output(0)->set_name("w");
  ExpectFailure(build("none.bin"), "E13001", "none.bin");
  std::ofstream(Path("short.bin")) << "12345678";
  ExpectFailure(build("short.bin"), "E16001", "short.bin");
  ExpectFailure(build("../short.bin"), "E16001", "../short.bin");
}

TEST_F(AtcCommand, UnsupportedNodesAreAllInOneReport) {
  SaveModel("odd.onnx", {"Frobnicate", "Relu", "Gelatinize"}, {2, 3});
  const Outcome outcome = Build("odd.onnx");
  ExpectFailure(outcome, "E16002", "2 nodes of the model cannot be compiled");
  EXPECT_NE(outcome.out.find("node 'node0' (ai.onnx::13::Frobnicate)"), std::string::npos);
  EXPECT_NE(outcome.out.find("node 'node2' (ai.onnx::13::Gelatinize)"), std::string::npos);
}

TEST_F(AtcCommand, InputShapesThatDoNotFitTheModel) {
  SaveModel("open.onnx", {"Relu"}, {-1, 3});
  ExpectFailure(Build("open.onnx", {"--input_shape=X:1,3"}), "E10016", "its inputs are 'x'");
  ExpectFailure(Build("open.onnx", {"--input_shape=x:1,3,4"}), "E10049", "3 dimensions");
  ExpectFailure(Build("open.onnx", {"--input_shape=x:1,4"}), "E10049", "axis 1");
  for (const char* open : {"--log=error", "--input_shape=x:-1,3", "--input_shape=x:1~4,3",
                           "--input_shape_range=x:[1~4,3]", "--input_hint_shape=0:[2,3]"}) {
    EXPECT_EQ(Build("open.onnx", {open}).exit_code, 0) << open;
    auto om = OmFile::Map(Path("out.om"));
    ASSERT_TRUE(om.ok()) << open;
    auto program = ReadProgram(om->Image()->program);
    ASSERT_TRUE(program.ok()) << open;
    EXPECT_TRUE(program->is_open()) << open;
    EXPECT_EQ(program->inputs[0].dims, (std::vector<int64_t>{-1, 3})) << open;
  }
  fs::remove(Path("out.om"));
  ExpectFailure(Build("open.onnx", {"--input_hint_shape=0:[-1,3]"}), "E10001", "positive numbers");
  EXPECT_EQ(Build("open.onnx", {"--input_shape=x:4,3"}).exit_code, 0);
}

TEST_F(AtcCommand, OutNodes) {
  SaveModel("two.onnx", {"Relu", "Relu"}, {2, 3});
  ExpectFailure(Build("two.onnx", {"--out_nodes=node7:0"}), "E10016", "node7");
  ExpectFailure(Build("two.onnx", {"--out_nodes=elsewhere"}), "E10016", "its outputs are 'y'");
  ExpectFailure(Build("two.onnx", {"--out_nodes=node0:5"}), "E11016", "1 output");
  EXPECT_EQ(Build("two.onnx", {"--out_nodes=node0:0;y"}).exit_code, 0);
  auto om = OmFile::Map(Path("out.om"));
  auto program = ReadProgram(om->Image()->program);
  ASSERT_EQ(program->outputs.size(), 2u);
  EXPECT_EQ(program->outputs[0].name, "node0:0:t0");
  EXPECT_EQ(program->outputs[1].name, "node1:0:y");
}

TEST_F(AtcCommand, PrecisionModes) {
  onnx::ModelProto half = Chain({"Relu"}, {2, 3});
  half.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(10);
  Save("half.onnx", half);
  EXPECT_EQ(Build("half.onnx", {"--precision_mode=force_fp32"}).exit_code, 0);
  EXPECT_EQ(Build("half.onnx", {"--precision_mode=must_keep_origin_dtype"}).exit_code, 0);
  EXPECT_EQ(Build("relu.onnx", {"--precision_mode=force_fp32"}).exit_code, 0);
  const Outcome outcome = Build("relu.onnx", {"--precision_mode_v2=cube_hif8", "--log=info"});
  EXPECT_NE(outcome.out.find("[INFO] --precision_mode_v2=cube_hif8 accepted without effect"),
            std::string::npos);
}

TEST_F(AtcCommand, SocVersions) {
  ExpectFailure(Build("relu.onnx", {"--soc_version=Ascend999"}), "E10001", "Cairn-x86-64-v3");
  const Outcome outcome = Build("relu.onnx", {"--soc_version=Ascend310P"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("welcome to the next use.\nWARNING: Ascend310P3 is simulated"),
            std::string::npos);
}

TEST_F(AtcCommand, AFailedWriteKeepsTheOldFile) {
  std::ofstream(Path("out.om")) << "old";
  const Outcome outcome = Build("relu.onnx", {}, 2048);
  EXPECT_EQ(outcome.exit_code, 255);
  EXPECT_NE(outcome.out.find("(E13004): "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("File too large"), std::string::npos) << outcome.out;
  EXPECT_EQ(ReadFile(Path("out.om")), "old");
  for (const auto& entry : fs::directory_iterator(folder_)) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
}

TEST_F(AtcCommand, UnwritableOutput) {
  const Outcome outcome = Build("relu.onnx", {"--output=relu.onnx/out"});
  ExpectFailure(outcome, "E13000", "is not a folder");
  ExpectFailure(Build("relu.onnx", {"--output=/proc/none/out"}), "E13004", "/proc");
}

TEST_F(AtcCommand, EqualCommandsGiveEqualFiles) {
  ASSERT_EQ(Build("relu.onnx").exit_code, 0);
  const std::string first = ReadFile(Path("out.om"));
  ASSERT_EQ(Build("relu.onnx").exit_code, 0);
  EXPECT_TRUE(first == ReadFile(Path("out.om")));
}

TEST_F(AtcCommand, LogLevelsOnTheConsole) {
  const std::string info = Build("relu.onnx", {"--log=info", "--input_format=ND"}).out;
  for (const char* text :
       {"[INFO] --input_format=ND accepted without effect", "[INFO] model: 1 nodes",
        "[INFO] passes: ", "[INFO] kernels: ", "[INFO] layouts: 0 TransData",
        "[INFO] memory: ", "[INFO] file: out.om"}) {
    EXPECT_NE(info.find(text), std::string::npos) << text << "\n" << info;
  }
  EXPECT_EQ(info.find("[DEBUG]"), std::string::npos);
  const std::string debug = Build("relu.onnx", {"--log=debug"}).out;
  EXPECT_NE(debug.find("[DEBUG]   node0 (Relu) -> "), std::string::npos) << debug;
  EXPECT_EQ(Build("relu.onnx", {"--log=error"}).out.find("[INFO]"), std::string::npos);
}

// Fused and rewritten nodes are found by the names of the model.
TEST_F(AtcCommand, DebugLinesNameTheNodesOfTheModel) {
  SaveModel("chain.onnx", {"Relu", "Exp", "Neg"}, {64, 64});
  const std::string debug = Build("chain.onnx", {"--log=debug"}).out;
  EXPECT_NE(debug.find(", stands for node0, node1, node2 -> elementwise"), std::string::npos)
      << debug;
}

TEST_F(AtcCommand, TheTuningBankLiesInTheNamedFolder) {
  SaveModel("pool.onnx", {"GlobalAveragePool"}, {1, 64, 128, 128});
  fs::create_directories(Path("bank"));
  const Outcome kept =
      Build("pool.onnx", {"--soc_version=native", "--tune=on", "--op_bank_path=bank"});
  EXPECT_EQ(kept.exit_code, 0) << kept.out;
  EXPECT_EQ(kept.out.find("WARNING"), std::string::npos) << kept.out;
  EXPECT_TRUE(fs::exists(Path("bank/tuning_bank.txt")));
  const Outcome lost =
      Build("pool.onnx", {"--soc_version=native", "--tune=on", "--op_bank_path=/proc/none"});
  EXPECT_EQ(lost.exit_code, 0) << lost.out;
  EXPECT_NE(lost.out.find("WARNING: the measurements of this compilation are not kept"),
            std::string::npos)
      << lost.out;
}

TEST_F(AtcCommand, ErrorsReachTheLogFile) {
  Build("none.onnx", {"--log=error"});
  std::string log;
  for (const auto& entry : fs::directory_iterator(Path("log/debug/plog"))) {
    log += ReadFile(entry.path());
  }
  EXPECT_NE(log.find("[ERROR] GE("), std::string::npos);
  EXPECT_NE(log.find("E13026"), std::string::npos);
}

TEST_F(AtcCommand, ModesOneAndSixShowAnOfflineModel) {
  const Outcome built = Build("relu.onnx", {"--display_model_info=1"});
  const size_t begin = built.out.find("============ Display Model Info start");
  ASSERT_NE(begin, std::string::npos);
  const Outcome shown = Run({"--mode=6", "--om=out.om"});
  EXPECT_EQ(shown.exit_code, 0);
  const size_t length = built.out.find("...\n") - begin;
  EXPECT_NE(shown.out.find(built.out.substr(begin, length)), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("Original Atc command line: atc --model=relu.onnx"), std::string::npos);

  EXPECT_EQ(Run({"--mode=1", "--om=out.om", "--json=out.json"}).exit_code, 0);
  const auto json = nlohmann::json::parse(ReadFile(Path("out.json")));
  EXPECT_EQ(json["graph"][0]["op"][0]["type"], "Data");

  EXPECT_NE(Run({"--mode=6"}).out.find("(E10004)"), std::string::npos);
  EXPECT_NE(Run({"--mode=1", "--om=out.om"}).out.find("(E10004)"), std::string::npos);
  EXPECT_NE(Run({"--mode=6", "--om=out.om", "--framework=5"}).out.find("(E10057)"),
            std::string::npos);
  EXPECT_NE(Run({"--mode=6", "--om=relu.onnx"}).out.find("(E10041)"), std::string::npos);
  EXPECT_NE(Run({"--mode=6", "--om=relu.onnx"}).out.find("ONNX model"), std::string::npos);
  EXPECT_NE(Run({"--mode=7", "--om=out.om"}).out.find("--mode is not supported yet"),
            std::string::npos);
}

TEST_F(AtcCommand, SwitchFiles) {
  std::ofstream(Path("empty.cfg"));
  ExpectFailure(Build("relu.onnx", {"--fusion_switch_file=empty.cfg"}), "E21001", "empty");
  std::ofstream(Path("bad.cfg")) << "FuseAll:maybe\n";
  ExpectFailure(Build("relu.onnx", {"--fusion_switch_file=bad.cfg"}), "E20003", "on or off");
  std::ofstream(Path("odd.cfg")) << "NoSuchPassAnywhere:off\n";
  const Outcome outcome = Build("relu.onnx", {"--fusion_switch_file=odd.cfg"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("unknown pass 'NoSuchPassAnywhere'"), std::string::npos);
  EXPECT_EQ(Build("relu.onnx", {"--oo_level=O0"}).exit_code, 0);
}

TEST_F(AtcCommand, FusionResultIsWrittenWhenAskedFor) {
  ASSERT_EQ(Build("relu.onnx").exit_code, 0);
  EXPECT_FALSE(fs::exists(Path("fusion_result.json")));
  ASSERT_EQ(Build("relu.onnx", {"--export_compile_stat=1"}).exit_code, 0);
  const auto json = nlohmann::json::parse(ReadFile(Path("fusion_result.json")));
  EXPECT_TRUE(json["session_and_graph_id_0_0"].contains("graph_fusion"));
}

// Whenever atc dies, the final name holds a whole file or none.
TEST_F(AtcCommand, AKillAtAnyMomentLeavesNoPartialFile) {
  std::vector<std::string> chain(200, "Relu");
  SaveModel("long.onnx", chain, {2, 3});
  for (int round = 0; round < 24; ++round) {
    fs::remove(Path("out.om"));
    const pid_t child = Start({"--model=long.onnx", "--framework=5", "--output=out",
                               "--soc_version=Cairn-x86-64-v3", "--tune=off"});
    std::this_thread::sleep_for(std::chrono::microseconds(1500 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (!fs::exists(Path("out.om"))) continue;
    auto om = OmFile::Map(Path("out.om"));
    ASSERT_TRUE(om.ok()) << om.status().ToString();
    EXPECT_TRUE(ReadProgram(om->Image()->program).ok());
  }
}

}  // namespace
}  // namespace cairn
