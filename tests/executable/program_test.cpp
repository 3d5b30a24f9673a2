// SPDX-License-Identifier: Apache-2.0
// The file form of programs: identity, refusal of damage, index and size checks.
#include "executable/program.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

/// input -> task -> arena -> task -> output, one constant.
Program SmallProgram() {
  Program p;
  p.compiler_version = "0.1.0";
  p.soc_name = "Cairn-x86-64-v3";
  p.model_name = "small";
  p.arena_bytes = 4096;
  p.weights_bytes = 1024;
  p.tensors = {
      {ElementType::kF32, Layout::kPlain, Storage::kInput, 0, 0, 4 * 3 * 8 * 8, {1, 3, 8, 8}},
      {ElementType::kF32, Layout::kPacked, Storage::kWeights, 0, 512, 300, {3, 3, 1, 1}},
      {ElementType::kF32, Layout::kBlocked, Storage::kArena, 0, 0, 4 * 8 * 8 * 8, {1, 3, 8, 8}},
      {ElementType::kF32, Layout::kPlain, Storage::kOutput, 0, 0, 4 * 3 * 8 * 8, {1, 3, 8, 8}},
  };
  Task conv{"conv", "Conv", "conv1", {"conv1", "relu1"}, {0, 1, kNoTensor}, {2}, {}, 2, 1e3, 2e3};
  conv.attributes["strides"] = std::vector<int64_t>{1, 1};
  conv.attributes["group"] = int64_t{1};
  conv.attributes["alpha"] = 0.5;
  conv.attributes["algorithm"] = std::string("direct");
  conv.attributes["constants"] = std::vector<double>{1.5, -2};
  p.tasks = {conv, {"transdata", "TransData", "out", {}, {2}, {3}, {}, 1, 0, 0}};
  p.inputs = {{"x", ElementType::kF32, {1, 3, 8, 8}, 768, 0}};
  p.outputs = {{"y", ElementType::kF32, {1, 3, 8, 8}, 768, 3}};
  return p;
}

std::vector<std::byte> Write(const Program& program) {
  auto bytes = WriteProgram(program);
  EXPECT_TRUE(bytes.ok());
  return *bytes;
}

TEST(Program, WriteReadWriteIsIdentity) {
  const auto bytes = Write(SmallProgram());
  auto program = ReadProgram(bytes);
  ASSERT_TRUE(program.ok()) << program.status().ToString();
  EXPECT_EQ(program->tasks[0].attributes, SmallProgram().tasks[0].attributes);
  EXPECT_EQ(program->tasks[0].origins, SmallProgram().tasks[0].origins);
  EXPECT_EQ(program->tasks[0].inputs, SmallProgram().tasks[0].inputs);
  EXPECT_EQ(program->outputs[0].name, "y");
  EXPECT_EQ(Write(*program), bytes);
}

TEST(Program, EveryTruncationIsRefused) {
  const auto bytes = Write(SmallProgram());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadProgram(std::span(bytes).first(size)).ok()) << size;
  }
}

TEST(Program, EveryFlippedByteIsRefused) {
  auto bytes = Write(SmallProgram());
  for (std::byte& byte : bytes) {
    byte ^= std::byte{0x41};
    EXPECT_FALSE(ReadProgram(bytes).ok()) << &byte - bytes.data();
    byte ^= std::byte{0x41};
  }
}

/// Writes a program with one wrong fact (the checksum is right) and returns the reader's verdict.
template <class Edit>
std::string Verdict(Edit edit) {
  Program program = SmallProgram();
  edit(program);
  auto result = ReadProgram(Write(program));
  return result.ok() ? "accepted" : result.status().message();
}

TEST(Program, FactsThatContradictEachOtherAreRefused) {
  using P = Program;
  EXPECT_NE(Verdict([](P& p) { p.tensors[2].bytes -= 4; }).find("size"), std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.tensors[2].offset = 4000; }).find("arena"), std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.tensors[1].offset = 1000; }).find("weights"), std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.tensors[1].offset = UINT64_MAX; }).find("weights"),
            std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.tasks[0].inputs[0] = 99; }).find("unknown tensor"),
            std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.tasks[1].outputs[0] = 1; }).find("constant"), std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.inputs[0].tensor = 2; }).find("differ"), std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.outputs[0].dims[0] = -1; }).find("size"), std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.tensors[0].dims = {INT64_MAX, INT64_MAX}; }).find("size"),
            std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.c0 = 0; }).find("block"), std::string::npos);
  EXPECT_NE(Verdict([](P& p) { p.schema_version = 99; }).find("rebuild"), std::string::npos);
}

TEST(Program, BlockedStorageRoundsChannelsUp) {
  EXPECT_EQ(*StorageBytes(ElementType::kF32, Layout::kBlocked, std::vector<int64_t>{2, 9, 5}, 8),
            4u * 2 * 16 * 5);
  EXPECT_EQ(*StorageBytes(ElementType::kI4, Layout::kPlain, std::vector<int64_t>{3}, 8), 2u);
  EXPECT_FALSE(StorageBytes(ElementType::kString, Layout::kPlain, std::vector<int64_t>{3}, 8).ok());
}

}  // namespace
}  // namespace cairn
