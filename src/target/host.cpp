// SPDX-License-Identifier: Apache-2.0
// Detection of instruction set and caches.
#include "target/host.h"

#include <charconv>
#include <fstream>

namespace cairn::target {
namespace {

std::string FirstWord(const std::string& path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

// "32K", "16M", "1048576".
uint64_t ParseSize(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  if (end == text.data() + text.size()) return value;
  if (*end == 'K') return value << 10;
  if (*end == 'M') return value << 20;
  if (*end == 'G') return value << 30;
  return 0;
}

}  // namespace

std::string HostIsa() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
  return v4 ? "x86-64-v4" : v3 ? "x86-64-v3" : "";
#elif defined(__aarch64__)
  return "armv8.2";
#else
  return "";
#endif
}

HostCaches ReadHostCaches(const std::string& folder) {
  HostCaches caches;
  for (int index = 0; index < 8; ++index) {
    const std::string entry = folder + "/index" + std::to_string(index);
    const std::string level = FirstWord(entry + "/level");
    if (level.empty()) break;
    const uint64_t size = ParseSize(FirstWord(entry + "/size"));
    if (level == "1" && FirstWord(entry + "/type") == "Data") caches.l1_data = size;
    if (level == "2") caches.l2 = size;
    if (level == "3") caches.l3 = size;
  }
  return caches;
}

}  // namespace cairn::target
