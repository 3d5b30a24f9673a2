// SPDX-License-Identifier: Apache-2.0
// Runs the atc program in a folder of its own on small models.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/strings.h"
#include "executable/om_reader.h"
#include "executable/program.h"
#include "frontend/onnx/cairn_onnx.pb.h"

namespace cairn {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class AtcCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("atc_command_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    SaveModel("relu.onnx", {"Relu"}, {2, 3});
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // A chain of one-input operators from `x` of the given shape (-1: symbolic) to `y`.
  static onnx::ModelProto Chain(const std::vector<std::string>& ops,
                                const std::vector<int64_t>& shape) {
    onnx::ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(13);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.set_name("net");
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name("x");
    auto& tensor = *input.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(1);
    for (int64_t dim : shape) {
      auto& written = *tensor.mutable_shape()->add_dim();
      if (dim < 0) {
        written.set_dim_param("N");
      } else {
        written.set_dim_value(dim);
      }
    }
    for (size_t i = 0; i < ops.size(); ++i) {
      onnx::NodeProto& node = *graph.add_node();
      node.set_name(StrCat("node", i));
      node.set_op_type(ops[i]);
      node.add_input(i == 0 ? "x" : StrCat("t", i - 1));
      node.add_output(i + 1 == ops.size() ? "y" : StrCat("t", i));
    }
    graph.add_output()->set_name("y");
    return model;
  }
  void Save(const std::string& name, const onnx::ModelProto& model) {
    std::ofstream file(Path(name), std::ios::binary);
    model.SerializeToOstream(&file);
  }
  void SaveModel(const std::string& name, const std::vector<std::string>& ops,
                 const std::vector<int64_t>& shape) {
    Save(name, Chain(ops, shape));
  }

  // Starts atc in the test's folder with its output in files; returns its process id.
  pid_t Start(const std::vector<std::string>& words, rlim_t file_size_limit = RLIM_INFINITY) {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(99);
    setenv("ASCEND_PROCESS_LOG_PATH", Path("log").c_str(), 1);
    if (freopen("stdout.txt", "w", stdout) == nullptr) _exit(99);
    if (freopen("stderr.txt", "w", stderr) == nullptr) _exit(99);
    if (file_size_limit != RLIM_INFINITY) {
      const rlimit limit{file_size_limit, file_size_limit};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    std::vector<char*> arguments = {const_cast<char*>("atc")};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(CAIRN_ATC_PATH, arguments.data());
    _exit(99);
  }

  Outcome Run(const std::vector<std::string>& words, rlim_t file_size_limit = RLIM_INFINITY) {
    int state = 0;
    waitpid(Start(words, file_size_limit), &state, 0);
    return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, ReadFile(Path("stdout.txt")),
            ReadFile(Path("stderr.txt"))};
  }

  // Compiles `model` to out.om with further words.
  Outcome Build(const std::string& model, const std::vector<std::string>& extra = {},
                rlim_t file_size_limit = RLIM_INFINITY) {
    std::vector<std::string> words = {"--model=" + model, "--framework=5", "--output=out",
                                      "--soc_version=Cairn-x86-64-v3", "--tune=off"};
    words.insert(words.end(), extra.begin(), extra.end());
    return Run(words, file_size_limit);
  }

  // Expects a failed run with this code and text, and no file under the final name.
  void ExpectFailure(const Outcome& outcome, const std::string& code, const std::string& text) {
    EXPECT_EQ(outcome.exit_code, 255) << outcome.out;
    EXPECT_NE(outcome.out.find("(" + code + "): "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(text), std::string::npos) << outcome.out;
    EXPECT_FALSE(fs::exists(Path("out.om")));
  }

  fs::path folder_;
};

}  // namespace cairn
