// SPDX-License-Identifier: Apache-2.0
// How far a tensor is from the reference: the public metrics and their limits.
#pragma once

#include <string>

#include "ir/tensor.h"

namespace cairn::compare {

/// All computed in double over the flattened tensors. NaN where a metric has no value.
struct Metrics {
  double cosine_similarity = 1;  ///< a.b / (|a| |b|); 1 when both are zero.
  double max_absolute_error = 0;
  double accumulated_relative_error = 0;   ///< sum |a-b| / sum |b|.
  double relative_euclidean_distance = 0;  ///< sqrt(sum (a-b)^2 / sum b^2).
  double kullback_leibler = 0;             ///< Of the softmax of both.
  double mean = 0, deviation = 0;          ///< Of a.
  double golden_mean = 0, golden_deviation = 0;
  double mean_absolute_error = 0;
  double root_mean_square_error = 0;
  double max_relative_error = 0;  ///< |a/b - 1|, 0 where b is nearly 0.
  double mean_relative_error = 0;
  bool has_overflow = false;  ///< a has NaN or infinity where b is finite.
};

/// Compares tensors of equal element counts.
Metrics Compare(const Tensor& actual, const Tensor& golden);

/// Why the metrics count as an error by the public limits; empty when they do not.
std::string PrecisionError(const Metrics& metrics);

}  // namespace cairn::compare
