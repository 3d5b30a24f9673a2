// SPDX-License-Identifier: Apache-2.0
// Operators as they were in the operator sets 1 to 6: broadcasting by attribute, hints for memory.
#include "frontend/onnx/op_registry.h"
#include "ops/axes.h"

namespace cairn::onnx {
namespace {

/// From this operator set on, shapes broadcast as those of numpy.
constexpr int64_t kNumpyBroadcast = 7;

/// `value` with `count` axes of 1 after its last.
Result<Value*> AppendAxes(NodeImport& node, Value* value, int64_t count) {
  if (count <= 0) return value;
  if (!value->type().has_rank()) {
    return Status(Code::kUnsupported, "the rank of the second input is not known");
  }
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < count; ++i) axes.push_back(value->type().rank() + i);
  return node.Emit("Unsqueeze", {value, node.IntConstant(axes)});
}

/// `b` so that its first axis meets axis `axis` of `a` under numpy's rules.
Result<Value*> AlignAt(NodeImport& node, const Value* a, Value* b, int64_t axis) {
  if (!a->type().has_rank() || !b->type().has_rank()) {
    return Status(Code::kUnsupported, "broadcasting by axis needs inputs of known rank");
  }
  ASSIGN_OR_RETURN(const int64_t first, NormalizeAxis(axis, a->type().rank()));
  return AppendAxes(node, b, a->type().rank() - first - b->type().rank());
}

}  // namespace

Status ConvertWithMemoryHint(NodeImport& node) {
  node.attributes.erase("consumed_inputs");
  return node.PassThrough();
}

Status ConvertSelu(NodeImport& node) {
  // The constants had fewer digits.
  if (node.opset() < 6 && !node.Has("alpha")) node.attributes["alpha"] = 1.6732f;
  if (node.opset() < 6 && !node.Has("gamma")) node.attributes["gamma"] = 1.0507f;
  return ConvertWithMemoryHint(node);
}

Status ConvertBroadcasting(NodeImport& node) {
  if (node.opset() >= kNumpyBroadcast) return node.PassThrough();
  Value *a = node.input(0), *b = node.input(1);
  if (node.Has("axis") && a && b) {
    ASSIGN_OR_RETURN(const int64_t axis, node.Int("axis", 0));
    ASSIGN_OR_RETURN(b, AlignAt(node, a, b, axis));
  }
  for (const char* name : {"axis", "broadcast", "consumed_inputs"}) node.attributes.erase(name);
  return node.Finish(node.op_type(), {a, b}, node.attributes);
}

Status ConvertGemm(NodeImport& node) {
  node.attributes.erase("broadcast");
  return node.PassThrough();
}

Status ConvertPRelu(NodeImport& node) {
  Value *x = node.input(0), *slope = node.input(1);
  node.attributes.erase("consumed_inputs");
  const bool per_channel = node.opset() < kNumpyBroadcast && x && slope && x->type().has_rank() &&
                           slope->type().has_rank() && slope->type().rank() == 1;
  if (per_channel) {
    ASSIGN_OR_RETURN(slope, AppendAxes(node, slope, x->type().rank() - 2));
  }
  return node.Finish("PRelu", {x, slope}, node.attributes);
}

Status ConvertConcat(NodeImport& node) {
  if (!node.Has("axis")) {
    if (node.opset() >= 4) return Status(Code::kInvalidModel, "attribute 'axis' is missing");
    node.attributes["axis"] = int64_t{1};
  }
  return node.PassThrough();
}

Status ConvertReshape(NodeImport& node) {
  if (node.opset() >= 5) return node.PassThrough();
  ASSIGN_OR_RETURN(Value * shape, node.TakeIntsAsConstant("shape"));
  return node.Finish("Reshape", {node.input(0), shape}, {});
}

Status ConvertTile(NodeImport& node) {
  if (node.opset() >= 6) return node.PassThrough();
  const Value *x = node.input(0), *tiles = node.input(1), *axis = node.input(2);
  const bool known = x && x->type().has_rank() && tiles && tiles->is_constant() && axis &&
                     axis->is_constant();
  if (!known) {
    return Status(Code::kUnsupported, "before operator set 6, tiles and axis must be constant");
  }
  ASSIGN_OR_RETURN(const int64_t at, NormalizeAxis(static_cast<int64_t>(axis->constant().GetDouble(0)),
                                                   x->type().rank()));
  std::vector<int64_t> repeats(static_cast<size_t>(x->type().rank()), 1);
  repeats[static_cast<size_t>(at)] = static_cast<int64_t>(tiles->constant().GetDouble(0));
  return node.Finish("Tile", {node.input(0), node.IntConstant(std::move(repeats))}, {});
}

Status ConvertLpNorm(NodeImport& node) {
  // Before operator set 2 the exponent was a float.
  if (node.opset() < 2 && node.Has("p")) {
    ASSIGN_OR_RETURN(const float p, node.Float("p", 2));
    node.attributes["p"] = static_cast<int64_t>(p);
  }
  return node.PassThrough();
}

Status ConvertRecurrent(NodeImport& node) {
  // What the outputs are is said by their names alone.
  node.attributes.erase("output_sequence");
  return node.PassThrough();
}

}  // namespace cairn::onnx
