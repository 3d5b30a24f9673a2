// SPDX-License-Identifier: Apache-2.0
// FusePad: a constant Pad in front of a convolution or pooling becomes its own padding.
#include <algorithm>
#include <cmath>
#include <limits>

#include "passes/passes.h"
#include "passes/rewrite.h"

namespace cairn {
namespace {

/// Pads per axis, begin then end, for all axes of the padded tensor.
std::optional<Ints> FullPads(const Node& pad) {
  if (pad.GetString("mode", "constant") != "constant") return std::nullopt;
  const auto pads = IntsOf(pad.input(1));
  if (!pads || !pad.input(0)->type().dims) return std::nullopt;
  const int64_t rank = pad.input(0)->type().rank();
  Ints axes;
  if (pad.input(3)) {
    const auto given = IntsOf(pad.input(3));
    if (!given) return std::nullopt;
    for (const int64_t axis : *given) {
      const auto normal = NormalAxis(axis, rank);
      if (!normal) return std::nullopt;
      axes.push_back(*normal);
    }
  } else {
    for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  if (pads->size() != axes.size() * 2) return std::nullopt;
  Ints full(static_cast<size_t>(rank) * 2, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<size_t>(axes[i]);
    full[axis] = (*pads)[i];
    full[axis + static_cast<size_t>(rank)] = (*pads)[i + axes.size()];
  }
  return full;
}

/// Pads of the spatial axes when no other axis is padded and none is cropped.
std::optional<Ints> SpatialPads(const Node& pad) {
  const auto full = FullPads(pad);
  if (!full || full->size() < 6) return std::nullopt;
  const size_t rank = full->size() / 2;
  Ints spatial;
  for (size_t i = 0; i < full->size(); ++i) {
    const bool is_spatial = i % rank >= 2;
    if ((*full)[i] < 0 || (!is_spatial && (*full)[i] != 0)) return std::nullopt;
    if (is_spatial) spatial.push_back((*full)[i]);
  }
  return spatial;
}

double PadValue(const Node& pad) {
  if (!pad.input(2)) return 0;
  return SplatOf(pad.input(2)).value_or(std::numeric_limits<double>::quiet_NaN());
}

/// The operator's own pads, explicit; nullopt for the SAME modes, which depend on the input's size.
std::optional<Ints> OwnPads(const Node& node, size_t count) {
  const std::string mode = node.GetString("auto_pad", "NOTSET");
  if (mode == "VALID") return Ints(count, 0);
  if (mode != "NOTSET") return std::nullopt;
  const Ints pads = node.GetInts("pads", Ints(count, 0));
  if (pads.empty()) return Ints(count, 0);
  return pads.size() == count ? std::optional(pads) : std::nullopt;
}

bool AllZero(const Ints& values) {
  return std::all_of(values.begin(), values.end(), [](int64_t v) { return v == 0; });
}

/// True when padding inside the operator means what the Pad means.
bool PadsAlike(const Node& node, const Node& pad, const Ints& own) {
  const double value = PadValue(pad);
  if (node.op() == "Conv") return value == 0;
  if (node.GetInt("ceil_mode", 0) != 0) return false;
  if (node.op() == "AveragePool") {
    return value == 0 && (AllZero(own) || node.GetInt("count_include_pad", 0) != 0);
  }
  return node.op() == "MaxPool" && !node.output(1) &&
         value == -std::numeric_limits<double>::infinity();
}

Result<bool> Fuse(Graph& graph, Node& node) {
  if (node.op() != "Conv" && node.op() != "AveragePool" && node.op() != "MaxPool") return false;
  Node* pad = ProducerOf(node.input(0), "Pad");
  const auto added = pad ? SpatialPads(*pad) : std::nullopt;
  if (!added || node.epilogue()) return false;
  auto pads = OwnPads(node, added->size());
  if (!pads || !PadsAlike(node, *pad, *pads)) return false;
  for (size_t i = 0; i < pads->size(); ++i) (*pads)[i] += (*added)[i];
  if (node.op() != "Conv" && node.HasAttribute("kernel_shape")) {
    // onnx: a pooling window must not lie in the padding alone.
    const Ints kernel = node.GetInts("kernel_shape");
    for (size_t i = 0; i < pads->size(); ++i) {
      if ((*pads)[i] >= kernel[i % kernel.size()]) return false;
    }
  }
  if (node.op() == "AveragePool") node.Set("count_include_pad", int64_t{1});
  node.Set("auto_pad", std::string("NOTSET"));
  node.Set("pads", *pads);
  node.AddOrigins(pad->origins());
  node.SetInput(0, pad->input(0));
  EraseUnused(graph, pad);
  return true;
}

}  // namespace

Result<int> FusePad(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
