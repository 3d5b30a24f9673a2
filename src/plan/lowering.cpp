// SPDX-License-Identifier: Apache-2.0
// The table of lowerings, and the costs that all of them share.
#include "plan/lowering.h"

#include <algorithm>
#include <map>

#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

const std::map<std::string_view, LowerFn>& Lowerings() {
  static const auto& table = *new std::map<std::string_view, LowerFn>{
#define CAIRN_LOWERING(op, function) {op, function},
#include "plan/lowering_list.def"
#undef CAIRN_LOWERING
  };
  return table;
}

/// Kernels see at least one element in every operand. Lists of axes and the like may be empty: they
/// are read while planning.
bool HasEmptyOperand(const Node& node) {
  auto empty = [](const Value* value) { return value && ElementCount(StaticShape(*value)) == 0; };
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    const Value* input = node.input(i);
    const bool list = i > 0 && node.op() != "Concat" && input && input->is_constant();
    if (empty(input) && !list) return true;
  }
  return std::any_of(node.outputs().begin(), node.outputs().end(), empty);
}

}  // namespace

std::vector<Candidate> FindCandidates(const LowerContext& context, const Node& node) {
  std::vector<Candidate> candidates;
  if (context.options.use_kernels && !HasEmptyOperand(node)) {
    auto it = Lowerings().find(node.op());
    if (it != Lowerings().end()) it->second(context, node, candidates);
    if (candidates.empty()) LowerElementwise(context, node, candidates);
    if (candidates.empty()) LowerInteger(context, node, candidates);
  }
  if (candidates.empty()) LowerReference(context, node, candidates);
  return candidates;
}

Shape StaticShape(const Value& value) { return *ConstDims(*value.type().dims); }

int64_t ElementCount(const Shape& shape) {
  int64_t count = 1;
  for (int64_t dim : shape) count *= dim;
  return count;
}

bool CanBlock(const Value& value) {
  return value.type().dtype == ElementType::kF32 && value.type().rank() >= 3;
}

std::vector<Layout> AllIn(Layout layout, size_t count) {
  return std::vector<Layout>(count, layout);
}

bool SameBytes(const Shape& shape, Layout from, Layout to, int c0) {
  if (from == to) return true;
  if (shape.size() < 2) return false;
  for (size_t i = 2; i < shape.size(); ++i) {
    if (shape[i] != 1) return false;
  }
  // With one pixel the channel blocks follow each other: only lanes beyond the last channel differ.
  return shape[1] % c0 == 0 || (shape[0] == 1 && from == Layout::kBlocked);
}

double TrafficCycles(const LowerContext& context, double bytes) {
  // Twice the second-level cache: what a producer left there is partly still there.
  const auto near = static_cast<double>(2 * context.target.l2_bytes);
  const auto shared = static_cast<double>(context.target.l3_bytes);
  const double rate = bytes <= near     ? 24.0
                      : bytes <= shared ? 10.0
                                        : context.target.memory_bytes_per_cycle;
  return bytes / rate;
}

double ConversionCycles(const LowerContext& context, const Value& value, Layout from, Layout to) {
  const Shape shape = StaticShape(value);
  if (SameBytes(shape, from, to, context.c0())) return 0;
  const int64_t c0 = context.c0(), padded = (shape[1] + c0 - 1) / c0 * c0;
  const auto plain = static_cast<double>(ElementCount(shape));
  const double blocked = plain / static_cast<double>(shape[1]) * static_cast<double>(padded);
  // Transposition of small tiles in registers, and both tensors through memory.
  return 500 + blocked * 0.25 + TrafficCycles(context, (plain + blocked) * 4);
}

}  // namespace cairn::plan
