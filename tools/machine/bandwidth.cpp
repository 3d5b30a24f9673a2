// SPDX-License-Identifier: Apache-2.0
// Measures the bandwidth of main memory by summing large arrays.
#include "machine/bandwidth.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "threads/thread_pool.h"

namespace cairn::machine {
namespace {

constexpr size_t kWords = size_t{64} << 20 >> 3;  // 64 MiB, shared by all threads.
constexpr int kTries = 4;

struct Sweep {
  std::unique_ptr<uint64_t[]> words;
  std::vector<uint64_t> sums;  // Keeps the reads.
};

void ReadPart(void* context, int index, int count) {
  Sweep& sweep = *static_cast<Sweep*>(context);
  const size_t begin = kWords / 8 * static_cast<size_t>(index) / static_cast<size_t>(count) * 8;
  const size_t end = kWords / 8 * static_cast<size_t>(index + 1) / static_cast<size_t>(count) * 8;
  uint64_t lanes[8] = {};
  for (size_t i = begin; i < end; i += 8)
    for (size_t lane = 0; lane < 8; ++lane) lanes[lane] += sweep.words[i + lane];
  uint64_t sum = 0;
  for (const uint64_t lane : lanes) sum += lane;
  sweep.sums[static_cast<size_t>(index)] = sum;
}

}  // namespace

double MeasureReadBandwidth(int num_cores) {
  threads::ThreadPool pool(std::max(num_cores, 1));
  Sweep sweep{std::make_unique<uint64_t[]>(kWords), std::vector<uint64_t>(threads::kMaxParts)};
  std::fill_n(sweep.words.get(), kWords, 1u);
  double best = 0;
  for (int i = 0; i < kTries; ++i) {
    threads::RunScope scope(&pool);
    const auto begin = std::chrono::steady_clock::now();
    scope.Run(ReadPart, &sweep, pool.num_threads());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::max(best, kWords * sizeof(uint64_t) / seconds.count());
  }
  return best;
}

}  // namespace cairn::machine
