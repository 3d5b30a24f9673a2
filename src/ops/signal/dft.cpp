// SPDX-License-Identifier: Apache-2.0
// DFT: the discrete Fourier transform along an axis.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/signal/fourier.h"

namespace cairn {
namespace {

/// Longest transform: the reference must not allocate without bound.
constexpr int64_t kMaxLength = int64_t{1} << 28;

bool Flag(const Node& node, const char* name) { return node.GetInt(name, 0) != 0; }

/// onnx:DFT axis in [-r, -2] or [0, r - 2]: the last one holds real and imaginary parts.
Result<size_t> SignalAxis(int64_t axis, int64_t rank) {
  ASSIGN_OR_RETURN(const int64_t at, NormalizeAxis(axis, rank));
  if (at == rank - 1) {
    return Status(Code::kInvalidModel, StrCat("axis ", axis, " is that of the complex parts"));
  }
  return static_cast<size_t>(at);
}

Status InferDft(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  if (in.has_input(1)) RETURN_IF_ERROR(RequireIndexType(in, 1));
  if (in.has_input(2)) RETURN_IF_ERROR(RequireIndexType(in, 2));
  const bool inverse = Flag(in.node(), "inverse"), onesided = Flag(in.node(), "onesided");
  TensorType type(in.type(0).dtype);
  const Dims* x = in.dims(0);
  if (!x) {
    in.SetOutput(0, std::move(type));
    return OkStatus();
  }
  const Dim parts = x->empty() ? Dim(0) : x->back();
  if (x->size() < 2 || (parts.is_const() && parts.value() != 1 && parts.value() != 2)) {
    return Status(Code::kInvalidModel, StrCat("input 0 is ", in.type(0).ToString(),
                                              ", expected a last axis of 1 (real) or 2 (complex)"));
  }
  Dims dims = *x;
  dims.back() = Dim(inverse && onesided ? 1 : 2);
  const auto axis = in.has_input(2) ? in.Ints(2) : std::vector<int64_t>{-2};
  if (!axis || axis->size() != 1) {
    for (size_t d = 0; d + 1 < dims.size(); ++d) dims[d] = in.NewSymbol();
  } else {
    ASSIGN_OR_RETURN(const size_t a, SignalAxis((*axis)[0], in.type(0).rank()));
    Dim length = inverse && onesided ? (dims[a] - Dim(1)) * Dim(2) : dims[a];
    if (in.has_input(1)) {
      const auto given = in.Elements(1);
      length = given && given->size() == 1 && IsCertain((*given)[0]) ? (*given)[0] : in.NewSymbol();
    }
    if (length.is_const()) {
      const int64_t n = length.value();
      dims[a] = Dim(onesided && !inverse ? n / 2 + 1 : n);
    } else {
      dims[a] = onesided ? in.NewSymbol() : length;
    }
  }
  type.dims = std::move(dims);
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

/// How the lines of a transform lie in source and result.
struct Lines {
  int64_t outer, inner, from_axis, to_axis;
  int64_t from_parts, to_parts;
};

void TransformLine(const Tensor& x, Tensor& y, const Lines& lines, int64_t outer, int64_t inner,
                   const FourierTransform& transform, bool mirror) {
  const auto length = static_cast<int64_t>(transform.length());
  const auto read = [&](int64_t n) {
    const int64_t at = ((outer * lines.from_axis + n) * lines.inner + inner) * lines.from_parts;
    return Complex(x.GetDouble(at), lines.from_parts == 2 ? x.GetDouble(at + 1) : 0);
  };
  std::vector<Complex> line(transform.length());
  const int64_t given = std::min(lines.from_axis, mirror ? length / 2 + 1 : length);
  for (int64_t n = 0; n < given; ++n) {
    line[static_cast<size_t>(n)] = read(n);
    // The spectrum of a real signal: the other half is the conjugate of this one.
    if (mirror && n > 0) line[static_cast<size_t>(length - n)] = std::conj(read(n));
  }
  if (mirror) {
    // What a real signal's spectrum has no imaginary part in.
    line[0] = line[0].real();
    if (length % 2 == 0) line[transform.length() / 2] = line[transform.length() / 2].real();
  }
  transform.Run(line);
  for (int64_t k = 0; k < lines.to_axis; ++k) {
    const int64_t at = ((outer * lines.to_axis + k) * lines.inner + inner) * lines.to_parts;
    y.SetDouble(at, line[static_cast<size_t>(k)].real());
    if (lines.to_parts == 2) y.SetDouble(at + 1, line[static_cast<size_t>(k)].imag());
  }
}

Status EvalDft(EvalContext& in) {
  const Tensor& x = in.input(0);
  const bool inverse = Flag(in.node(), "inverse"), onesided = Flag(in.node(), "onesided");
  if (x.rank() < 2 || (x.shape().back() != 1 && x.shape().back() != 2)) {
    return Status(Code::kInvalidArgument, StrCat("input 0 is ", x.TypeToString(),
                                                 ", expected a last axis of 1 or 2"));
  }
  ASSIGN_OR_RETURN(const size_t axis,
                   SignalAxis(in.has_input(2) ? in.input(2).GetInt(0) : -2, x.rank()));
  Shape shape = x.shape();
  int64_t length = inverse && onesided ? 2 * (shape[axis] - 1) : shape[axis];
  if (in.has_input(1)) length = in.input(1).GetInt(0);
  if (length < 1 || length > kMaxLength) {
    return Status(Code::kInvalidArgument, StrCat("a transform of length ", length,
                                                 " is not possible"));
  }
  Lines lines{ProductOf(shape, 0, axis),
              ProductOf(shape, axis + 1, shape.size() - 1),
              shape[axis],
              onesided && !inverse ? length / 2 + 1 : length,
              shape.back(),
              inverse && onesided ? 1 : 2};
  shape[axis] = lines.to_axis;
  shape.back() = lines.to_parts;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const FourierTransform transform(static_cast<size_t>(length), inverse);
  for (int64_t outer = 0; outer < lines.outer; ++outer) {
    for (int64_t inner = 0; inner < lines.inner; ++inner) {
      TransformLine(x, *y, lines, outer, inner, transform, inverse && onesided);
    }
  }
  return OkStatus();
}

}  // namespace

OpDef DFTOp() {
  return OpDef("DFT")
      .Input("input")
      .OptionalInput("dft_length")
      .OptionalInput("axis")
      .Output("output")
      .DefaultAttr("inverse", AttrKind::kInt, int64_t{0}, "1: the inverse transform.")
      .DefaultAttr("onesided", AttrKind::kInt, int64_t{0},
                   "1: only the first dft_length / 2 + 1 values of a real signal's spectrum.")
      .Doc("The discrete Fourier transform along `axis` (-2 when absent) of values whose last axis "
           "is 1 (real) or 2 (real and imaginary part). The signal is cut or filled with zeros to "
           "dft_length. onesided with inverse takes half a spectrum to a real signal of length "
           "dft_length, by default 2 (n - 1). Computed in O(n log n) for every length.")
      .Infer(InferDft)
      .Reference(EvalDft);
}

}  // namespace cairn
