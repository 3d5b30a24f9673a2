// SPDX-License-Identifier: Apache-2.0
// RemoveNoOps: operators whose output is their input.
#include <algorithm>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

bool AllEqual(const Value* value, int64_t number) {
  const auto ints = IntsOf(value);
  return ints && std::all_of(ints->begin(), ints->end(), [&](int64_t v) { return v == number; });
}

bool IsIdentityTranspose(const Node& node) {
  const Ints perm = node.GetInts("perm");
  if (!node.HasAttribute("perm")) {
    return node.input(0)->type().dims && node.input(0)->type().rank() <= 1;
  }
  return std::is_sorted(perm.begin(), perm.end());
}

/// True when `node` copies its input 0 unchanged, decided by its operator and operands.
bool CopiesFirstInput(const Node& node) {
  const std::string& op = node.op();
  const Value *x = node.input(0), *y = node.output();
  if (op == "Identity") return true;
  if (op == "Sum" || op == "Mean" || op == "Max" || op == "Min" || op == "Concat") {
    return node.num_formal_inputs() == 1;
  }
  if (op == "Clip") return !node.input(1) && !node.input(2);
  if (op == "Transpose") return IsIdentityTranspose(node);
  if (op == "Pad") return AllEqual(node.input(1), 0);
  if (op == "Tile") return AllEqual(node.input(1), 1);
  if (op == "Cast" || op == "CastLike") {
    return x->type().dtype != ElementType::kUndefined && x->type().dtype == y->type().dtype;
  }
  if (!SameType(x, y)) return false;
  if (op == "Expand") return true;
  if (op == "Slice") return !node.input(4) || AllEqual(node.input(4), 1);
  if (op == "Split") return node.outputs().size() == 1;
  if (op == "Resize") {
    // Equal sizes: every coordinate transformation but the crop reads pixel i for pixel i.
    return node.GetString("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize" &&
           x->type().is_static();
  }
  return false;
}

/// Every value of `a` is a value of `b`.
bool IsExactConversion(ElementType a, ElementType b) {
  using enum ElementType;
  if (a == b) return true;
  if (a == kString || b == kString || a == kC64 || a == kC128 || b == kC64 || b == kC128)
    return false;
  if (a == kF16 || a == kBf16) return b == kF32 || b == kF64;
  if (a == kF32) return b == kF64;
  if (IsFloat(a) || b == kBool) return false;
  const int bits = a == kBool ? 1 : ElementBits(a);
  const bool is_signed = IsSignedInteger(a);
  if (IsInteger(b)) {
    const int room = ElementBits(b);
    if (IsSignedInteger(b)) return is_signed ? bits <= room : bits < room;
    return !is_signed && bits <= room;
  }
  const int digits = b == kF64 ? 53 : b == kF32 ? 24 : b == kF16 ? 11 : b == kBf16 ? 8 : 0;
  return bits - (is_signed ? 1 : 0) <= digits;
}

/// [Cast(Cast(x))] => [Cast(x)] when the first conversion loses nothing. f32 -> f16 -> f32 stays.
Result<bool> MergeCasts(Graph& graph, Node& node) {
  Node* inner = node.op() == "Cast" ? ProducerOf(node.input(0), "Cast") : nullptr;
  if (!inner || !IsExactConversion(inner->input(0)->type().dtype, inner->output()->type().dtype)) {
    return false;
  }
  node.SetInput(0, inner->input(0));
  node.AddOrigins(inner->origins());
  EraseUnused(graph, inner);
  return true;
}

/// [Concat(a, empty, b)] => [Concat(a, b)].
bool DropEmptyConcatInputs(Node& node) {
  const Value* y = node.output();
  if (node.op() != "Concat" || !y || !y->type().dims) return false;
  const auto axis = NormalAxis(node.GetInt("axis", 0), y->type().rank());
  if (!axis) return false;
  bool changed = false;
  for (size_t i = node.inputs().size(); i-- > 0 && node.inputs().size() > 1;) {
    const Value* x = node.input(i);
    const auto& dims = x->type().dims;
    if (!dims || dims->size() != y->type().dims->size()) continue;
    if (!((*dims)[static_cast<size_t>(*axis)] == Dim(0))) continue;
    node.RemoveInput(i);
    changed = true;
  }
  return changed;
}

Result<bool> RemoveNoOp(Graph& graph, Node& node) {
  Value *x = node.input(0), *y = node.output();
  if (!x || !y || node.epilogue() || node.num_captures() > 0) return false;
  if (CopiesFirstInput(node)) {
    RETURN_IF_ERROR(ReplaceValue(graph, y, x));
    return true;
  }
  if (DropEmptyConcatInputs(node)) return true;
  return MergeCasts(graph, node);
}

}  // namespace

Result<int> RemoveNoOps(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, RemoveNoOp);
}

}  // namespace cairn
