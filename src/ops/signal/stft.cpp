// SPDX-License-Identifier: Apache-2.0
// STFT: Fourier transforms of a window that moves over a signal.
#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/signal/fourier.h"

namespace cairn {
namespace {

Status CheckSignal(const TensorType& type) {
  const bool fits =
      !type.dims ||
      (type.rank() == 3 && (!(*type.dims)[2].is_const() || (*type.dims)[2].value() == 1 ||
                            (*type.dims)[2].value() == 2));
  if (fits) return OkStatus();
  return Status(Code::kInvalidModel, StrCat("the signal is ", type.ToString(),
                                            ", expected [batch, length, 1 or 2]"));
}

Status InferStft(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  if (in.has_input(2)) {
    RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
    RETURN_IF_ERROR(RequireRank(in, 2, 1));
  }
  if (in.has_input(3)) RETURN_IF_ERROR(RequireIndexType(in, 3));
  RETURN_IF_ERROR(CheckSignal(in.type(0)));
  TensorType type(in.type(0).dtype);
  if (in.dims(0)) {
    const Dims& x = *in.dims(0);
    std::optional<int64_t> length;
    if (in.has_input(3)) {
      const auto given = in.Ints(3);
      if (given && given->size() == 1) length = (*given)[0];
    } else {
      const Dim& dim = in.has_input(2) && in.dims(2) ? (*in.dims(2))[0] : x[1];
      const bool known = !in.has_input(2) || in.dims(2);
      if (known && dim.is_const()) length = dim.value();
    }
    const auto step = in.Ints(1);
    const bool frames_known = length && step && step->size() == 1 && (*step)[0] > 0 &&
                              x[1].is_const() && x[1].value() >= *length;
    const bool onesided = in.node().GetInt("onesided", 1) != 0;
    type.dims = Dims{x[0],
                     frames_known ? Dim((x[1].value() - *length) / (*step)[0] + 1) : in.NewSymbol(),
                     length ? Dim(onesided ? *length / 2 + 1 : *length) : in.NewSymbol(), Dim(2)};
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalStft(EvalContext& in) {
  const Tensor& x = in.input(0);
  RETURN_IF_ERROR(CheckSignal(TensorType(x.dtype(), Dims(x.shape().begin(), x.shape().end()))));
  const int64_t batch = x.shape()[0], size = x.shape()[1], parts = x.shape()[2];
  const int64_t step = in.input(1).GetInt(0);
  int64_t length = in.has_input(2) ? in.input(2).num_elements() : size;
  if (in.has_input(3)) length = in.input(3).GetInt(0);
  if (length < 1 || length > size || step < 1 ||
      (in.has_input(2) && in.input(2).num_elements() != length)) {
    return Status(Code::kInvalidArgument,
                  StrCat("frames of ", length, " every ", step, " samples of ", size,
                         in.has_input(2) ? StrCat(" with a window of ", in.input(2).num_elements())
                                         : std::string(),
                         " are not possible"));
  }
  const bool onesided = in.node().GetInt("onesided", 1) != 0;
  if (onesided && parts == 2) {
    return Status(Code::kInvalidArgument, "a complex signal has no one-sided spectrum");
  }
  const int64_t frames = (size - length) / step + 1, bins = onesided ? length / 2 + 1 : length;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), {batch, frames, bins, 2}));
  const FourierTransform transform(static_cast<size_t>(length), false);
  std::vector<Complex> line(static_cast<size_t>(length));
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t f = 0; f < frames; ++f) {
      for (int64_t n = 0; n < length; ++n) {
        const int64_t at = (b * size + f * step + n) * parts;
        const double weight = in.has_input(2) ? in.input(2).GetDouble(n) : 1;
        line[static_cast<size_t>(n)] =
            weight * Complex(x.GetDouble(at), parts == 2 ? x.GetDouble(at + 1) : 0);
      }
      transform.Run(line);
      for (int64_t k = 0; k < bins; ++k) {
        const int64_t to = ((b * frames + f) * bins + k) * 2;
        y->SetDouble(to, line[static_cast<size_t>(k)].real());
        y->SetDouble(to + 1, line[static_cast<size_t>(k)].imag());
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef STFTOp() {
  return OpDef("STFT")
      .Input("signal")
      .Input("frame_step")
      .OptionalInput("window")
      .OptionalInput("frame_length")
      .Output("output")
      .DefaultAttr("onesided", AttrKind::kInt, int64_t{1},
                   "1: the first frame_length / 2 + 1 values of each spectrum.")
      .Doc("The Fourier transforms of frames of the signal, [batch, length, 1 or 2], one every "
           "frame_step samples, each multiplied by the window: [batch, frames, bins, 2]. "
           "frame_length is that of the window, or of the signal, when absent.")
      .Infer(InferStft)
      .Reference(EvalStft);
}

}  // namespace cairn
