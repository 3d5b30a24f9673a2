// SPDX-License-Identifier: Apache-2.0
// RotaryEmbedding: rotates pairs of features by angles of their positions.
#include "ops/elements.h"

namespace cairn {
namespace {

/// X as [batch, heads, sequence, size]; rank 3 is [batch, sequence, heads * size].
struct RotarySizes {
  bool flat = false;
  int64_t batch = 0, heads = 0, length = 0, size = 0, half = 0;
};

Result<RotarySizes> Resolve(const Node& node, const Shape& x) {
  RotarySizes s;
  s.flat = x.size() == 3;
  if (x.size() != 3 && x.size() != 4) {
    return Status(Code::kInvalidModel, StrCat("X is ", ShapeToString(x), ", expected rank 3 or 4"));
  }
  s.heads = s.flat ? node.GetInt("num_heads", 0) : x[1];
  if (s.flat && (s.heads < 1 || x[2] % s.heads != 0)) {
    return Status(Code::kInvalidModel, StrCat("'num_heads' is ", s.heads, " for X ",
                                              ShapeToString(x), ", expected a divisor of ", x[2]));
  }
  s.batch = x[0];
  s.length = s.flat ? x[1] : x[2];
  s.size = s.flat ? x[2] / s.heads : x[3];
  const int64_t rotated = node.GetInt("rotary_embedding_dim", 0);
  if (rotated < 0 || rotated > s.size || (rotated == 0 ? s.size : rotated) % 2 != 0) {
    return Status(Code::kInvalidModel, StrCat("'rotary_embedding_dim' is ", rotated,
                                              " for heads of ", s.size, ", expected an even part"));
  }
  s.half = (rotated == 0 ? s.size : rotated) / 2;
  return s;
}

Status InferRotaryEmbedding(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  if (in.dims(0)) {
    if (const auto shape = ConstDims(*in.dims(0))) {
      RETURN_IF_ERROR(Resolve(in.node(), *shape).status());
    }
  }
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

/// Rows of the caches [.., half] by batch and position.
Result<std::vector<int64_t>> CacheRows(const EvalContext& in, const RotarySizes& s) {
  const int64_t tokens = s.batch * s.length;
  const Tensor &cosine = in.input(1), &sine = in.input(2);
  if (cosine.shape() != sine.shape() || cosine.rank() == 0 || cosine.shape().back() != s.half) {
    return Status(Code::kInvalidArgument,
                  StrCat("the caches are ", ShapeToString(cosine.shape()), " and ",
                         ShapeToString(sine.shape()), ", expected rows of ", s.half));
  }
  const int64_t available = s.half == 0 ? 0 : cosine.num_elements() / s.half;
  std::vector<int64_t> rows(static_cast<size_t>(tokens));
  for (int64_t i = 0; i < tokens; ++i) rows[static_cast<size_t>(i)] = i;
  if (in.has_input(3)) rows = ToInts(in.input(3));
  if (static_cast<int64_t>(rows.size()) != tokens) {
    return Status(Code::kInvalidArgument,
                  StrCat("'position_ids' has ", rows.size(), " elements, expected ", tokens));
  }
  for (const int64_t row : rows) {
    if (row >= 0 && row < available) continue;
    return Status(Code::kInvalidArgument,
                  StrCat("position ", row, " is outside of a cache of ", available, " rows"));
  }
  return rows;
}

Status EvalRotaryEmbedding(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const RotarySizes s, Resolve(in.node(), x.shape()));
  ASSIGN_OR_RETURN(const std::vector<int64_t> rows, CacheRows(in, s));
  const bool interleaved = in.node().GetInt("interleaved", 0) != 0;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) CopyElement(x, i, *y, i);
  for (int64_t b = 0; b < s.batch; ++b) {
    for (int64_t h = 0; h < s.heads; ++h) {
      for (int64_t t = 0; t < s.length; ++t) {
        const int64_t head =
            s.flat ? (b * s.length + t) * s.heads + h : (b * s.heads + h) * s.length + t;
        const int64_t row = rows[static_cast<size_t>(b * s.length + t)];
        for (int64_t k = 0; k < s.half; ++k) {
          const int64_t first = head * s.size + (interleaved ? 2 * k : k);
          const int64_t second = first + (interleaved ? 1 : s.half);
          const double cosine = in.input(1).GetDouble(row * s.half + k);
          const double sine = in.input(2).GetDouble(row * s.half + k);
          const double real = x.GetDouble(first), imaginary = x.GetDouble(second);
          y->SetDouble(first, cosine * real - sine * imaginary);
          y->SetDouble(second, sine * real + cosine * imaginary);
        }
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef RotaryEmbeddingOp() {
  return OpDef("RotaryEmbedding")
      .Input("X")
      .Input("cos_cache")
      .Input("sin_cache")
      .OptionalInput("position_ids")
      .Output("Y")
      .DefaultAttr("interleaved", AttrKind::kInt, int64_t{0},
                   "1: a pair is two neighbours; 0: one of the first and one of the second half.")
      .OptionalAttr("num_heads", AttrKind::kInt, "Heads of X of rank 3.")
      .DefaultAttr("rotary_embedding_dim", AttrKind::kInt, int64_t{0},
                   "How many leading features of each head rotate; 0: all.")
      .Doc(
          "Every pair (a, b) of features becomes (cos * a - sin * b, sin * a + cos * b); X is "
          "[batch, "
          "heads, sequence, size] or [batch, sequence, heads * size]. Row r of the caches holds "
          "the "
          "angles of position r; without position_ids the caches have a row for each token.")
      .Infer(InferRotaryEmbedding)
      .Reference(EvalRotaryEmbedding);
}

}  // namespace cairn
