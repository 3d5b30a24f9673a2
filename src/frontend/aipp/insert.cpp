// SPDX-License-Identifier: Apache-2.0
// The graph edit, and the pipeline in words and numbers.
#include "frontend/aipp/insert.h"

#include <set>

#include "ops/nn/aipp.h"
#include "ops/op_def.h"

namespace cairn::aipp {
namespace {

Status Bad(const AippOp& op, const std::string& what) {
  return Status(Code::kInvalidArgument, StrCat("aipp_op of line ", op.line, ": ", what));
}

Result<Value*> FindInput(const AippOp& op, const Graph& graph) {
  const auto& inputs = graph.inputs();
  if (op.input_name.empty()) {
    if (op.input_rank < static_cast<int64_t>(inputs.size()))
      return inputs[static_cast<size_t>(op.input_rank)];
    return Bad(op, StrCat("related_input_rank is ", op.input_rank, ", the model has ",
                          inputs.size(), " inputs"));
  }
  std::vector<std::string> names;
  for (Value* input : inputs) {
    if (input->name() == op.input_name) return input;
    names.push_back(input->name());
  }
  return Bad(op, StrCat("related_input_name is '", op.input_name, "', the inputs are ",
                        StrJoin(names, ", ")));
}

/// N, C, H, W of the network's input.
struct ImageShape {
  int64_t n, c, h, w;
};

Result<ImageShape> ShapeOf(const AippOp& op, const Value& input, bool channels_last) {
  const ElementType dtype = input.type().dtype;
  if (dtype != ElementType::kF32 && dtype != ElementType::kF16 && dtype != ElementType::kU8)
    return Bad(op, StrCat("input '", input.name(), "' is ", dtype, ", images become f32, f16 or u8"));
  if (!input.type().is_static() || input.type().rank() != 4)
    return Bad(op, StrCat("input '", input.name(), "' is ", input.type(),
                          ", expected four known dims"));
  const Shape d = *ConstDims(*input.type().dims);
  if (channels_last) return ImageShape{d[0], d[3], d[1], d[2]};
  return ImageShape{d[0], d[1], d[2], d[3]};
}

std::string Numbers(const auto& values) {
  std::vector<std::string> list;
  for (const auto value : values) list.push_back(StrCat(+value));
  return StrCat("(", StrJoin(list, ", "), ")");
}

/// One line per step that does something.
void Describe(const std::string& name, const AippFrame& f, const ImageShape& shape,
              ElementType dtype, std::vector<std::string>& lines) {
  lines.push_back(StrCat("aipp: input '", name, "': ", shape.n, " images of ",
                         PixelFormatName(f.format), ", ", f.src_w, " wide, ", f.src_h, " high, ",
                         shape.n * f.bytes(), " bytes"));
  if (f.rbuv_swap) lines.push_back(StrCat("aipp:   swap ", f.is_yuv() ? "U and V" : "R and B"));
  if (f.ax_swap) lines.push_back("aipp:   the first byte of a pixel becomes its last channel");
  if (f.crop)
    lines.push_back(StrCat("aipp:   crop from (", f.crop_x, ", ", f.crop_y, "): ", f.crop_w,
                           " wide, ", f.crop_h, " high"));
  if (f.csc) {
    const std::vector<int16_t> m(f.matrix.begin(), f.matrix.end());
    lines.push_back(StrCat("aipp:   colours: ",
                           f.is_yuv() ? StrCat("matrix * (x - ", Numbers(f.input_bias), ") / 256")
                                      : StrCat("matrix * x / 256 + ", Numbers(f.output_bias)),
                           ", matrix ", Numbers(m), ", clamped to 0..255"));
  }
  if (dtype != ElementType::kU8)
    lines.push_back(StrCat("aipp:   (x - mean - min) * var_reci, mean ", Numbers(f.mean), ", min ",
                           Numbers(f.min), ", var_reci ", Numbers(f.var_reci)));
  if (f.padding)
    lines.push_back(StrCat("aipp:   padding: ", f.pad_top, " above, ", f.pad_bottom, " below, ",
                           f.pad_left, " left, ", f.pad_right, " right, value ", f.pad_value));
  lines.push_back(StrCat("aipp:   result ", dtype, " [", shape.n, ",", shape.c, ",", shape.h, ",",
                         shape.w, "]"));
}

/// Checks the frame against the network's input, with sizes filled in.
Status FitFrame(const AippOp& op, const Value& input, const ImageShape& shape, AippFrame& frame) {
  ResolveSizes(shape.h, shape.w, frame);
  const Status rules = CheckAippFrame(frame, shape.c);
  if (!rules.ok()) return Bad(op, StrCat("input '", input.name(), "': ", rules.message()));
  if (frame.out_h() == shape.h && frame.out_w() == shape.w) return OkStatus();
  return Bad(op, StrCat("the images become ", frame.out_w(), " wide and ", frame.out_h(),
                        " high, input '", input.name(), "' is ", shape.w, " wide and ", shape.h,
                        " high"));
}

/// Height, width and channels as the input is described to applications.
Dims ImageDims(const AippFrame& f, int64_t n) {
  if (f.format == PixelFormat::kYuv420Sp) return {n, int64_t{f.src_h} * 3 / 2, f.src_w, 1};
  return {n, f.src_h, f.src_w, PixelBytes(f.format)};
}

/// Puts `node`'s result in the place of the network's input.
Status Connect(Value* input, Node* node, bool channels_last, Graph& graph) {
  RETURN_IF_ERROR(InferNode(*node));
  Value* result = node->output();
  Node* last = node;
  if (channels_last) {
    last = graph.AddNode("Transpose", "", {result}, 1, nullptr);
    last->Set("perm", Ints{0, 2, 3, 1});
    RETURN_IF_ERROR(InferNode(*last));
    result = last->output();
  }
  graph.ReplaceUsesIf(input, result,
                      [&](const Use& use) { return use.node != node && use.node != last; });
  return graph.Sort();
}

Status InsertOne(const AippOp& op, bool channels_last, Graph& graph,
                 std::vector<std::string>& lines) {
  ASSIGN_OR_RETURN(Value * input, FindInput(op, graph));
  ASSIGN_OR_RETURN(const ImageShape shape, ShapeOf(op, *input, channels_last));
  const ElementType dtype = input->type().dtype;
  std::vector<Value*> operands = {input};
  AippFrame frame = op.frame;
  if (op.dynamic) {
    input->set_type(TensorType(ElementType::kU8, Dims{op.max_src_image_size}));
    const auto block = static_cast<int64_t>(AippBlockBytes(static_cast<size_t>(shape.n)));
    operands.push_back(
        graph.AddInput(kParamsName, TensorType(ElementType::kU8, Dims{block})));
    lines.push_back(StrCat("aipp: input '", input->name(), "': ", shape.n, " images in ",
                           op.max_src_image_size, " bytes, parameters given at run time (",
                           kParamsName, ", ", block, " bytes)"));
  } else {
    RETURN_IF_ERROR(FitFrame(op, *input, shape, frame));
    Describe(input->name(), frame, shape, dtype, lines);
    input->set_type(TensorType(ElementType::kU8, ImageDims(frame, shape.n)));
  }
  const std::vector<Node*> nodes = graph.Nodes();
  Node* node = graph.AddNode("Aipp", StrCat(input->name(), "_0_aipp"), std::move(operands), 1,
                             nodes.empty() ? nullptr : nodes.front());
  node->AddOrigins({node->name()});
  node->Set("to", TensorType(dtype));
  node->Set("shape", Ints{shape.n, shape.c, shape.h, shape.w});
  if (op.dynamic)
    node->Set("dynamic", int64_t{1});
  else
    SetAippAttributes(frame, *node);
  return Connect(input, node, channels_last, graph);
}

}  // namespace

Status InsertAipp(const std::vector<AippOp>& ops, bool channels_last, Graph& graph,
                  std::vector<std::string>& lines) {
  std::set<const Value*> done;
  for (const AippOp& op : ops) {
    ASSIGN_OR_RETURN(Value * input, FindInput(op, graph));
    if (!done.insert(input).second)
      return Bad(op, StrCat("input '", input->name(), "' has an aipp_op already"));
  }
  for (const AippOp& op : ops) RETURN_IF_ERROR(InsertOne(op, channels_last, graph, lines));
  return OkStatus();
}

}  // namespace cairn::aipp
