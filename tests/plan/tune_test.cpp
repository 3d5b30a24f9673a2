// SPDX-License-Identifier: Apache-2.0
// Tuning: plans stay right, and the bank fixes their bytes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "plan/tuning_bank.h"
#include "support/kernel_tasks.h"

namespace cairn::testing {
namespace {

std::string TemporaryPath(const char* name) {
  return (std::filesystem::temp_directory_path() / StrCat(name, ".", getpid())).string();
}

TEST(Tuning, TheSameBankGivesTheSameBytes) {
  NodeGraph g;
  Value* y = g.Op("Conv", {g.Input({1, 32, 20, 20}), g.Weights({32, 32, 3, 3})});
  g.Output(g.Op("Conv", {y, g.Weights({16, 32, 3, 3})}));
  plan::PlanOptions options;
  options.tune = true;
  options.bank_path = TemporaryPath("cairn_tune_test");
  const auto measured = ExpectMatchesReference(*g, options, 1e-4);
  ASSERT_TRUE(std::filesystem::exists(options.bank_path));
  auto first = plan::PlanProgram(*g, HostTarget(), options);
  auto second = plan::PlanProgram(*g, HostTarget(), options);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*WriteProgram(first->program), *WriteProgram(second->program));
  EXPECT_EQ(first->weights, second->weights);
  EXPECT_EQ(first->weights, measured.weights);
  std::filesystem::remove(options.bank_path);
}

TEST(TuningBank, KeepsEntriesAndLeavesOutDamagedLines) {
  const std::string path = TemporaryPath("cairn_bank_test");
  auto bank = plan::TuningBank::Open(path);
  ASSERT_TRUE(bank.ok());
  bank->Add(0xabcdef, 123);
  ASSERT_TRUE(bank->Save().ok());
  std::ofstream(path, std::ios::app) << "zz not a line\n12 -5\n";
  auto again = plan::TuningBank::Open(path);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->Find(0xabcdef), 123);
  EXPECT_FALSE(again->Find(0x12).has_value());
  std::ofstream(path, std::ios::trunc) << "some other file\nabcdef 7\n";
  EXPECT_FALSE(plan::TuningBank::Open(path)->Find(0xabcdef).has_value());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cairn::testing
