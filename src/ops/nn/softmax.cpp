// SPDX-License-Identifier: Apache-2.0
// Softmax, LogSoftmax, Hardmax: distributions along one axis.
#include <algorithm>
#include <cmath>

#include "ops/nn/axis_rows.h"

namespace cairn {
namespace {

/// Subtracts the maximum and returns the sum of the exponentials of the differences.
double SumExpShifted(std::vector<double>& row) {
  double top = row[0];
  for (const double x : row) top = std::isnan(x) || x > top ? x : top;
  double sum = 0;
  for (double& x : row) {
    x -= top;
    sum += std::exp(x);
  }
  return sum;
}

void SoftmaxRow(std::vector<double>& row) {
  const double sum = SumExpShifted(row);
  for (double& x : row) x = std::exp(x) / sum;
}

void LogSoftmaxRow(std::vector<double>& row) {
  const double log_sum = std::log(SumExpShifted(row));
  for (double& x : row) x -= log_sum;
}

void HardmaxRow(std::vector<double>& row) {
  const auto top = std::max_element(row.begin(), row.end()) - row.begin();
  std::fill(row.begin(), row.end(), 0.0);
  row[static_cast<size_t>(top)] = 1;
}

OpDef Distribution(const char* name, const char* doc, EvalFn eval) {
  return OpDef(name)
      .Input("input")
      .Output("output")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{-1}, "The axis of the distribution.")
      .Doc(doc)
      .Infer(InferAlongAxis)
      .Reference(eval);
}

}  // namespace

OpDef SoftmaxOp() {
  return Distribution("Softmax", "exp(x) / sum(exp(x)) along one axis.",
                      [](EvalContext& in) { return EvalAlongAxis(in, SoftmaxRow); });
}

OpDef LogSoftmaxOp() {
  return Distribution("LogSoftmax", "log(exp(x) / sum(exp(x))) along one axis.",
                      [](EvalContext& in) { return EvalAlongAxis(in, LogSoftmaxRow); });
}

OpDef HardmaxOp() {
  return Distribution("Hardmax", "1 at the first maximum along one axis, 0 elsewhere.",
                      [](EvalContext& in) { return EvalAlongAxis(in, HardmaxRow); });
}

}  // namespace cairn
