// SPDX-License-Identifier: Apache-2.0
// The formulas.
#include "compare/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/strings.h"

namespace cairn::compare {
namespace {

constexpr double kNearlyZero = std::numeric_limits<float>::epsilon();

std::vector<double> Values(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.num_elements()));
  const bool is_float = IsFloat(tensor.dtype());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = is_float ? tensor.GetDouble(static_cast<int64_t>(i))
                         : static_cast<double>(tensor.GetInt(static_cast<int64_t>(i)));
  return values;
}

/// log(sum(exp(x))) and the largest x, for the softmax.
double LogSumExp(const std::vector<double>& values) {
  const double most = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += std::exp(value - most);
  return most + std::log(sum);
}

double KullbackLeibler(const std::vector<double>& a, const std::vector<double>& b) {
  const double sum_a = LogSumExp(a), sum_b = LogSumExp(b);
  double divergence = 0;
  for (size_t i = 0; i < a.size(); ++i)
    divergence += std::exp(b[i] - sum_b) * ((b[i] - sum_b) - (a[i] - sum_a));
  return std::max(0.0, divergence);
}

void MeanAndDeviation(const std::vector<double>& values, double& mean, double& deviation) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  mean = sum / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  deviation = std::sqrt(squares / count);
}

void AddErrors(const std::vector<double>& a, const std::vector<double>& b, Metrics& metrics) {
  double dot = 0, norm_a = 0, norm_b = 0, difference = 0, absolute = 0, magnitude = 0, relative = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(b[i]) && !std::isfinite(a[i])) metrics.has_overflow = true;
    const double error = a[i] == b[i] ? 0 : std::abs(a[i] - b[i]);
    dot += a[i] * b[i];
    norm_a += a[i] * a[i];
    norm_b += b[i] * b[i];
    difference += error * error;
    absolute += error;
    magnitude += std::abs(b[i]);
    const double rate = std::abs(b[i]) <= kNearlyZero ? 0 : std::abs(a[i] / b[i] - 1);
    relative += rate;
    metrics.max_absolute_error = std::max(metrics.max_absolute_error, error);
    metrics.max_relative_error = std::max(metrics.max_relative_error, rate);
  }
  const auto count = static_cast<double>(a.size());
  const bool both_zero = norm_a == 0 && norm_b == 0;
  metrics.cosine_similarity = both_zero ? 1 : dot / std::sqrt(norm_a * norm_b);
  if (norm_a == 0 || norm_b == 0) metrics.cosine_similarity = both_zero ? 1 : 0;
  metrics.accumulated_relative_error = magnitude > 0 ? absolute / magnitude : 0;
  metrics.relative_euclidean_distance =
      std::sqrt(norm_b) <= kNearlyZero ? 0 : std::sqrt(difference / norm_b);
  metrics.mean_absolute_error = absolute / count;
  metrics.root_mean_square_error = std::sqrt(difference / count);
  metrics.mean_relative_error = relative / count;
}

}  // namespace

Metrics Compare(const Tensor& actual, const Tensor& golden) {
  Metrics metrics;
  const std::vector<double> a = Values(actual), b = Values(golden);
  if (a.empty()) return metrics;
  AddErrors(a, b, metrics);
  metrics.kullback_leibler = KullbackLeibler(a, b);
  MeanAndDeviation(a, metrics.mean, metrics.deviation);
  MeanAndDeviation(b, metrics.golden_mean, metrics.golden_deviation);
  return metrics;
}

std::string PrecisionError(const Metrics& metrics) {
  if (metrics.has_overflow) return "NaN or infinity where the reference is finite";
  if (!(metrics.cosine_similarity >= 0.99))
    return StrCat("cosine similarity ", metrics.cosine_similarity, " < 0.99");
  if (!(metrics.relative_euclidean_distance <= 0.05))
    return StrCat("relative Euclidean distance ", metrics.relative_euclidean_distance, " > 0.05");
  if (metrics.kullback_leibler > 0.005)
    return StrCat("Kullback-Leibler divergence ", metrics.kullback_leibler, " > 0.005");
  if (metrics.root_mean_square_error > 1)
    return StrCat("root mean square error ", metrics.root_mean_square_error, " > 1");
  if (metrics.mean_relative_error > 1)
    return StrCat("mean relative error ", metrics.mean_relative_error, " > 1");
  return "";
}

}  // namespace cairn::compare
