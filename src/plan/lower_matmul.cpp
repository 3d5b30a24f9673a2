// SPDX-License-Identifier: Apache-2.0
// Lowers MatMul and plain Gemm to the matrix product kernel; a constant right operand is packed.
#include "kernels/matmul/matmul.h"
#include "plan/emitter.h"
#include "plan/epilogue.h"
#include "plan/lowerings.h"
#include "plan/movement.h"

namespace cairn::plan {
namespace {

struct Product {
  int64_t m, n, k, matrices;  ///< `matrices`: of the constant right operand.
  bool trans_a, trans_b, packed;
};

bool IsF32(const Value* value) { return value && value->type().dtype == ElementType::kF32; }

std::optional<Product> Analyse(const Node& node) {
  if (node.num_formal_inputs() < 2 || !IsF32(node.input(0)) || !IsF32(node.input(1)) ||
      !IsF32(node.output())) {
    return std::nullopt;
  }
  if (node.GetFloat("alpha", 1) != 1 || node.GetFloat("beta", 1) != 1) return std::nullopt;
  const Shape a = StaticShape(*node.input(0)), b = StaticShape(*node.input(1));
  if (a.empty() || b.empty()) return std::nullopt;
  Product product{};
  product.trans_a = node.GetInt("transA", 0) != 0 && a.size() >= 2;
  product.trans_b = node.GetInt("transB", 0) != 0 && b.size() >= 2;
  product.k = product.trans_a ? a[a.size() - 2] : a.back();
  product.n = b.size() == 1 ? 1 : product.trans_b ? b[b.size() - 2] : b.back();
  product.packed = node.input(1)->is_constant();
  product.matrices = ElementCount(b) / std::max<int64_t>(product.k * product.n, 1);
  product.m = ElementCount(StaticShape(*node.output())) / std::max<int64_t>(product.n, 1);
  return product;
}

/// The constant right operand, its matrices packed one after the other.
TensorId PackRight(Emitter& emit, const Product& product) {
  const Tensor& b = emit.node().input(1)->constant();
  const kernels::Isa isa = emit.context().isa;
  const int64_t packed_floats = kernels::MatmulPackedFloats(isa, product.k, product.n);
  Shape dims = b.shape();
  if (product.trans_b) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  const auto bytes = static_cast<size_t>(packed_floats * product.matrices) * sizeof(float);
  return emit.Packed("matmul", std::move(dims), bytes, [&](std::byte* packed) {
    for (int64_t i = 0; i < product.matrices; ++i) {
      kernels::PackMatmul(isa, product.k, product.n, b.data<float>() + i * product.k * product.n,
                          product.trans_b ? 1 : product.n, product.trans_b ? product.k : 1,
                          reinterpret_cast<float*>(packed) + i * packed_floats);
    }
  });
}

Status EmitMatmul(Emitter& emit, const Product& product, const EpiloguePlan& epilogue) {
  ASSIGN_OR_RETURN(TensorId a, emit.In(0));
  TensorId b;
  if (product.packed) {
    b = PackRight(emit, product);
  } else {
    ASSIGN_OR_RETURN(b, emit.In(1));
  }
  std::vector<TensorId> inputs = {a, b};
  TaskAttributes attributes;
  if (product.trans_a) attributes["trans_a"] = int64_t{1};
  if (product.trans_b && !product.packed) attributes["trans_b"] = int64_t{1};
  std::vector<uint32_t> reusable;
  RETURN_IF_ERROR(
      EmitEpilogue(emit, epilogue, Layout::kPlain, product.n, inputs, attributes, reusable));
  ASSIGN_OR_RETURN(TensorId c, emit.Out(0));
  DraftTask& task = emit.AddTask(std::move(inputs), {c});
  task.task.attributes = std::move(attributes);
  task.reusable_inputs = std::move(reusable);
  return OkStatus();
}

}  // namespace

void LowerMatmul(const LowerContext& context, const Node& node,
                 std::vector<Candidate>& candidates) {
  const auto product = Analyse(node);
  if (!product) return;
  // A product with a vector on the right has no channel axis in its result.
  const Shape out = StaticShape(*node.output()), b = StaticShape(*node.input(1));
  const bool has_channels = b.size() >= 2 && !out.empty();
  if (!has_channels && (node.epilogue() || node.num_formal_inputs() > 2)) return;
  EpiloguePlan epilogue;
  if (has_channels) {
    auto matched = MatchEpilogue(node, node.num_formal_inputs() > 2 ? 2 : -1, out.size() - 1);
    if (!matched) return;
    epilogue = std::move(*matched);
  }
  Candidate candidate;
  candidate.kernel = "matmul_f32";
  candidate.algorithm = product->packed ? "packed" : "";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  kernels::MatmulParams params;
  params.isa = context.isa;
  params.m = product->m;
  params.n = product->n;
  params.k = product->k;
  params.b_packed = product->packed;
  candidate.cycles =
      kernels::EstimateMatmulCycles(params) +
      epilogue.cycles_per_vector * static_cast<double>(product->m * product->n) / context.c0();
  if (product->packed) {
    candidate.packed_bytes = static_cast<uint64_t>(
        kernels::MatmulPackedFloats(context.isa, product->k, product->n) * product->matrices * 4);
  }
  const auto a_elements = static_cast<double>(ElementCount(StaticShape(*node.input(0))));
  candidate.emit = [product = *product, epilogue](Emitter& emit) {
    return EmitMatmul(emit, product, epilogue);
  };
  if (product->trans_a && CanBlock(*node.input(0)) && node.input(0)->type().rank() == 3) {
    // The pixels of an image are the rows of its transpose: no conversion at the end of a
    // convolutional network, and no copy to transpose.
    Candidate pixels = candidate;
    pixels.inputs[0] = Layout::kBlocked;
    candidates.push_back(std::move(pixels));
  }
  if (product->trans_a) candidate.cycles += CopyCycles(context, a_elements, 4, 1);
  candidates.push_back(std::move(candidate));
}

}  // namespace cairn::plan
