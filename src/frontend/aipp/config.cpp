// SPDX-License-Identifier: Apache-2.0
// Fields of the configuration, their ranges and defaults.
#include "frontend/aipp/config.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/strings.h"
#include "frontend/aipp/text_format.h"

namespace cairn::aipp {
namespace {

constexpr double kLargestHalf = 65504;

/// What an aipp_op says, before defaults.
struct Values {
  const TextField* op = nullptr;
  std::map<std::string, const TextField*> fields;

  const TextField* Find(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : found->second;
  }
};

Status Bad(const TextField& field, const std::string& rule) {
  return Status(Code::kInvalidArgument, StrCat("line ", field.line, ": ", field.name, " is ",
                                               field.value, ", ", rule));
}

/// Fields of one value; the enumeration of the public message.
const std::vector<std::string>& FieldNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = {
        "aipp_mode", "related_input_rank", "related_input_name", "input_edge_idx",
        "max_src_image_size", "support_rotation", "input_format", "csc_switch", "cpadding_value",
        "rbuv_swap_switch", "ax_swap_switch", "single_line_mode", "src_image_size_w",
        "src_image_size_h", "crop", "load_start_pos_w", "load_start_pos_h", "crop_size_w",
        "crop_size_h", "resize", "resize_output_w", "resize_output_h", "padding",
        "left_padding_size", "right_padding_size", "top_padding_size", "bottom_padding_size",
        "padding_value", "raw_rgbir_to_f16_n"};
    for (int i = 0; i < 4; ++i) {
      list.push_back(StrCat("mean_chn_", i));
      list.push_back(StrCat("min_chn_", i));
      list.push_back(StrCat("var_reci_chn_", i));
    }
    for (int i = 0; i < 3; ++i) {
      list.push_back(StrCat("input_bias_", i));
      list.push_back(StrCat("output_bias_", i));
      for (int j = 0; j < 3; ++j) list.push_back(StrCat("matrix_r", i, "c", j));
    }
    return list;
  }();
  return names;
}

Status Collect(const TextField& op, Values& values) {
  values.op = &op;
  const std::set<std::string> known(FieldNames().begin(), FieldNames().end());
  for (const TextField& field : op.fields) {
    if (known.count(field.name) == 0) {
      const std::string nearest = NearestName(field.name, FieldNames());
      return Status(Code::kInvalidArgument,
                    StrCat("line ", field.line, ": there is no field '", field.name, "'",
                           nearest.empty() ? "" : StrCat(", did you mean '", nearest, "'?")));
    }
    if (field.is_message) return Bad(field, "a single value is expected");
    const bool repeats = field.name == "input_edge_idx";
    if (!values.fields.emplace(field.name, &field).second && !repeats)
      return Status(Code::kInvalidArgument,
                    StrCat("line ", field.line, ": ", field.name, " is given twice, first in line ",
                           values.Find(field.name)->line));
  }
  return OkStatus();
}

template <class T>
Status ReadInt(const Values& values, const std::string& name, int64_t low, int64_t high,
               T& target) {
  const TextField* field = values.Find(name);
  if (field == nullptr) return OkStatus();
  int64_t number = 0;
  const char* end = field->value.data() + field->value.size();
  const auto [stop, error] = std::from_chars(field->value.data(), end, number);
  if (error != std::errc() || stop != end || number < low || number > high)
    return Bad(*field, StrCat("it must be an integer in [", low, ", ", high, "]"));
  target = static_cast<T>(number);
  return OkStatus();
}

Status ReadBool(const Values& values, const std::string& name, bool& target) {
  const TextField* field = values.Find(name);
  if (field == nullptr) return OkStatus();
  const std::string& text = field->value;
  const bool yes = text == "true" || text == "True" || text == "t" || text == "1";
  const bool no = text == "false" || text == "False" || text == "f" || text == "0";
  if (!yes && !no) return Bad(*field, "it must be true or false");
  target = yes;
  return OkStatus();
}

Status ReadFloat(const Values& values, const std::string& name, double low, double high,
                 float& target) {
  const TextField* field = values.Find(name);
  if (field == nullptr) return OkStatus();
  std::string text = field->value;
  if (!text.empty() && (text.back() == 'f' || text.back() == 'F')) text.pop_back();
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size() || !(number >= low) ||
      !(number <= high))
    return Bad(*field, StrCat("it must be a number in [", low, ", ", high, "]"));
  target = static_cast<float>(number);
  return OkStatus();
}

Status ReadMode(const Values& values, bool& dynamic) {
  const TextField* field = values.Find("aipp_mode");
  if (field == nullptr)
    return Status(Code::kInvalidArgument,
                  StrCat("line ", values.op->line, ": aipp_mode is missing (static or dynamic)"));
  dynamic = field->value == "dynamic" || field->value == "2";
  if (dynamic || field->value == "static" || field->value == "1") return OkStatus();
  return Bad(*field, "it must be static or dynamic");
}

Status ReadFormat(const Values& values, PixelFormat& format) {
  const TextField* field = values.Find("input_format");
  if (field == nullptr)
    return Status(Code::kInvalidArgument,
                  StrCat("line ", values.op->line, ": input_format is missing"));
  static const std::map<std::string, PixelFormat, std::less<>> kFormats = {
      {"YUV420SP_U8", PixelFormat::kYuv420Sp}, {"1", PixelFormat::kYuv420Sp},
      {"XRGB8888_U8", PixelFormat::kXrgb8888}, {"2", PixelFormat::kXrgb8888},
      {"RGB888_U8", PixelFormat::kRgb888},     {"3", PixelFormat::kRgb888},
      {"YUV400_U8", PixelFormat::kYuv400},     {"4", PixelFormat::kYuv400}};
  const auto found = kFormats.find(field->value);
  if (found == kFormats.end())
    return Bad(*field, "available are YUV420SP_U8, XRGB8888_U8, RGB888_U8, YUV400_U8");
  format = found->second;
  return OkStatus();
}

Status RefuseReserved(const Values& values) {
  bool resize = false, rotation = false, single_line = false;
  RETURN_IF_ERROR(ReadBool(values, "resize", resize));
  if (resize)
    return Status(Code::kUnsupported, StrCat("line ", values.Find("resize")->line,
                                             ": resize is true, scaling of images is not available "
                                             "on this device"));
  RETURN_IF_ERROR(ReadBool(values, "support_rotation", rotation));
  if (rotation)
    return Status(Code::kUnsupported, StrCat("line ", values.Find("support_rotation")->line,
                                             ": support_rotation is true, rotation is not "
                                             "available"));
  RETURN_IF_ERROR(ReadBool(values, "single_line_mode", single_line));
  if (single_line)
    return Status(Code::kUnsupported, StrCat("line ", values.Find("single_line_mode")->line,
                                             ": single_line_mode is true, it is not available"));
  return OkStatus();
}

Status ReadGeometry(const Values& values, AippFrame& f) {
  RETURN_IF_ERROR(ReadInt(values, "src_image_size_w", 0, 4096, f.src_w));
  RETURN_IF_ERROR(ReadInt(values, "src_image_size_h", 0, 4096, f.src_h));
  if (f.src_w == 1) return Bad(*values.Find("src_image_size_w"), "it must be 0 or in [2, 4096]");
  if (f.format == PixelFormat::kYuv420Sp) {
    for (const char* name : {"src_image_size_w", "src_image_size_h", "load_start_pos_w",
                             "load_start_pos_h"}) {
      int64_t size = 0;
      RETURN_IF_ERROR(ReadInt(values, name, 0, 4096, size));
      if (size % 2 != 0) return Bad(*values.Find(name), "it must be even for YUV420SP_U8");
    }
  }
  RETURN_IF_ERROR(ReadBool(values, "crop", f.crop));
  RETURN_IF_ERROR(ReadInt(values, "load_start_pos_w", 0, 4095, f.crop_x));
  RETURN_IF_ERROR(ReadInt(values, "load_start_pos_h", 0, 4095, f.crop_y));
  RETURN_IF_ERROR(ReadInt(values, "crop_size_w", 0, 4096, f.crop_w));
  RETURN_IF_ERROR(ReadInt(values, "crop_size_h", 0, 4096, f.crop_h));
  RETURN_IF_ERROR(ReadBool(values, "padding", f.padding));
  RETURN_IF_ERROR(ReadInt(values, "left_padding_size", 0, 32, f.pad_left));
  RETURN_IF_ERROR(ReadInt(values, "right_padding_size", 0, 32, f.pad_right));
  RETURN_IF_ERROR(ReadInt(values, "top_padding_size", 0, 32, f.pad_top));
  RETURN_IF_ERROR(ReadInt(values, "bottom_padding_size", 0, 32, f.pad_bottom));
  const bool open = f.src_w == 0 || f.src_h == 0;
  if (open && (f.crop || f.padding))
    return Status(Code::kInvalidArgument,
                  StrCat("line ", values.op->line, ": src_image_size_w and src_image_size_h must be "
                         "given with ", f.crop ? "crop" : "padding"));
  return ReadFloat(values, "padding_value", -kLargestHalf, kLargestHalf, f.pad_value);
}

void SetColourDefaults(AippFrame& f) {
  if (f.format == PixelFormat::kYuv420Sp)
    f.matrix = {298, 516, 0, 298, -100, -208, 298, 0, 409};
  else
    f.matrix = {66, 129, 25, -38, -74, 112, 112, -94, -18};
  f.input_bias = f.output_bias = {16, 128, 128};
}

Status ReadColours(const Values& values, AippFrame& f) {
  SetColourDefaults(f);
  RETURN_IF_ERROR(ReadBool(values, "csc_switch", f.csc));
  RETURN_IF_ERROR(ReadBool(values, "rbuv_swap_switch", f.rbuv_swap));
  RETURN_IF_ERROR(ReadBool(values, "ax_swap_switch", f.ax_swap));
  for (size_t i = 0; i < 3; ++i) {
    RETURN_IF_ERROR(ReadInt(values, StrCat("input_bias_", i), 0, 255, f.input_bias[i]));
    RETURN_IF_ERROR(ReadInt(values, StrCat("output_bias_", i), 0, 255, f.output_bias[i]));
    for (size_t j = 0; j < 3; ++j)
      RETURN_IF_ERROR(ReadInt(values, StrCat("matrix_r", i, "c", j), INT16_MIN, INT16_MAX,
                              f.matrix[3 * i + j]));
  }
  for (size_t i = 0; i < 4; ++i) {
    RETURN_IF_ERROR(ReadInt(values, StrCat("mean_chn_", i), 0, 255, f.mean[i]));
    RETURN_IF_ERROR(ReadFloat(values, StrCat("min_chn_", i), 0, 255, f.min[i]));
    RETURN_IF_ERROR(ReadFloat(values, StrCat("var_reci_chn_", i), -kLargestHalf, kLargestHalf,
                              f.var_reci[i]));
  }
  return OkStatus();
}

Result<AippOp> ReadOp(const TextField& message) {
  Values values;
  RETURN_IF_ERROR(Collect(message, values));
  AippOp op;
  op.line = message.line;
  RETURN_IF_ERROR(ReadMode(values, op.dynamic));
  RETURN_IF_ERROR(ReadInt(values, "related_input_rank", 0, 65535, op.input_rank));
  if (const TextField* name = values.Find("related_input_name")) op.input_name = name->value;
  RETURN_IF_ERROR(ReadInt(values, "max_src_image_size", 1, UINT32_MAX, op.max_src_image_size));
  RETURN_IF_ERROR(RefuseReserved(values));
  if (op.dynamic) {
    if (op.max_src_image_size == 0)
      return Status(Code::kInvalidArgument,
                    StrCat("line ", op.line, ": max_src_image_size is missing, dynamic "
                           "pre-processing needs the bytes of the largest images"));
    return op;
  }
  RETURN_IF_ERROR(ReadFormat(values, op.frame.format));
  RETURN_IF_ERROR(ReadGeometry(values, op.frame));
  RETURN_IF_ERROR(ReadColours(values, op.frame));
  return op;
}

}  // namespace

Result<std::vector<AippOp>> ParseAippConfig(std::string_view text) {
  auto fields = ParseTextFormat(text);
  if (!fields.ok()) return Status(Code::kDataCorrupt, fields.status().message());
  std::vector<AippOp> ops;
  for (const TextField& field : *fields) {
    if (field.name != "aipp_op" || !field.is_message)
      return Status(Code::kDataCorrupt, StrCat("line ", field.line, ": 'aipp_op {' is expected, "
                                               "not '", field.name, "'"));
    ASSIGN_OR_RETURN(AippOp op, ReadOp(field));
    ops.push_back(std::move(op));
  }
  if (ops.empty()) return Status(Code::kInvalidArgument, "the file has no aipp_op");
  return ops;
}

void ResolveSizes(int64_t height, int64_t width, AippFrame& f) {
  const auto h = static_cast<int32_t>(height), w = static_cast<int32_t>(width);
  if (f.src_h == 0) f.src_h = h;
  if (f.src_w == 0) f.src_w = w;
  if (!f.crop) return;
  if (f.crop_h == 0) f.crop_h = h - (f.padding ? f.pad_top + f.pad_bottom : 0);
  if (f.crop_w == 0) f.crop_w = w - (f.padding ? f.pad_left + f.pad_right : 0);
}

}  // namespace cairn::aipp
