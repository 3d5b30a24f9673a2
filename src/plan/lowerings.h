// SPDX-License-Identifier: Apache-2.0
// The lowering functions that lowering_list.def refers to.
#pragma once

#include "plan/lowering.h"

namespace cairn::plan {

/// The fallback: the reference library runs the node.
void LowerReference(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates);
/// Any single operator that the element-wise engine knows.
void LowerElementwise(const LowerContext& context, const Node& node,
                      std::vector<Candidate>& candidates);

void LowerConv(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerMatmul(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerPool(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerReduce(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerSoftmax(const LowerContext& context, const Node& node,
                  std::vector<Candidate>& candidates);
void LowerArgExtreme(const LowerContext& context, const Node& node,
                     std::vector<Candidate>& candidates);
void LowerNorm(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerLrn(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerConcat(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerSplit(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerAipp(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerAttention(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates);
void LowerConvTranspose(const LowerContext& context, const Node& node,
                        std::vector<Candidate>& candidates);
void LowerTranspose(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates);
void LowerSlice(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerExpand(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerTile(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerDepthSpace(const LowerContext& context, const Node& node,
                     std::vector<Candidate>& candidates);
void LowerResize(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerGather(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerScatter(const LowerContext& context, const Node& node,
                  std::vector<Candidate>& candidates);
void LowerPad(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerWhere(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerCast(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates);
void LowerBatchNorm(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates);
void LowerInteger(const LowerContext& context, const Node& node,
                  std::vector<Candidate>& candidates);
/// Reshape and its relatives: the same bytes under other dims.
void LowerReshape(const LowerContext& context, const Node& node,
                  std::vector<Candidate>& candidates);

}  // namespace cairn::plan
