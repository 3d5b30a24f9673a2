// SPDX-License-Identifier: Apache-2.0
// Convolution, pooling, normalisation, Softmax.
#include "frontend/singleop/builder.h"

namespace cairn::singleop {
namespace {

Status RequireNchw(const Builder& b, const char* attribute) {
  const std::string format = b.String(attribute, "NCHW");
  if (format == "NCHW") return OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat("attribute '", attribute, "' is ", format, ", only NCHW is available"));
}

/// The spatial pair of a four-element list in NCHW order; a two-element list is the pair itself.
Result<Ints> SpatialPair(const Builder& b, const char* attribute) {
  const Ints values = b.IntList(attribute, {1, 1, 1, 1});
  if (values.size() == 4) return Ints{values[2], values[3]};
  if (values.size() == 2) return values;
  return Status(Code::kInvalidArgument, StrCat("attribute '", attribute, "' has ", values.size(),
                                               " values, expected 4 in NCHW order"));
}

/// Top, bottom, left, right => top, left, bottom, right.
Result<Ints> Pads(const Builder& b, const char* attribute) {
  const Ints pads = b.IntList(attribute, {0, 0, 0, 0});
  if (pads.size() == 4) return Ints{pads[0], pads[2], pads[1], pads[3]};
  return Status(Code::kInvalidArgument,
                StrCat("attribute '", attribute, "' has ", pads.size(), " values, expected 4"));
}

}  // namespace

Status LowerConv2D(Builder& b) {
  RETURN_IF_ERROR(RequireNchw(b, "data_format"));
  ASSIGN_OR_RETURN(const Ints strides, SpatialPair(b, "strides"));
  ASSIGN_OR_RETURN(const Ints dilations, SpatialPair(b, "dilations"));
  ASSIGN_OR_RETURN(const Ints pads, Pads(b, "pads"));
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  ASSIGN_OR_RETURN(Value * filter, b.Wide(1));
  std::vector<Value*> inputs = {x, filter};
  if (b.Has(2)) {
    ASSIGN_OR_RETURN(Value * bias, b.Wide(2));
    inputs.push_back(bias);
  }
  ASSIGN_OR_RETURN(Value * y, b.Make("Conv", std::move(inputs),
                                     {{"strides", strides},
                                      {"dilations", dilations},
                                      {"pads", pads},
                                      {"group", b.Int("groups", 1)}}));
  return b.AddOutput(y);
}

// `mode`: 0 maximum, 1 average.
Status LowerPooling(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  const bool average = b.Int("mode", 0) == 1;
  if (b.Int("global_pooling", 0) != 0) {
    ASSIGN_OR_RETURN(Value * y, b.Make(average ? "GlobalAveragePool" : "GlobalMaxPool", {x}));
    return b.AddOutput(y);
  }
  ASSIGN_OR_RETURN(const Ints pads, Pads(b, "pad"));
  const Ints window = b.IntList("window", {1, 1}), stride = b.IntList("stride", {1, 1});
  ASSIGN_OR_RETURN(Value * y, b.Make(average ? "AveragePool" : "MaxPool", {x},
                                     {{"kernel_shape", window},
                                      {"strides", stride},
                                      {"pads", pads},
                                      {"ceil_mode", int64_t{b.Int("ceil_mode", 0) == 0}}}));
  return b.AddOutput(y);
}

// Inference: inputs x, scale, offset, mean, variance.
Status LowerBatchNorm(Builder& b) {
  RETURN_IF_ERROR(RequireNchw(b, "data_format"));
  if (b.Int("is_training", 0) != 0)
    return Status(Code::kInvalidArgument, "attribute 'is_training' must be false");
  std::vector<Value*> inputs;
  for (size_t i = 0; i < 5; ++i) {
    ASSIGN_OR_RETURN(Value * input, b.Wide(i));
    inputs.push_back(input);
  }
  ASSIGN_OR_RETURN(Value * y, b.Make("BatchNormalization", std::move(inputs),
                                     {{"epsilon", b.Float("epsilon", 1e-4f)}}));
  return b.AddOutput(y);
}

// One axis, or the last of all when `axes` is absent.
Status LowerSoftmax(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  const Ints axes = b.IntList("axes", {-1});
  if (axes.size() != 1)
    return Status(Code::kInvalidArgument,
                  StrCat("attribute 'axes' has ", axes.size(), " values, expected 1"));
  ASSIGN_OR_RETURN(Value * y, b.Make("Softmax", {x}, {{"axis", axes[0]}}));
  return b.AddOutput(y);
}

}  // namespace cairn::singleop
