// SPDX-License-Identifier: Apache-2.0
// DepthToSpace, SpaceToDepth: channels against blocks of pixels.
#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Status InferBlocks(InferContext& in, bool to_space) {
  const int64_t block = in.node().GetInt("blocksize", 0);
  if (block < 1 || block > 65536) {
    return Status(Code::kInvalidModel, StrCat("blocksize is ", block, ", expected 1 or more"));
  }
  RETURN_IF_ERROR(RequireRank(in, 0, 4));
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(in.type(0).dtype));
    return OkStatus();
  }
  const Dims& x = *in.dims(0);
  Dims dims = {x[0]};
  auto divide = [&](const Dim& dim, int64_t by) -> Status {
    if (dim.is_const() && dim.value() % by != 0) {
      return Status(Code::kInvalidModel,
                    StrCat("input ", DimsToString(x), " does not divide into blocks of ", block));
    }
    dims.push_back(Dim::FloorDiv(dim, Dim(by)));
    return OkStatus();
  };
  if (to_space) {
    RETURN_IF_ERROR(divide(x[1], block * block));
    dims.push_back(x[2] * Dim(block));
    dims.push_back(x[3] * Dim(block));
  } else {
    dims.push_back(x[1] * Dim(block * block));
    RETURN_IF_ERROR(divide(x[2], block));
    RETURN_IF_ERROR(divide(x[3], block));
  }
  in.SetOutput(0, TensorType(in.type(0).dtype, std::move(dims)));
  return OkStatus();
}

Status InferMode(InferContext& in, bool to_space) {
  const std::string mode = in.node().GetString("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") {
    return Status(Code::kInvalidModel, StrCat("mode is '", mode, "', expected DCR or CRD"));
  }
  return InferBlocks(in, to_space);
}

Status EvalDepthToSpace(EvalContext& in) {
  const Tensor& x = in.input(0);
  const int64_t block = in.node().GetInt("blocksize", 1);
  const bool dcr = in.node().GetString("mode", "DCR") == "DCR";
  const Shape& s = x.shape();
  const int64_t depth = s[1] / (block * block), height = s[2] * block, width = s[3] * block;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), {s[0], depth, height, width}));
  for (int64_t i = 0; i < y->num_elements(); ++i) {
    const int64_t w = i % width, h = i / width % height, c = i / (width * height) % depth;
    const int64_t n = i / (width * height * depth), cell = h % block * block + w % block;
    const int64_t channel = dcr ? cell * depth + c : c * block * block + cell;
    CopyElement(x, ((n * s[1] + channel) * s[2] + h / block) * s[3] + w / block, *y, i);
  }
  return OkStatus();
}

Status EvalSpaceToDepth(EvalContext& in) {
  const Tensor& x = in.input(0);
  const int64_t block = in.node().GetInt("blocksize", 1);
  const bool dcr = in.node().GetString("mode", "DCR") == "DCR";
  const Shape& s = x.shape();
  const int64_t height = s[2] / block, width = s[3] / block, depth = s[1] * block * block;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), {s[0], depth, height, width}));
  for (int64_t i = 0; i < y->num_elements(); ++i) {
    const int64_t w = i % width, h = i / width % height, channel = i / (width * height) % depth;
    const int64_t n = i / (width * height * depth), cells = block * block;
    const int64_t cell = dcr ? channel / s[1] : channel % cells;
    const int64_t c = dcr ? channel % s[1] : channel / cells;
    CopyElement(
        x, ((n * s[1] + c) * s[2] + h * block + cell / block) * s[3] + w * block + cell % block, *y,
        i);
  }
  return OkStatus();
}

}  // namespace

OpDef DepthToSpaceOp() {
  return OpDef("DepthToSpace")
      .Input("input")
      .Output("output")
      .Attr("blocksize", AttrKind::kInt, "Edge of a block of pixels.")
      .DefaultAttr("mode", AttrKind::kString, std::string("DCR"),
                   "DCR: channels are ordered block cell, then depth; CRD: depth, then block cell.")
      .Doc("Spreads groups of blocksize^2 channels of [N,C,H,W] over blocks of pixels.")
      .Infer([](InferContext& in) { return InferMode(in, true); })
      .Reference(EvalDepthToSpace)
      .Traits(kPure | kDataMovement);
}

OpDef SpaceToDepthOp() {
  return OpDef("SpaceToDepth")
      .Input("input")
      .Output("output")
      .Attr("blocksize", AttrKind::kInt, "Edge of a block of pixels.")
      .DefaultAttr("mode", AttrKind::kString, std::string("DCR"),
                   "DCR: channels are ordered block cell, then depth; CRD: depth, then block cell.")
      .Doc("Gathers blocks of pixels of [N,C,H,W] into channels.")
      .Infer([](InferContext& in) { return InferMode(in, false); })
      .Reference(EvalSpaceToDepth)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
