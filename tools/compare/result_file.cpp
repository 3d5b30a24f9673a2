// SPDX-License-Identifier: Apache-2.0
// Columns and cells of the result.
#include "compare/result_file.h"

#include <cstdio>

namespace cairn::compare {
namespace {

std::string Number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.10g", value);
  return text;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string MetricCells(const Row& row) {
  if (!row.reason.empty()) return "NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN";
  const Metrics& m = row.metrics;
  return StrCat(Number(m.cosine_similarity), ",", Number(m.max_absolute_error), ",",
                Number(m.accumulated_relative_error), ",", Number(m.relative_euclidean_distance),
                ",", Number(m.kullback_leibler), ",\"(", Number(m.mean), ";", Number(m.deviation),
                "),(", Number(m.golden_mean), ";", Number(m.golden_deviation), ")\",",
                Number(m.mean_absolute_error), ",", Number(m.root_mean_square_error), ",",
                Number(m.max_relative_error), ",", Number(m.mean_relative_error));
}

}  // namespace

std::string ResultCsv(const Comparison& comparison) {
  std::string csv =
      "Index,OpType,NPUDump,DataType,Address,GroundTruth,DataType,TensorIndex,Shape,Overflow,"
      "CosineSimilarity,MaxAbsoluteError,AccumulatedRelativeError,RelativeEuclideanDistance,"
      "KullbackLeiblerDivergence,StandardDeviation,MeanAbsoluteError,RootMeanSquareError,"
      "MaxRelativeError,MeanRelativeError,CompareFailReason,IsNpuOps,IsOutputNode,"
      "IsPrecisionError\n";
  for (size_t i = 0; i < comparison.rows.size(); ++i) {
    const Row& row = comparison.rows[i];
    csv += StrCat(
        i, ",", row.is_model_output ? "NaN" : row.op_type, ",", Quoted(row.task), ",",
        ElementTypeName(row.dtype), ",NaN,", Quoted(row.golden), ",",
        row.golden_dtype == ElementType::kUndefined ? "NaN" : ElementTypeName(row.golden_dtype),
        ",", Quoted(row.tensor), ",", Quoted(row.shape), ",",
        row.metrics.has_overflow ? "YES" : "NO", ",", MetricCells(row), ",",
        row.reason.empty() ? "" : Quoted(row.reason), ",", row.golden == "*" ? "YES" : "NO", ",",
        row.is_model_output ? "YES" : "NO", ",", row.error.empty() ? "NO" : "YES", "\n");
  }
  return csv;
}

}  // namespace cairn::compare
