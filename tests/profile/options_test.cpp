// SPDX-License-Identifier: Apache-2.0
// Options of the profiler from JSON.
#include "profile/options.h"

#include <gtest/gtest.h>

namespace cairn::profile {
namespace {

TEST(ProfileOptions, SwitchesChooseWhatIsRecorded) {
  const auto options = ParseOptions(
      R"({"switch": "on", "output": "out", "task_time": "l0", "ascendcl": "off",
          "runtime_api": "on", "task_memory": "on", "msproftx": "on", "storage_limit": "300MB",
          "aic_metrics": "Memory", "dvpp_freq": "50", "l2": "off"})");
  ASSERT_TRUE(options.ok()) << options.status().message();
  EXPECT_TRUE(options->enabled);
  EXPECT_EQ(options->output, "out");
  EXPECT_EQ(options->settings.categories, kTasks | kRuntimeCalls | kMemory | kMarks);
  EXPECT_EQ(options->settings.storage_limit_bytes, uint64_t{300} << 20);
}

TEST(ProfileOptions, TasksAndCallsAreTheDefault) {
  const auto options = ParseOptions("{}");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->settings.categories, kTasks | kAttributes | kAclCalls);
  EXPECT_EQ(options->settings.storage_limit_bytes, 0u);
}

TEST(ProfileOptions, WrongValuesAreNamedWithWhatIsValid) {
  const struct {
    const char* json;
    const char* text;
  } cases[] = {
      {R"({"task_time": "l9"})", "'task_time' is 'l9', expected on, off, l0, l1, l2 or l3"},
      {R"({"ascendcl": "yes"})", "'ascendcl' is 'yes', expected on or off"},
      {R"({"storage_limit": "199MB"})", "'storage_limit' is '199MB', expected 200MB to"},
      {R"({"storage_limit": "-5MB"})", "'storage_limit' is '-5MB'"},
      {R"({"storage_limit": "4294967296MB"})", "'storage_limit'"},
      {R"({"aic_metrics": "All"})", "PipeUtilization, ArithmeticUtilization"},
      {R"({"output": 3})", "'output' is '3', expected a text"},
      {R"([1])", "not a JSON object"},
  };
  for (const auto& c : cases) {
    const auto options = ParseOptions(c.json);
    ASSERT_FALSE(options.ok()) << c.json;
    EXPECT_NE(options.status().message().find(c.text), std::string::npos)
        << options.status().message();
  }
}

}  // namespace
}  // namespace cairn::profile
