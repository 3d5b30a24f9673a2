// SPDX-License-Identifier: Apache-2.0
// The registry of processes: live ones are shown, killed ones vanish.
#include "profile/usage.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "base/strings.h"

namespace cairn::profile {
namespace {

namespace fs = std::filesystem;

class Registry : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / StrCat("cairn_registry_", getpid());
    setenv("CAIRN_REGISTRY", folder_.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs `work` in a child that then sleeps; returns its number once it is registered.
  template <class Work>
  pid_t StartChild(Work work) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      work();
      if (write(ready[1], "x", 1) != 1) _exit(1);
      pause();
    }
    char byte;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
  }

  fs::path folder_;
};

TEST_F(Registry, ShowsMemoryAndBusyTimeOfALiveProcessAndForgetsAKilledOne) {
  const pid_t child = StartChild([] {
    Usage::Get().AddMemory(5 << 20);
    new Usage::Run;  // Goes on until the process ends.
  });
  const auto first = ReadUsages();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].process, static_cast<uint32_t>(child));
  EXPECT_EQ(first[0].memory_bytes, 5 << 20);
  EXPECT_FALSE(first[0].name.empty());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto second = ReadUsages();
  ASSERT_EQ(second.size(), 1u);
  EXPECT_GE(second[0].busy_ns - first[0].busy_ns, 15'000'000);

  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(ReadUsages().empty());
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Registry, WorksWithoutAFolder) {
  setenv("CAIRN_REGISTRY", "/proc/none", 1);
  const pid_t child = StartChild([] {
    Usage::Get().AddMemory(1);
    const Usage::Run run;
  });
  EXPECT_TRUE(ReadUsages().empty());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace cairn::profile
