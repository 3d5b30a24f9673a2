// SPDX-License-Identifier: Apache-2.0
// Figures of a list of times.
#pragma once

#include <vector>

namespace bench {

struct Statistics {
  double min = 0, median = 0, mean = 0, p90 = 0, p99 = 0, max = 0;
};

/// `times` is not empty.
Statistics Summarize(std::vector<double> times);

/// The value below which `percent` of the sorted values lie, interpolated linearly.
double Percentile(const std::vector<double>& sorted, double percent);

}  // namespace bench
