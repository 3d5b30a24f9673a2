// SPDX-License-Identifier: Apache-2.0
// Aipp: pre-processing of images of 8-bit pixels into the input of a network.
#include "ops/nn/aipp.h"

#include <algorithm>

#include "ops/elements.h"
#include "ops/op_def.h"

namespace cairn {
namespace {

template <class T, size_t kCount>
void FillFrom(const Ints& values, std::array<T, kCount>& target) {
  for (size_t i = 0; i < std::min(values.size(), kCount); ++i) target[i] = static_cast<T>(values[i]);
}

template <size_t kCount>
void FillFrom(const Node& node, const char* name, std::array<float, kCount>& target) {
  const auto* values = node.Get<Floats>(name);
  for (size_t i = 0; values && i < std::min(values->size(), kCount); ++i) target[i] = (*values)[i];
}

bool IsDynamic(const Node& node) { return node.GetInt("dynamic", 0) != 0; }

Result<ElementType> ResultType(const Node& node) {
  const auto* type = node.Get<TensorType>("to");
  const bool known = type && (type->dtype == ElementType::kF32 || type->dtype == ElementType::kF16 ||
                              type->dtype == ElementType::kU8);
  if (known) return type->dtype;
  return Status(Code::kInvalidModel, "attribute 'to' must be f32, f16 or u8");
}

Status InferAipp(InferContext& in) {
  ASSIGN_OR_RETURN(const ElementType to, ResultType(in.node()));
  if (in.type(0).dtype != ElementType::kU8 && in.type(0).dtype != ElementType::kUndefined)
    return Status(Code::kInvalidModel, StrCat("images are ", in.type(0).dtype, ", expected u8"));
  const Ints shape = in.node().GetInts("shape");
  if (shape.size() != 4)
    return Status(Code::kInvalidModel,
                  StrCat("attribute 'shape' has ", shape.size(), " values, expected 4"));
  if (!IsDynamic(in.node())) {
    const AippFrame frame = AippFrameOf(in.node());
    const Status rules = CheckAippFrame(frame, shape[1]);
    if (!rules.ok()) return Status(Code::kInvalidModel, rules.message());
    if (frame.out_h() != shape[2] || frame.out_w() != shape[3])
      return Status(Code::kInvalidModel,
                    StrCat("the images become ", frame.out_h(), "x", frame.out_w(), ", expected ",
                           shape[2], "x", shape[3]));
  }
  in.SetOutput(0, TensorType(to, Dims(shape.begin(), shape.end())));
  return OkStatus();
}

/// One image and where its results go.
struct Picture {
  const AippFrame& frame;
  const uint8_t* bytes;
  int64_t channels;

  /// The channels of the pixel as the network's author numbers them, before colour conversion.
  std::array<int, 4> Pixel(int64_t y, int64_t x) const {
    const int64_t at = y * frame.src_w + x;
    std::array<int, 4> p{};
    switch (frame.format) {
      case PixelFormat::kYuv400:
        p[0] = bytes[at];
        break;
      case PixelFormat::kYuv420Sp: {
        const uint8_t* chroma = bytes + int64_t{frame.src_w} * frame.src_h +
                                y / 2 * frame.src_w + x / 2 * 2;
        p = {bytes[at], chroma[0], chroma[1], 0};
        if (frame.rbuv_swap) std::swap(p[1], p[2]);
        break;
      }
      default: {
        const int size = PixelBytes(frame.format);
        for (int c = 0; c < size; ++c) p[static_cast<size_t>(c)] = bytes[at * size + c];
        if (size == 4 && frame.ax_swap) p = {p[1], p[2], p[3], p[0]};
        if (frame.rbuv_swap) std::swap(p[0], p[2]);
      }
    }
    return p;
  }

  /// One row of the conversion, clamped to a byte.
  int Converted(const std::array<int, 4>& p, size_t row) const {
    int sum = 0;
    for (size_t k = 0; k < 3; ++k) {
      const int bias = frame.is_yuv() ? frame.input_bias[k] : 0;
      sum += frame.matrix[3 * row + k] * (p[k] - bias);
    }
    sum >>= 8;
    if (!frame.is_yuv()) sum += frame.output_bias[row];
    return std::clamp(sum, 0, 255);
  }

  std::array<int, 4> Colours(int64_t y, int64_t x) const {
    const std::array<int, 4> p = Pixel(y, x);
    if (!frame.csc) return p;
    return {Converted(p, 0), Converted(p, 1), Converted(p, 2), 0};
  }
};

/// Writes image `n` of `y` (N, C, H, W).
void EvalFrame(const Picture& picture, int64_t n, Tensor& y) {
  const AippFrame& f = picture.frame;
  const int64_t height = f.out_h(), width = f.out_w();
  const bool normalizes = y.dtype() != ElementType::kU8;
  std::array<std::array<float, 256>, 4> tables;
  for (int c = 0; c < 4; ++c) NormalizationTable(f, c, tables[static_cast<size_t>(c)]);
  const int64_t top = f.padding ? f.pad_top : 0, left = f.padding ? f.pad_left : 0;
  const int64_t crop_y = f.crop ? f.crop_y : 0, crop_x = f.crop ? f.crop_x : 0;
  for (int64_t row = 0; row < height; ++row) {
    for (int64_t column = 0; column < width; ++column) {
      const int64_t source_y = row - top, source_x = column - left;
      const bool inside = source_y >= 0 && source_y < f.cropped_h() && source_x >= 0 &&
                          source_x < f.cropped_w();
      std::array<int, 4> colours{};
      if (inside) colours = picture.Colours(crop_y + source_y, crop_x + source_x);
      for (int64_t c = 0; c < picture.channels; ++c) {
        const auto channel = static_cast<size_t>(c);
        const auto value = static_cast<size_t>(colours[channel]);
        const double result = !inside      ? f.pad_value
                              : normalizes ? tables[channel][value]
                                           : static_cast<double>(value);
        y.SetDouble(((n * picture.channels + c) * height + row) * width + column, result);
      }
    }
  }
}

/// The frame of image `n` of a dynamic node, checked against the result it must give.
Status DynamicFrame(const Tensor& block, const Ints& shape, int64_t n, AippFrame& frame) {
  const std::span<const std::byte> bytes(block.bytes(), block.num_bytes());
  RETURN_IF_ERROR(ReadAippFrame(bytes, static_cast<size_t>(n), frame));
  RETURN_IF_ERROR(CheckAippFrame(frame, shape[1]));
  if (frame.out_h() == shape[2] && frame.out_w() == shape[3]) return OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat("image ", n, " becomes ", frame.out_h(), "x", frame.out_w(), ", expected ",
                       shape[2], "x", shape[3]));
}

Status EvalAipp(EvalContext& in) {
  const Node& node = in.node();
  ASSIGN_OR_RETURN(const ElementType to, ResultType(node));
  const Ints shape = node.GetInts("shape");
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, to, shape));
  const Tensor& images = in.input(0);
  const auto* bytes = images.data<uint8_t>();
  const auto available = static_cast<int64_t>(images.num_bytes());
  AippFrame frame = AippFrameOf(node);
  int64_t at = 0;
  for (int64_t n = 0; n < shape[0]; ++n) {
    if (IsDynamic(node)) RETURN_IF_ERROR(DynamicFrame(in.input(1), shape, n, frame));
    if (at + frame.bytes() > available)
      return Status(Code::kInvalidArgument,
                    StrCat("image ", n, " ends at byte ", at + frame.bytes(), " of ", available));
    EvalFrame({frame, bytes + at, shape[1]}, n, *y);
    at += frame.bytes();
  }
  return OkStatus();
}

}  // namespace

AippFrame AippFrameOf(const Node& node) {
  AippFrame f;
  f.format = static_cast<PixelFormat>(node.GetInt("input_format", 0));
  f.csc = node.GetInt("csc", 0) != 0;
  f.rbuv_swap = node.GetInt("rbuv_swap", 0) != 0;
  f.ax_swap = node.GetInt("ax_swap", 0) != 0;
  const Ints source = node.GetInts("source"), crop = node.GetInts("crop");
  const Ints padding = node.GetInts("padding");
  if (source.size() == 2) {
    f.src_h = static_cast<int32_t>(source[0]);
    f.src_w = static_cast<int32_t>(source[1]);
  }
  if (crop.size() == 4) {
    f.crop = true;
    f.crop_y = static_cast<int32_t>(crop[0]);
    f.crop_x = static_cast<int32_t>(crop[1]);
    f.crop_h = static_cast<int32_t>(crop[2]);
    f.crop_w = static_cast<int32_t>(crop[3]);
  }
  if (padding.size() == 4) {
    f.padding = true;
    f.pad_top = static_cast<int32_t>(padding[0]);
    f.pad_bottom = static_cast<int32_t>(padding[1]);
    f.pad_left = static_cast<int32_t>(padding[2]);
    f.pad_right = static_cast<int32_t>(padding[3]);
  }
  f.pad_value = node.GetFloat("padding_value", 0);
  FillFrom(node.GetInts("matrix"), f.matrix);
  FillFrom(node.GetInts("input_bias"), f.input_bias);
  FillFrom(node.GetInts("output_bias"), f.output_bias);
  FillFrom(node.GetInts("mean"), f.mean);
  FillFrom(node, "min", f.min);
  FillFrom(node, "var_reci", f.var_reci);
  return f;
}

void SetAippAttributes(const AippFrame& f, Node& node) {
  node.Set("input_format", int64_t{static_cast<int>(f.format)});
  node.Set("csc", int64_t{f.csc});
  node.Set("rbuv_swap", int64_t{f.rbuv_swap});
  node.Set("ax_swap", int64_t{f.ax_swap});
  node.Set("source", Ints{f.src_h, f.src_w});
  if (f.crop) node.Set("crop", Ints{f.crop_y, f.crop_x, f.crop_h, f.crop_w});
  if (f.padding) node.Set("padding", Ints{f.pad_top, f.pad_bottom, f.pad_left, f.pad_right});
  node.Set("padding_value", f.pad_value);
  node.Set("matrix", Ints(f.matrix.begin(), f.matrix.end()));
  node.Set("input_bias", Ints(f.input_bias.begin(), f.input_bias.end()));
  node.Set("output_bias", Ints(f.output_bias.begin(), f.output_bias.end()));
  node.Set("mean", Ints(f.mean.begin(), f.mean.end()));
  node.Set("min", Floats(f.min.begin(), f.min.end()));
  node.Set("var_reci", Floats(f.var_reci.begin(), f.var_reci.end()));
}

OpDef AippOp() {
  const auto zero = int64_t{0};
  return OpDef("Aipp")
      .Input("images")
      .OptionalInput("params")
      .Output("features")
      .Attr("to", AttrKind::kType, "The element type of the result: f32, f16 or u8.")
      .Attr("shape", AttrKind::kInts, "N, C, H, W of the result.")
      .DefaultAttr("dynamic", AttrKind::kInt, zero,
                   "1: everything else comes with `params`, the block of 64 bytes and 96 per image.")
      .DefaultAttr("input_format", AttrKind::kInt, zero,
                   "1 YUV420SP, 2 XRGB, 3 RGB, 4 luma alone; 8 bits each.")
      .OptionalAttr("source", AttrKind::kInts, "Height and width of the images.")
      .DefaultAttr("rbuv_swap", AttrKind::kInt, zero, "1: R and B, or U and V, are exchanged.")
      .DefaultAttr("ax_swap", AttrKind::kInt, zero, "1: the first byte of XRGB becomes the last.")
      .OptionalAttr("crop", AttrKind::kInts, "Top, left, height, width of what is used.")
      .DefaultAttr("csc", AttrKind::kInt, zero, "1: colours are converted.")
      .OptionalAttr("matrix", AttrKind::kInts, "Of the conversion, row by row, times 256.")
      .OptionalAttr("input_bias", AttrKind::kInts, "Subtracted from YUV before the product.")
      .OptionalAttr("output_bias", AttrKind::kInts, "Added to the product of RGB.")
      .OptionalAttr("mean", AttrKind::kInts, "Per channel, subtracted first.")
      .OptionalAttr("min", AttrKind::kFloats, "Per channel, subtracted next.")
      .OptionalAttr("var_reci", AttrKind::kFloats, "Per channel, the factor.")
      .OptionalAttr("padding", AttrKind::kInts, "Lines and columns added: top, bottom, left, right.")
      .DefaultAttr("padding_value", AttrKind::kFloat, 0.0f, "Of what is added.")
      .Doc(
          "Images of 8-bit pixels (N images, one after the other) become the input of a network, in "
          "this order: swaps, crop, colour conversion (product of 8-bit numbers and the matrix, "
          "shifted right by 8, clamped to a byte; the chroma of YUV420SP stands for 2x2 pixels), "
          "((x - mean) - min) * var_reci in float32 unless the result is u8, padding.")
      .Infer(InferAipp)
      .Reference(EvalAipp);
}

}  // namespace cairn
