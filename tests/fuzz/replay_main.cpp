// SPDX-License-Identifier: Apache-2.0
// Feeds every file of the given folders to a fuzz target: replays a corpus without libFuzzer. Each file
// is also fed cut short and with single bytes changed, so that a small corpus tries many inputs.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kMutationsPerFile = 200;

void Feed(const std::vector<uint8_t>& bytes) {
  // An exact-size heap copy, so that reading past the end is seen by the sanitizers.
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void FeedWithMutations(const std::vector<uint8_t>& bytes) {
  Feed(bytes);
  if (bytes.empty()) return;
  const size_t step = bytes.size() / kMutationsPerFile + 1;
  for (size_t i = 0; i < bytes.size(); i += step) {
    Feed(std::vector<uint8_t>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i)));
    std::vector<uint8_t> changed = bytes;
    changed[i] ^= static_cast<uint8_t>(1u << (i % 8));
    Feed(changed);
    changed[i] = 0xff;
    Feed(changed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      FeedWithMutations({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
      ++files;
    }
  }
  std::printf("replayed %zu files\n", files);
  return files > 0 ? 0 : 1;
}
