// SPDX-License-Identifier: Apache-2.0
// Core limits: quota texts, the environment variable, the process's CPU set.
#include "threads/available_cores.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>

namespace cairn::threads {
namespace {

TEST(AvailableCores, QuotaRoundsUpToWholeCores) {
  EXPECT_EQ(CoresOfQuota("100000 100000"), 1);
  EXPECT_EQ(CoresOfQuota("150000 100000"), 2);
  EXPECT_EQ(CoresOfQuota("10000 100000"), 1);
  EXPECT_EQ(CoresOfQuota("800000 100000"), 8);
}

TEST(AvailableCores, QuotaWithoutLimitIsNone) {
  for (const char* text : {"max 100000", "-1 100000", "", "x y", "100000", "1 0"}) {
    EXPECT_EQ(CoresOfQuota(text), std::nullopt) << text;
  }
}

TEST(AvailableCores, LimitAcceptsPositiveIntegersOnly) {
  EXPECT_EQ(ParseCoreLimit("3"), 3);
  for (const char* text : {"", "0", "-2", "two", "3x", "99999999999999999999"}) {
    EXPECT_EQ(ParseCoreLimit(text), std::nullopt) << text;
  }
}

TEST(AvailableCores, StaysWithinCpuSetAndEnvironment) {
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  const int cores = AvailableCores();
  EXPECT_GE(cores, 1);
  EXPECT_LE(cores, CPU_COUNT(&set));
  setenv("CAIRN_NUM_CORES", "1", 1);
  EXPECT_EQ(AvailableCores(), 1);
  setenv("CAIRN_NUM_CORES", "nonsense", 1);
  EXPECT_EQ(AvailableCores(), cores);
  setenv("CAIRN_NUM_CORES", "100000", 1);
  EXPECT_EQ(AvailableCores(), cores);
  unsetenv("CAIRN_NUM_CORES");
}

}  // namespace
}  // namespace cairn::threads
