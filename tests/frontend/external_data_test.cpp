// SPDX-License-Identifier: Apache-2.0
// Tensors stored beside the model: read in place, and only from the model's folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "frontend/model_builder.h"

namespace cairn::onnx {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class ExternalDataTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / StrCat("cairn_external_", ::getpid());
    fs::remove_all(root_);
    fs::create_directories(root_ / "model");
  }
  void TearDown() override { fs::remove_all(root_); }

  /// y = x + w with w of four floats in the file `location`.
  ModelBuilder Model(const std::string& location,
                     std::vector<std::pair<std::string, std::string>> more = {}) {
    ModelBuilder model;
    model.Input("x", {"4"}).Output("y");
    TensorProto& w = model.Floats("w", {4}, {});
    w.set_data_location(1);
    more.emplace_back("location", location);
    for (const auto& [key, value] : more) {
      auto* entry = w.add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    model.Node("Add", {"x", "w"}, {"y"}, "sum");
    return model;
  }
  void Write(const fs::path& path, const std::vector<float>& values,
             const std::string& before = {}) {
    std::ofstream file(path, std::ios::binary);
    file << before;
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * 4));
  }
  std::string Folder() const { return (root_ / "model").string(); }

  fs::path root_;
};

TEST_F(ExternalDataTest, ReadsValuesAtAnyOffset) {
  Write(root_ / "model" / "w.bin", {1, 2, 3, 4}, "abc");
  auto model = Model("w.bin", {{"offset", "3"}, {"length", "16"}}).Import({}, nullptr, Folder());
  ASSERT_TRUE(model.ok()) << model.status().message();
  const Value* w = model->graph->Nodes()[0]->input(1);
  ASSERT_TRUE(w->is_constant());
  EXPECT_EQ(w->constant().GetDouble(3), 4);
}

TEST_F(ExternalDataTest, FromFileUsesTheModelsFolder) {
  Write(root_ / "model" / "w.bin", {1, 2, 3, 4});
  const std::string path = (root_ / "model" / "m.onnx").string();
  std::ofstream(path, std::ios::binary) << Model("w.bin").Serialize();
  EXPECT_TRUE(ImportOnnxFile(path, {}, nullptr).ok());
}

TEST_F(ExternalDataTest, MissingAndShortFiles) {
  EXPECT_THAT(Model("none.bin").ImportError({}, Folder()),
              AllOf(HasSubstr("'w'"), HasSubstr("none.bin")));
  Write(root_ / "model" / "w.bin", {1, 2, 3});
  EXPECT_THAT(Model("w.bin").ImportError({}, Folder()),
              AllOf(HasSubstr("too short"), HasSubstr("12 bytes"), HasSubstr("needs 16")));
  EXPECT_THAT(Model("w.bin", {{"offset", "18446744073709551600"}}).ImportError({}, Folder()),
              HasSubstr("too short"));
  EXPECT_THAT(Model("w.bin", {{"offset", "-4"}}).ImportError({}, Folder()),
              HasSubstr("non-negative integer"));
  EXPECT_THAT(Model("w.bin", {{"length", "8"}}).ImportError({}, Folder()), HasSubstr("needs 16"));
}

TEST_F(ExternalDataTest, OnlyTheModelsFolderIsRead) {
  Write(root_ / "secret.bin", {1, 2, 3, 4});
  EXPECT_THAT(Model("../secret.bin").ImportError({}, Folder()), HasSubstr("leaves the folder"));
  EXPECT_THAT(Model((root_ / "secret.bin").string()).ImportError({}, Folder()),
              HasSubstr("absolute path"));
  fs::create_symlink(root_ / "secret.bin", root_ / "model" / "link.bin");
  EXPECT_THAT(Model("link.bin").ImportError({}, Folder()), HasSubstr("symbolic link out"));
  EXPECT_THAT(Model("sub/../../secret.bin").ImportError({}, Folder()),
              HasSubstr("leaves the folder"));
  EXPECT_THAT(Model("w.bin").ImportError(), HasSubstr("has no folder"));
}

TEST_F(ExternalDataTest, APipeIsNoFileAndNotWaitedFor) {
  ASSERT_EQ(mkfifo((root_ / "model" / "w.bin").c_str(), 0600), 0);
  EXPECT_THAT(Model("w.bin").ImportError({}, Folder()), HasSubstr("not a regular file"));
}

TEST_F(ExternalDataTest, LinksInsideTheFolderAreFine) {
  fs::create_directories(root_ / "model" / "data");
  Write(root_ / "model" / "data" / "w.bin", {1, 2, 3, 4});
  fs::create_symlink("data/w.bin", root_ / "model" / "link.bin");
  EXPECT_EQ(Model("link.bin").ImportError({}, Folder()), "");
}

}  // namespace
}  // namespace cairn::onnx
