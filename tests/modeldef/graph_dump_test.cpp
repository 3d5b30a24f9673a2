// SPDX-License-Identifier: Apache-2.0
// Which stages are dumped, where, and in which form.
#include "modeldef/graph_dump.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "ir/text.h"

namespace cairn::modeldef {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGraph = R"(graph @net(%x: f32[2]) -> (%y) {
  const %w: f32[2] = dense<[1.5, 2.5]>
  %y: f32[2] = Add(%x, %w) name "sum"
})";

class GraphDumpTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / ("graph_dump_" + std::to_string(getpid()));
    fs::remove_all(root_);
    auto graph = ParseGraph(kGraph);
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    graph_ = std::move(*graph);
  }
  void TearDown() override { fs::remove_all(root_); }

  // Dumps four stages under the given environment; returns the names of the files.
  std::set<std::string> Dump(std::map<std::string, std::string> environment) {
    environment.emplace("DUMP_GRAPH_PATH", root_.string());
    GraphDumper dumper([&](const char* name) -> const char* {
      const auto found = environment.find(name);
      return found == environment.end() ? nullptr : found->second.c_str();
    });
    for (const auto stage :
         {kStageImported, std::string_view("Fold/Constants"), kStageOptimized, kStageFinal}) {
      dumper.Dump(*graph_, stage);
    }
    warnings_ = dumper.warnings();
    std::set<std::string> names;
    if (!fs::exists(Folder())) return names;
    for (const auto& entry : fs::directory_iterator(Folder())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  fs::path Folder() const { return root_ / ("pid_" + std::to_string(getpid()) + "_deviceid_0"); }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Folder() / name).rdbuf();
    return text.str();
  }

  fs::path root_;
  std::unique_ptr<Graph> graph_;
  std::vector<std::string> warnings_;  // Of the last Dump().
};

TEST_F(GraphDumpTest, WarnsAboutWhatItCannotDo) {
  EXPECT_EQ(Dump({{"DUMP_GE_GRAPH", "3"}, {"DUMP_GRAPH_LEVEL", "3"}}).size(), 2u);
  EXPECT_TRUE(warnings_.empty());
  fs::remove_all(root_);
  EXPECT_EQ(Dump({{"DUMP_GE_GRAPH", "2"},
                  {"DUMP_GRAPH_LEVEL", "3"},
                  {"DUMP_GRAPH_FORMAT", "onnx|readable"}}),
            std::set<std::string>{"ge_readable_00000000_Build.txt"});
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("'onnx' is not written"), std::string::npos) << warnings_[0];
  Dump({{"DUMP_GE_GRAPH", "yes"}});
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("'yes'"), std::string::npos) << warnings_[0];
  Dump({{"DUMP_GE_GRAPH", "1"}, {"DUMP_GRAPH_PATH", "/proc/none"}});
  ASSERT_EQ(warnings_.size(), 1u);  // One for all stages.
  EXPECT_NE(warnings_[0].find("/proc/none"), std::string::npos) << warnings_[0];
}

TEST_F(GraphDumpTest, IsOffByDefault) {
  EXPECT_TRUE(Dump({}).empty());
  EXPECT_TRUE(Dump({{"DUMP_GE_GRAPH", "0"}}).empty());
}

TEST_F(GraphDumpTest, WritesBothFormsOfTheMainStages) {
  EXPECT_EQ(Dump({{"DUMP_GE_GRAPH", "2"}}),
            (std::set<std::string>{
                "ge_proto_00000000_PreRunBegin.txt", "ge_readable_00000000_PreRunBegin.txt",
                "ge_proto_00000001_PreRunAfterOptimizeOriginalGraph.txt",
                "ge_readable_00000001_PreRunAfterOptimizeOriginalGraph.txt",
                "ge_proto_00000002_Build.txt", "ge_readable_00000002_Build.txt"}));
  const std::string proto = Read("ge_proto_00000000_PreRunBegin.txt");
  EXPECT_NE(proto.find("name: \"sum\""), std::string::npos);
  EXPECT_EQ(proto.find("data:"), std::string::npos);
  EXPECT_NE(Read("ge_readable_00000002_Build.txt").find("Add(%x, %w)"), std::string::npos);
}

TEST_F(GraphDumpTest, LevelsSelectStages) {
  const auto count = [&](const std::string& level) {
    fs::remove_all(root_);
    return Dump({{"DUMP_GE_GRAPH", "2"},
                 {"DUMP_GRAPH_LEVEL", level},
                 {"DUMP_GRAPH_FORMAT", "readable"}})
        .size();
  };
  EXPECT_EQ(count("1"), 4u);
  EXPECT_EQ(count("2"), 3u);
  EXPECT_EQ(count("3"), 1u);
  EXPECT_EQ(count("4"), 1u);
  EXPECT_EQ(count("Fold|Begin"), 2u);
  EXPECT_EQ(count("Nothing"), 0u);
}

TEST_F(GraphDumpTest, FullDumpHoldsTheWeights) {
  Dump({{"DUMP_GE_GRAPH", "1"}, {"DUMP_GRAPH_LEVEL", "3"}});
  EXPECT_NE(Read("ge_proto_00000000_Build.txt").find("data:"), std::string::npos);
  EXPECT_NE(Read("ge_readable_00000000_Build.txt").find("[1.5, 2.5]"), std::string::npos);
}

}  // namespace
}  // namespace cairn::modeldef
