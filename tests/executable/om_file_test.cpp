// SPDX-License-Identifier: Apache-2.0
// The `.om` container: layout on disk, round trip, refusal of foreign, short and damaged files.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/atomic_file.h"
#include "executable/om_reader.h"
#include "executable/om_writer.h"
#include "executable/program_file.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

Bytes ToBytes(std::string_view text) {
  const auto span = std::as_bytes(std::span(text));
  return Bytes(span.begin(), span.end());
}

Bytes ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return ToBytes(text.str());
}

template <class T>
T At(const Bytes& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

class OmFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("om_file_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    contents_.model_name = "net";
    contents_.platform_version = "Cairn-x86-64-v3";
    contents_.inputs = {{"x", ElementType::kF32, 0, 48, {1, 3, 2, 2}}};
    contents_.outputs = {{"y", ElementType::kI64, 2, 8, {1}}};
    weights_ = ToBytes(std::string(1000, 'w'));
    program_ = ToBytes(std::string(kProgramMagic, 8) + std::string(100, 'p'));
    model_def_.assign(OmModelDefPadding(WithParts(), 0), std::byte{7});
  }
  void TearDown() override { fs::remove_all(folder_); }

  OmContents& WithParts() {
    contents_.weights = weights_;
    contents_.task_info = program_;
    contents_.model_def = model_def_;
    return contents_;
  }
  fs::path Write() {
    const fs::path path = folder_ / "net.om";
    const Status status = WriteOmFile(path.string(), WithParts());
    EXPECT_TRUE(status.ok()) << status.ToString();
    return path;
  }
  size_t FilesInFolder() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  OmContents contents_;
  Bytes weights_, program_, model_def_;
};

TEST_F(OmFileTest, HasThePublicLayout) {
  const Bytes bytes = ReadFile(Write());
  EXPECT_EQ(std::memcmp(bytes.data(), "IMOD", 4), 0);
  EXPECT_EQ(At<uint32_t>(bytes, 4), 256u);
  EXPECT_EQ(At<uint32_t>(bytes, 8), 0x20000000u);
  EXPECT_EQ(At<uint32_t>(bytes, 156), 1u);
  EXPECT_EQ(At<uint64_t>(bytes, 184), bytes.size() - 256);
  EXPECT_STREQ(reinterpret_cast<const char*>(bytes.data()) + 84, "net");
  EXPECT_STREQ(reinterpret_cast<const char*>(bytes.data()) + 160, "Cairn-x86-64-v3");
  EXPECT_EQ(At<uint64_t>(bytes, 256), 4u);  // Count, then zero padding.
  const uint64_t types[] = {8, 0, 1, 2};
  const uint64_t data = 256 + 8 + 4 * 24;
  uint64_t offset = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(At<uint64_t>(bytes, 264 + 24 * i), types[i]);  // The padding is zero too.
    EXPECT_EQ(At<uint64_t>(bytes, 264 + 24 * i + 8), offset);
    EXPECT_TRUE(types[i] != 1 || (data + offset) % 4096 == 0);
    offset += At<uint64_t>(bytes, 264 + 24 * i + 16);
  }
  EXPECT_EQ(data + offset, bytes.size());
}

TEST_F(OmFileTest, InoutInfoHasThePublicRecords) {
  const Bytes info = WriteInoutInfo(contents_.inputs, contents_.outputs);
  EXPECT_EQ(At<uint32_t>(info, 0), 0u);  // Tag: inputs.
  EXPECT_EQ(At<uint32_t>(info, 4), 4u + 32 + 1 + 2 * 32);
  EXPECT_EQ(At<uint32_t>(info, 8), 1u);  // Count.
  EXPECT_EQ(At<uint64_t>(info, 12), 48u);
  EXPECT_EQ(At<int32_t>(info, 20), 0);  // NCHW.
  EXPECT_EQ(At<int32_t>(info, 24), 0);  // float.
  EXPECT_EQ(At<uint32_t>(info, 28), 1u);
  EXPECT_EQ(At<uint32_t>(info, 32), 32u);
  EXPECT_EQ(static_cast<char>(info[44]), 'x');
  EXPECT_EQ(At<int64_t>(info, 45 + 8), 3);
  const size_t outputs = 8 + 4 + 32 + 1 + 64;
  EXPECT_EQ(At<uint32_t>(info, outputs), 1u);
  EXPECT_EQ(At<int32_t>(info, outputs + 12 + 12), 9);  // int64.
}

TEST_F(OmFileTest, ReadsBackWhatWasWritten) {
  auto file = OmFile::Map(Write().string());
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_EQ(file->model_name(), "net");
  EXPECT_EQ(file->partition(OmPartition::kModelDef).size(), model_def_.size());
  auto image = file->Image();
  ASSERT_TRUE(image.ok());
  EXPECT_TRUE(std::ranges::equal(image->program, program_));
  EXPECT_EQ(image->weights.size(), 1024u);
  EXPECT_TRUE(std::ranges::equal(image->weights.first(1000), weights_));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(image->weights.data()) % 4096, 0u);
}

TEST_F(OmFileTest, WorksWithoutWeights) {
  weights_.clear();
  model_def_.clear();
  model_def_.assign(OmModelDefPadding(WithParts(), 0), std::byte{7});
  auto file = OmFile::Map(Write().string());
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_TRUE(file->partition(OmPartition::kWeights).empty());
  EXPECT_TRUE(file->Image().ok());
}

TEST_F(OmFileTest, UnalignedMemoryIsCopiedIntoPlace) {
  const Bytes bytes = ReadFile(Write());
  Bytes shifted(bytes.size() + 64);
  std::byte* base = shifted.data();
  while (reinterpret_cast<uintptr_t>(base) % 64 != 1) ++base;
  std::memcpy(base, bytes.data(), bytes.size());
  auto file = OmFile::FromMemory({base, bytes.size()});
  ASSERT_TRUE(file.ok());
  auto image = file->Image();
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(image->weights.data()) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(image->program.data()) % 64, 0u);
  EXPECT_TRUE(std::ranges::equal(image->program, program_));
}

TEST_F(OmFileTest, RefusesEveryTruncation) {
  const Bytes bytes = ReadFile(Write());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto file = OmFile::FromMemory(std::span(bytes).first(size));
    ASSERT_FALSE(file.ok()) << size;
    ASSERT_FALSE(file.status().message().empty());
  }
}

TEST_F(OmFileTest, NoticesEveryFlipInHeaderTableAndInoutInfo) {
  const Bytes bytes = ReadFile(Write());
  const size_t checked =
      256 + 8 + 4 * 24 + WriteInoutInfo(contents_.inputs, contents_.outputs).size();
  for (size_t position = 0; position < checked; ++position) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes damaged = bytes;
      damaged[position] ^= std::byte(1 << bit);
      ASSERT_FALSE(OmFile::FromMemory(damaged).ok()) << position << " bit " << bit;
    }
  }
}

TEST_F(OmFileTest, SurvivesRandomDamage) {
  const Bytes bytes = ReadFile(Write());
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    Bytes damaged = bytes;
    for (int i = 0; i < 4; ++i) damaged[random() % 400] = std::byte(random());
    if (random() % 2) std::memset(damaged.data() + 248, 0, 8);
    auto file = OmFile::FromMemory(damaged);
    if (file.ok()) (void)file->Image();
  }
}

TEST_F(OmFileTest, SaysWhatAForeignFileIs) {
  const auto message = [](std::string_view text) {
    return OmFile::FromMemory(std::as_bytes(std::span(text))).status().message();
  };
  EXPECT_NE(message("\x08\x07\x12\x07pytorch:x").find("ONNX model"), std::string::npos);
  EXPECT_NE(message("PK\x03\x04....").find(".om2"), std::string::npos);
  EXPECT_NE(message("version https://git-lfs.github.com/spec/v1").find("Git LFS"),
            std::string::npos);
  EXPECT_NE(message("garbage").find("no IMOD"), std::string::npos);
  EXPECT_NE(message("garbage").find("atc --model"), std::string::npos);
  EXPECT_NE(message("IMOD").find("cut short"), std::string::npos);
}

// A file as NPU tool chains write it: the 32-bit table and no program of ours.
Bytes NpuFile() {
  const uint32_t table[] = {2, 0, 0, 4, 2, 4, 4};
  OmHeader header{};
  std::memcpy(header.magic, "IMOD", 4);
  header.header_bytes = 256;
  header.version = kOmVersion;
  header.model_num = 1;
  header.legacy_length = sizeof(table) + 8;
  std::strcpy(header.name, "resnet");
  Bytes bytes(256 + header.legacy_length);
  std::memcpy(bytes.data(), &header, 256);
  std::memcpy(bytes.data() + 256, table, sizeof(table));
  return bytes;
}

TEST_F(OmFileTest, ReadsTheLegacyTableAndRefusesToRunNpuPrograms) {
  const Bytes bytes = NpuFile();
  auto file = OmFile::FromMemory(bytes);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_EQ(file->partition(OmPartition::kTaskInfo).size(), 4u);
  const auto image = file->Image();
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.status().code(), Code::kIncompatible);
  EXPECT_NE(image.status().message().find("model 'resnet' was compiled for NPU hardware"),
            std::string::npos);
}

TEST_F(OmFileTest, RefusesEncryptedAndDynamicNpuFiles) {
  Bytes bytes = NpuFile();
  bytes[80] = std::byte{1};
  EXPECT_EQ(OmFile::FromMemory(bytes).status().code(), Code::kUnsupported);
  bytes = NpuFile();
  bytes[193] = std::byte{1};
  auto open_shapes = OmFile::FromMemory(bytes);
  ASSERT_TRUE(open_shapes.ok()) << open_shapes.status().ToString();
  EXPECT_EQ(open_shapes->Image().status().code(), Code::kIncompatible);
}

TEST_F(OmFileTest, MapNamesThePath) {
  EXPECT_EQ(OmFile::Map((folder_ / "none.om").string()).status().code(), Code::kNotFound);
  EXPECT_NE(OmFile::Map(folder_.string()).status().message().find("not a file"), std::string::npos);
  ASSERT_EQ(mkfifo((folder_ / "pipe.om").c_str(), 0600), 0);
  EXPECT_NE(OmFile::Map((folder_ / "pipe.om").string()).status().message().find("not a file"),
            std::string::npos);
  std::ofstream(folder_ / "empty.om");
  EXPECT_NE(OmFile::Map((folder_ / "empty.om").string()).status().message().find("empty"),
            std::string::npos);
}

TEST_F(OmFileTest, WriteReplacesAndLeavesNothingElse) {
  std::ofstream(folder_ / "net.om") << "old";
  Write();
  EXPECT_EQ(FilesInFolder(), 1u);
  EXPECT_GT(fs::file_size(folder_ / "net.om"), 4096u);
}

TEST_F(OmFileTest, AFailedWriteLeavesNothing) {
  const Status status = WriteOmFile((folder_ / "net.om" / "x.om").string(), WithParts());
  EXPECT_TRUE(status.ok());  // Missing folders are made.
  fs::remove_all(folder_ / "net.om");
  std::ofstream(folder_ / "file") << "x";
  EXPECT_EQ(WriteOmFile((folder_ / "file/x.om").string(), WithParts()).code(), Code::kIoError);
  fs::create_directories(folder_ / "taken.om/sub");
  EXPECT_EQ(WriteOmFile((folder_ / "taken.om").string(), WithParts()).code(), Code::kIoError);
  EXPECT_EQ(FilesInFolder(), 2u);
}

TEST_F(OmFileTest, AFileSizeLimitIsAnErrorNotASignal) {
  weights_.resize(1 << 20);
  WithParts();
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{65536, 65536};
    setrlimit(RLIMIT_FSIZE, &limit);
    const Status status = WriteOmFile((folder_ / "big.om").string(), contents_);
    _exit(status.code() == Code::kIoError ? 0 : 1);
  }
  int state = 0;
  waitpid(child, &state, 0);
  EXPECT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 0);
  EXPECT_EQ(FilesInFolder(), 0u);
}

TEST_F(OmFileTest, ReplacesOnlyFiles) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(AtomicFile::Create(pipe).status().message().find("not a regular file"),
            std::string::npos);
  EXPECT_NE(AtomicFile::Create(folder_.string()).status().message().find("a folder"),
            std::string::npos);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(OmFileTest, NamesMayBeAsLongAsTheSystemAllows) {
  const std::string name = (folder_ / std::string(255, 'x')).string();
  auto file = AtomicFile::Create(name);
  ASSERT_TRUE(file.ok() && file->Write("data").ok());
  EXPECT_TRUE(file->Commit().ok());
  EXPECT_EQ(FilesInFolder(), 1u);
}

TEST(AtomicFile, IsInvisibleUntilCommit) {
  const fs::path folder = fs::path(testing::TempDir()) / ("atomic_" + std::to_string(getpid()));
  fs::remove_all(folder);
  const std::string path = (folder / "a").string();
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Write("text").ok());
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(file->Commit().ok());
    EXPECT_EQ(fs::file_size(path), 4u);
  }
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file->Write("longer text").ok());
  }
  EXPECT_EQ(fs::file_size(path), 4u);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace cairn
