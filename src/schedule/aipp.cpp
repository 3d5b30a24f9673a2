// SPDX-License-Identifier: Apache-2.0
// Kernel `aipp`: images of 8-bit pixels to plain [N, C, H, W]. Attributes: those of the operator
// Aipp, lists of floats as doubles.
#include "schedule/aipp.h"

#include "kernels/aipp/aipp.h"
#include "schedule/operands.h"

namespace cairn::schedule {
namespace {

int RunAippTask(const void* opaque, void* const* operands, void*, int, kernels::Part part) {
  const auto& params = *static_cast<const kernels::AippParams*>(opaque);
  const auto* block = static_cast<const std::byte*>(params.dynamic ? operands[1] : nullptr);
  void* dst = operands[params.dynamic ? 2 : 1];
  const bool done = kernels::RunAipp(
      params, {static_cast<const uint8_t*>(operands[0]), block, dst}, part);
  return done ? kNoFault : kBadAippParameters;
}

template <class T, size_t kCount>
bool ReadInts(const Task& task, const char* name, int64_t low, int64_t high,
              std::array<T, kCount>& target) {
  const std::vector<int64_t> values = task.GetInts(name);
  if (values.size() != kCount) return values.empty();
  for (size_t i = 0; i < kCount; ++i) {
    if (values[i] < low || values[i] > high) return false;
    target[i] = static_cast<T>(values[i]);
  }
  return true;
}

bool ReadFloats(const Task& task, const char* name, std::array<float, 4>& target) {
  const auto found = task.attributes.find(name);
  if (found == task.attributes.end()) return true;
  const auto* values = std::get_if<std::vector<double>>(&found->second);
  if (values == nullptr || values->size() != target.size()) return false;
  for (size_t i = 0; i < target.size(); ++i) target[i] = static_cast<float>((*values)[i]);
  return true;
}

}  // namespace

bool ReadTaskFrame(const Task& task, AippFrame& f) {
  std::array<int32_t, 2> source{};
  std::array<int32_t, 4> crop{}, padding{};
  const bool lists = ReadInts(task, "source", 0, 4096, source) &&
                     ReadInts(task, "crop", 0, 4096, crop) &&
                     ReadInts(task, "padding", 0, 32, padding) &&
                     ReadInts(task, "matrix", INT16_MIN, INT16_MAX, f.matrix) &&
                     ReadInts(task, "input_bias", 0, 255, f.input_bias) &&
                     ReadInts(task, "output_bias", 0, 255, f.output_bias) &&
                     ReadInts(task, "mean", 0, 255, f.mean) && ReadFloats(task, "min", f.min) &&
                     ReadFloats(task, "var_reci", f.var_reci);
  if (!lists) return false;
  const int64_t format = task.GetInt("input_format", 0);
  if (format < 0 || format > 4) return false;
  f.format = static_cast<PixelFormat>(format);
  f.csc = task.GetInt("csc", 0) != 0;
  f.rbuv_swap = task.GetInt("rbuv_swap", 0) != 0;
  f.ax_swap = task.GetInt("ax_swap", 0) != 0;
  f.src_h = source[0];
  f.src_w = source[1];
  f.crop = !task.GetInts("crop").empty();
  f.crop_y = crop[0];
  f.crop_x = crop[1];
  f.crop_h = crop[2];
  f.crop_w = crop[3];
  f.padding = !task.GetInts("padding").empty();
  f.pad_top = padding[0];
  f.pad_bottom = padding[1];
  f.pad_left = padding[2];
  f.pad_right = padding[3];
  f.pad_value = static_cast<float>(task.GetDouble("padding_value", 0));
  return true;
}

Result<BoundTask> BindAipp(const BindContext& context) {
  const Task& task = context.task;
  const bool dynamic = task.GetInt("dynamic", 0) != 0;
  RETURN_IF_ERROR(CheckPresent(context, dynamic ? 2 : 1, 1));
  const ProgramTensor &images = context.input(0), &dst = context.output(0);
  if (!Is(images, ElementType::kU8, Layout::kPlain) || dst.layout != Layout::kPlain ||
      dst.dims.size() != 4 || dst.dims[1] > 4) {
    return context.Invalid("images are plain u8 and the result has at most 4 channels");
  }
  auto params = std::make_shared<kernels::AippParams>();
  switch (dst.dtype) {
    case ElementType::kF32:
      params->result = kernels::AippResult::kF32;
      break;
    case ElementType::kF16:
      params->result = kernels::AippResult::kF16;
      break;
    case ElementType::kU8:
      params->result = kernels::AippResult::kU8;
      break;
    default:
      return context.Invalid("the result is f32, f16 or u8");
  }
  params->dynamic = dynamic;
  params->batch = dst.dims[0];
  params->channels = dst.dims[1];
  params->height = dst.dims[2];
  params->width = dst.dims[3];
  params->image_bytes = images.bytes;
  if (dynamic) {
    const ProgramTensor& block = context.input(1);
    params->block_bytes = block.bytes;
    if (!Is(block, ElementType::kU8, Layout::kPlain) ||
        block.bytes < AippBlockBytes(static_cast<size_t>(params->batch)))
      return context.Invalid("the parameter block holds every image");
  } else {
    AippFrame& frame = params->frame;
    if (!ReadTaskFrame(task, frame)) return context.Invalid("attributes are in their ranges");
    const Status rules = CheckAippFrame(frame, params->channels);
    if (!rules.ok()) return context.Invalid(rules.message());
    if (frame.out_h() != params->height || frame.out_w() != params->width ||
        images.bytes < static_cast<uint64_t>(params->batch * frame.bytes()))
      return context.Invalid("the images give the result");
  }
  return BoundTask{RunAippTask, std::move(params), 1, MostParts(context), 0};
}

}  // namespace cairn::schedule
