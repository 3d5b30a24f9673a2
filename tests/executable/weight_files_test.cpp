// SPDX-License-Identifier: Apache-2.0
// The table of external weights: round trip, and damaged tables.
#include "executable/weight_files.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

std::vector<WeightFile> TwoFiles() {
  return {{"weight/a", 0, 0, 100, 7}, {"weight/b", 512, 16, 10, 8}};
}

TEST(WeightFiles, RoundTrip) {
  const auto files = ReadWeightFileTable(WriteWeightFileTable(TwoFiles()));
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ((*files)[1].name, "weight/b");
  EXPECT_EQ((*files)[1].offset, 512u);
  EXPECT_EQ((*files)[1].file_offset, 16u);
  EXPECT_EQ((*files)[1].bytes, 10u);
  EXPECT_EQ((*files)[1].hash, 8u);
}

TEST(WeightFiles, DamagedTablesAreRefused) {
  const std::vector<std::byte> table = WriteWeightFileTable(TwoFiles());
  for (size_t size = 0; size < table.size(); ++size) {
    EXPECT_FALSE(ReadWeightFileTable(std::span(table).first(size)).ok()) << size;
  }
  const auto code = [](const std::vector<WeightFile>& files) {
    return ReadWeightFileTable(WriteWeightFileTable(files)).status().code();
  };
  EXPECT_EQ(code({}), Code::kDataCorrupt);
  EXPECT_EQ(code({{"/etc/passwd", 0, 0, 1, 0}}), Code::kDataCorrupt);
  EXPECT_EQ(code({{"weight/../../x", 0, 0, 1, 0}}), Code::kDataCorrupt);
  EXPECT_EQ(code({{"a", 0, 0, 100, 0}, {"b", 50, 0, 100, 0}}), Code::kDataCorrupt);
  EXPECT_EQ(code({{"a", uint64_t{1} << 50, 0, 1, 0}}), Code::kDataCorrupt);
  EXPECT_EQ(code({{"a", 0, UINT64_MAX, 1, 0}}), Code::kDataCorrupt);
}

}  // namespace
}  // namespace cairn
