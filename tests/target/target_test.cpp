// SPDX-License-Identifier: Apache-2.0
// Target names, aliases, description files and host detection.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "target/host.h"
#include "target/ini.h"
#include "target/platform_config.h"
#include "target/target_spec.h"

namespace cairn::target {
namespace {

TEST(Ini, FoldsCaseAndUnderscores) {
  auto ini = Ini::Parse("[SoCInfo]\r\naiCoreCnt=8 ; eight\n# note\n\nl2Rate = 100/4\nempty=\n");
  ASSERT_TRUE(ini.ok());
  EXPECT_EQ(ini->Get("soc_info", "ai_core_cnt"), "8");
  EXPECT_EQ(*ini->GetNumber("SoCInfo", "l2_rate", 0), 25);
  EXPECT_EQ(*ini->GetNumber("SoCInfo", "empty", 7), 7);
  EXPECT_EQ(ini->Get("SoCInfo", "absent"), "");
}

TEST(Ini, NamesTheBadLine) {
  EXPECT_NE(Ini::Parse("[a]\nb=1\nnonsense\n").status().message().find("line 3"),
            std::string::npos);
  auto ini = Ini::Parse("[a]\nb=x1\n");
  EXPECT_FALSE(ini->GetNumber("a", "b", 0).ok());
}

TEST(PlatformConfigs, EveryFileDescribesTheTargetOfItsName) {
  ASSERT_GE(PlatformConfigs().size(), 20u);
  for (const PlatformConfig& config : PlatformConfigs()) {
    auto ini = Ini::Parse(config.text);
    ASSERT_TRUE(ini.ok()) << config.name << ini.status().ToString();
    EXPECT_EQ(ini->Get("version", "SoC_version"), config.name);
    auto spec = FindTarget(std::string(config.name));
    ASSERT_TRUE(spec.ok()) << spec.status().ToString();
    EXPECT_EQ(spec->name, config.name);
  }
}

TEST(FindTarget, KnowsAliasesAndPrefixes) {
  EXPECT_EQ(FindTarget("Ascend310P")->name, "Ascend310P3");
  EXPECT_EQ(FindTarget("Ascend310P")->given_name, "Ascend310P");
  EXPECT_EQ(FindTarget("310P3")->name, "Ascend310P3");
  EXPECT_EQ(FindTarget("AscendCairn-x86-64-v3")->name, "Cairn-x86-64-v3");
  EXPECT_EQ(FindTarget("Ascend910B")->name, "Ascend910B");
}

TEST(FindTarget, VirtualTargetsShowTheirOwnBlockAndPlanForAvx2) {
  const TargetSpec npu = *FindTarget("Ascend910B4-1");
  EXPECT_TRUE(npu.is_virtual);
  EXPECT_EQ(npu.c0, 16);
  EXPECT_EQ(npu.isa, "x86-64-v3");
  EXPECT_EQ(npu.vector_floats, 8);
  const TargetSpec cpu = *FindTarget("Cairn-x86-64-v4");
  EXPECT_FALSE(cpu.is_virtual);
  EXPECT_EQ(cpu.c0, 16);
  EXPECT_EQ(cpu.isa, "x86-64-v4");
}

TEST(FindTarget, NativeIsTheTargetOfThisMachine) {
  if (HostIsa().empty()) GTEST_SKIP() << "the host has none of our instruction sets";
  const TargetSpec spec = *FindTarget("native");
  EXPECT_EQ(spec.name, "Cairn-" + HostIsa());
  EXPECT_EQ(spec.isa, HostIsa());
}

TEST(FindTarget, UnknownNameListsTheValidOnes) {
  for (const char* name : {"Ascend", "Ascend310P4", "", "Ascend310P,", "ascend310p3"}) {
    const auto spec = FindTarget(name);
    ASSERT_FALSE(spec.ok()) << name;
    EXPECT_NE(spec.status().message().find("Cairn-x86-64-v3"), std::string::npos);
  }
  EXPECT_NE(FindTarget("ascend310p3").status().message().find("did you mean 'Ascend310P3'"),
            std::string::npos);
}

TEST(ReadHostCaches, ReadsLevelsAndUnits) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "target_test_caches";
  std::filesystem::remove_all(folder);
  const auto add = [&](int index, const char* level, const char* type, const char* size) {
    const auto entry = folder / ("index" + std::to_string(index));
    std::filesystem::create_directories(entry);
    std::ofstream(entry / "level") << level << "\n";
    std::ofstream(entry / "type") << type << "\n";
    std::ofstream(entry / "size") << size << "\n";
  };
  add(0, "1", "Data", "48K");
  add(1, "1", "Instruction", "32K");
  add(2, "2", "Unified", "2M");
  const HostCaches caches = ReadHostCaches(folder.string());
  EXPECT_EQ(caches.l1_data, 48u << 10);
  EXPECT_EQ(caches.l2, 2u << 20);
  EXPECT_EQ(caches.l3, 0u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cairn::target
