// SPDX-License-Identifier: Apache-2.0
// msame as a process: console lines, exit codes, result files.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "profile/reader.h"
#include "support/copy_model.h"

namespace cairn::testing {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code;
  std::string output;
};

class Msame : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / StrCat("cairn_msame_", getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    WriteCopyModel(folder_ / "net.om", {{"x", "y", ElementType::kF32, {2, 3}},
                                        {"bytes", "same", ElementType::kU8, {100}}});
    const float x[6] = {1, 2.5f, -3, 1e-7f, 123456789.0f, 0};
    WriteFile("x.bin", {reinterpret_cast<const char*>(x), sizeof(x)});
    WriteFile("b.bin", std::string(100, 'A'));
  }
  void TearDown() override { fs::remove_all(folder_); }

  void WriteFile(const std::string& name, const std::string& content) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  /// Runs msame in the folder; times, process ids and time stamps are replaced by letters.
  Outcome Run(const std::string& arguments, const std::string& before = "") {
    const std::string command =
        "cd '" + folder_.string() + "' && " + before + "'" MSAME_PATH "' " + arguments + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) output.append(buffer, n);
    const int status = pclose(pipe);
    output = std::regex_replace(output, std::regex("out/\\d+_\\d+_\\d+_\\d+_\\d+"), "out/TIME");
    output = std::regex_replace(output, std::regex("Inference time: [\\d.e-]+ms"),
                                "Inference time: Tms");
    output = std::regex_replace(output, std::regex("time: \\d+\\.\\d{6} ms"), "time: T ms");
    output = std::regex_replace(output, std::regex("pid: \\d+"), "pid: P");
    return {WEXITSTATUS(status), output};
  }

  /// The content of a result file of the only run.
  std::string Result(const std::string& name) {
    for (const auto& run : fs::directory_iterator(folder_ / "out")) {
      std::ostringstream text;
      text << std::ifstream(run.path() / name, std::ios::binary).rdbuf();
      return text.str();
    }
    return "no result folder";
  }

  fs::path folder_;
};

constexpr char kOpened[] =
    "[INFO] acl init success\n[INFO] open device 0 success\n[INFO] create context success\n"
    "[INFO] create stream success\n[INFO] get run mode success\n";
constexpr char kClosed[] =
    "[INFO] end to destroy stream\n[INFO] end to destroy context\n"
    "[INFO] end to reset device is 0\n[INFO] end to finalize acl\n";

TEST_F(Msame, PrintsTheKnownLinesOfATextRun) {
  const Outcome run = Run("--model=net.om --input=x.bin,b.bin --output=out --outfmt=TXT");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, std::string(kOpened) +
                            "[INFO] load model net.om success\n"
                            "[INFO] create model description success\n"
                            "[INFO] get input dynamic gear count success\n"
                            "[INFO] create model output success\n"
                            "out/TIME\n"
                            "[INFO] start to process file:x.bin\n"
                            "[INFO] start to process file:b.bin\n"
                            "[INFO] model execute success\n"
                            "Inference time: Tms\n"
                            "[INFO] get max dynamic batch size success\n"
                            "[INFO] output data success\n"
                            "Inference average time: T ms\n"
                            "[INFO] destroy model input success\n"
                            "[INFO] unload model success, model Id is 1\n"
                            "[INFO] pid: P Execute sample success\n" +
                            kClosed);
  EXPECT_EQ(Result("net_output_0.txt"), "1 2.5 -3 \n1e-07 1.23457e+08 0 \n");
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += "A ";
  EXPECT_EQ(Result("net_output_1.txt"), bytes);
}

TEST_F(Msame, WritesRawBytesByDefaultAndRepeats) {
  const Outcome run = Run("--model=net.om --input='x.bin , b.bin' --output=out --loop=3");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(Result("net_output_1.bin"), std::string(100, 'A'));
  EXPECT_NE(run.output.find("Inference average time without first time: T ms\n"),
            std::string::npos);
  size_t executions = 0;
  for (size_t at = 0; (at = run.output.find("Inference time: Tms", at)) != std::string::npos; ++at)
    ++executions;
  EXPECT_EQ(executions, 3u);
}

// A good run logs no error; the levels show what happened.
TEST_F(Msame, Logs) {
  const auto log_of = [this](const std::string& environment) {
    const std::string command = "cd '" + folder_.string() +
                                "' && rm -rf log && ASCEND_PROCESS_LOG_PATH=log " + environment +
                                " '" MSAME_PATH
                                "' --model=net.om --output=out >/dev/null && cat log/*/plog/*.log";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string log;
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) log.append(buffer, n);
    pclose(pipe);
    return log;
  };
  const std::string usual = log_of("");
  EXPECT_NE(usual.find("[EVENT] ASCENDCL("), std::string::npos) << usual;
  EXPECT_EQ(usual.find("[ERROR]"), std::string::npos) << usual;
  EXPECT_EQ(usual.find("loaded on device"), std::string::npos) << usual;
  const std::string debug = log_of("ASCEND_GLOBAL_LOG_LEVEL=0");
  EXPECT_NE(debug.find("loaded on device 0"), std::string::npos) << debug;
  EXPECT_NE(debug.find("run 1 done"), std::string::npos) << debug;
}

TEST_F(Msame, WithoutInputEverythingIsZero) {
  EXPECT_EQ(Run("--model=net.om --output=out").exit_code, 0);
  EXPECT_EQ(Result("net_output_1.bin"), std::string(100, '\0'));
}

TEST_F(Msame, RunsAllFilesOfFolders) {
  for (const char* name : {"a", "b"}) {
    WriteFile(StrCat("xs/", name, ".x"), std::string(24, 'x'));
    WriteFile(StrCat("bs/", name, ".x"), std::string(100, name[0]));
  }
  WriteFile("xs/.hidden", "");
  const Outcome run = Run("--model=net.om --input=xs,bs --output=out");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(Result("a_output_1.bin"), std::string(100, 'a'));
  EXPECT_EQ(Result("b_output_1.bin"), std::string(100, 'b'));
  EXPECT_NE(run.output.find("Inference average time : "), std::string::npos);
}

TEST_F(Msame, DebugDescribesTheModel) {
  const Outcome run = Run("--model=net.om --output=out --debug=true");
  EXPECT_NE(run.output.find("[DEBUG] NumInputs: 2\n[DEBUG] NumOutputs: 2\n"
                            "[DEBUG] the size of 0 input: 24\n"
                            "[DEBUG] the dims of 0 input:\n2 3 \n"
                            "[DEBUG] the name of 0 input: x\n"
                            "[DEBUG] the Format of 0 input: 2\n"
                            "[DEBUG] the DataType of 0 input: 0\n"),
            std::string::npos)
      << run.output;
}

TEST_F(Msame, ProfilerRecordsAllTasks) {
  const Outcome run = Run("--model=net.om --output=out --profiler=true --loop=2");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.output.find("[INFO] delete acl.json success\n"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "acl.json"));
  const auto folders = cairn::profile::FindProfileFolders(folder_ / "out/profiler");
  ASSERT_EQ(folders.size(), 1u);
  const auto recorded = cairn::profile::ReadProfile(folders[0]);
  ASSERT_TRUE(recorded.ok()) << recorded.status().message();
  const auto runs = std::count_if(
      recorded->tasks.begin(), recorded->tasks.end(),
      [](const auto& event) { return event.record.kind == cairn::profile::RecordKind::kRun; });
  EXPECT_EQ(runs, 2);
  ASSERT_EQ(recorded->programs.size(), 1u);
  EXPECT_EQ(recorded->programs.begin()->second.model_name, "copy");
}

TEST_F(Msame, UnusableArgumentsHaveTheirExitCodes) {
  const struct {
    const char* arguments;
    int exit_code;
    const char* line;
  } cases[] = {
      {"", 1, "[ERROR] Invalid params\n\n[ERROR] Execute sample failed\n"},
      {"--unknown", 0, "[ERROR] unknown paramenter\n"},
      {"--model=net.onnx --output=out", 0,
       "[ERROR] input model file type is not .om , please check your model type!\n\n"},
      {"--model=net.om --output=out --loop=0", 0, "[ERROR] loop must in 1 to 100\n"},
      {"--model=net.om --output=out --loop=101", 0, "[ERROR] loop must in 1 to 100\n"},
      {"--model=net.om --output=out --device=256", 0, "[ERROR] device id must in 0 to 255\n"},
      {"--model=net.om --output=out --dymBatch=2049", 0, "[ERROR] dymBatch must in 1 to 2048\n"},
      {"--model=net.om --output=out --dump=true --profiler=true", 1,
       "[ERROR] dump and profiler can not both be true\n"},
      {"--model=net.om --output=out --dymBatch=1 --dymHW=1,1", 1,
       "[ERROR] dymBatch dymDims dymHW dymShape cannot be set at the same time\n"},
      {"--model=net.om --output=out --dymBatch=1", 1,
       "[ERROR] the dynamic_batch_size parameter is not specified for model conversion\n"},
      {"--model=net.om --output=out --input=nowhere", 0, "[ERROR] nowhere doesn't exist\n"},
      {"--model=none.om --output=out", 1,
       "[ERROR] load model from file failed, model file is none.om\n"},
      {"--model=net.om --output=out --input=x.bin,folder.bin", 1,
       "[ERROR] open file folder.bin failed, it is a folder\n"},
      {"--model=net.om --output=out --input=x.bin,none.bin", 1,
       "[ERROR] open file none.bin failed\n"},
  };
  fs::create_directory(folder_ / "folder.bin");
  for (const auto& c : cases) {
    const Outcome run = Run(c.arguments);
    EXPECT_EQ(run.exit_code, c.exit_code) << c.arguments << "\n" << run.output;
    EXPECT_NE(run.output.find(c.line), std::string::npos) << c.arguments << "\n" << run.output;
  }
}

TEST_F(Msame, ResultsThatCannotBeWrittenAreAnError) {
  const Outcome run = Run("--model=net.om --output=out", "ulimit -f 0; ");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("net_output_0.bin failed\n"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("[INFO] end to finalize acl\n"), std::string::npos) << run.output;
  EXPECT_EQ(Result("net_output_0.bin"), "");
  for (const auto& time : fs::directory_iterator(folder_ / "out"))
    EXPECT_TRUE(fs::is_empty(time.path()));
}

TEST_F(Msame, WrongOutputSizesAreExplained) {
  const Outcome run = Run("--model=net.om --output=out --outputSize=24,99");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("the buffer has 99 bytes; aclmdlGetOutputSizeByIndex gives"),
            std::string::npos)
      << run.output;
}

TEST_F(Msame, WrongInputSizesAreExplained) {
  WriteFile("short.bin", std::string(99, 'A'));
  Outcome run = Run("--model=net.om --output=out --input=x.bin,short.bin");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.output.find("[WARN] input 1 (bytes) takes 100 bytes, short.bin has 99\n"),
            std::string::npos)
      << run.output;
  WriteFile("half.bin", std::string(50, 'A'));
  run = Run("--model=net.om --output=out --input=x.bin,half.bin");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("input 1 'bytes' (u8 [100], 100 bytes): the buffer has 50 bytes; the "
                            "data hold 1/2 of the elements"),
            std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("[ERROR] Sample process failed\n"), std::string::npos);

  WriteFile("double.bin", std::string(200, 'A'));
  run = Run("--model=net.om --output=out --input=x.bin,double.bin");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("the buffer has 200 bytes; the data hold 2 times"), std::string::npos)
      << run.output;
  WriteFile("far.bin", std::string(35, 'A'));  // 65 bytes short
  run = Run("--model=net.om --output=out --input=x.bin,far.bin");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("the buffer has 35 bytes"), std::string::npos) << run.output;
}

TEST_F(Msame, ForeignFilesAreExplained) {
  WriteFile("renamed.om", std::string("\x08\x07\x12\x07pytorch:\x08graph", 20));
  const Outcome run = Run("--model=renamed.om --output=out");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.output.find("looks like an ONNX model, which atc must compile first"),
            std::string::npos)
      << run.output;
}

}  // namespace
}  // namespace cairn::testing
