// SPDX-License-Identifier: Apache-2.0
// Percentiles and sums.
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {

double Percentile(const std::vector<double>& sorted, double percent) {
  const double position = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(std::floor(position));
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

Statistics Summarize(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  return {times.front(),         Percentile(times, 50), sum / static_cast<double>(times.size()),
          Percentile(times, 90), Percentile(times, 99), times.back()};
}

}  // namespace bench
