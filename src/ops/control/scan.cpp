// SPDX-License-Identifier: Apache-2.0
// Scan: runs a region over the slices of its inputs, state carried along.
#include <algorithm>

#include "ops/axes.h"
#include "ops/control/regions.h"

namespace cairn {
namespace {

/// The parts of a Scan and how its slices are taken.
struct ScanForm {
  size_t states = 0, sliced = 0, stacked = 0;
  Ints input_axes, input_directions, output_axes, output_directions;
};

Result<Ints> ListOf(const Node& node, const char* name, size_t count) {
  Ints values = node.GetInts(name);
  if (values.empty()) values.assign(count, 0);
  if (values.size() == count) return values;
  return Status(Code::kInvalidModel,
                StrCat("'", name, "' has ", values.size(), " values, expected ", count));
}

Result<ScanForm> ReadForm(const Node& node, const Graph& body) {
  ScanForm form;
  const size_t formal = node.num_formal_inputs();
  const int64_t sliced = node.GetInt("num_scan_inputs", 0);
  if (sliced < 1 || static_cast<size_t>(sliced) > formal) {
    return Status(Code::kInvalidModel,
                  StrCat("'num_scan_inputs' is ", sliced, " for ", formal, " inputs"));
  }
  form.sliced = static_cast<size_t>(sliced);
  form.states = formal - form.sliced;
  const size_t outputs = body.outputs().size();
  if (body.inputs().size() != formal + static_cast<size_t>(node.num_captures()) ||
      outputs < form.states || node.outputs().size() > outputs) {
    return Status(Code::kInvalidModel, StrCat("the body has ", body.inputs().size(), " inputs and ",
                                              outputs, " outputs for ", formal, " inputs and ",
                                              node.outputs().size(), " outputs of the node"));
  }
  form.stacked = outputs - form.states;
  ASSIGN_OR_RETURN(form.input_axes, ListOf(node, "scan_input_axes", form.sliced));
  ASSIGN_OR_RETURN(form.input_directions, ListOf(node, "scan_input_directions", form.sliced));
  ASSIGN_OR_RETURN(form.output_axes, ListOf(node, "scan_output_axes", form.stacked));
  ASSIGN_OR_RETURN(form.output_directions, ListOf(node, "scan_output_directions", form.stacked));
  return form;
}

/// Types of the slices; `length` becomes the number of slices as far as known.
Result<std::vector<TensorType>> SliceTypes(const InferContext& in, const ScanForm& form,
                                           std::optional<Dim>& length) {
  std::vector<TensorType> types;
  for (size_t i = 0; i < form.sliced; ++i) {
    TensorType type = in.type(form.states + i);
    if (type.dims) {
      ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(form.input_axes[i], type.rank()));
      const Dim slices = (*type.dims)[static_cast<size_t>(axis)];
      if (length && length->is_const() && slices.is_const() && !(*length == slices)) {
        return Status(Code::kInvalidModel, StrCat("the inputs have ", *length, " and ", slices,
                                                  " slices, expected equal numbers"));
      }
      if (!length || slices.is_const()) length = slices;
      type.dims->erase(type.dims->begin() + axis);
    }
    types.push_back(std::move(type));
  }
  return types;
}

Status InferScan(InferContext& in) {
  Graph& body = RegionOf(in.node(), "body");
  ASSIGN_OR_RETURN(const ScanForm form, ReadForm(in.node(), body));
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    if (!in.has_input(i)) return Status(Code::kInvalidModel, StrCat("input ", i, " is missing"));
  }
  std::vector<TensorType> types;
  for (size_t i = 0; i < form.states; ++i) types.push_back(in.type(i));
  std::optional<Dim> length;
  ASSIGN_OR_RETURN(std::vector<TensorType> slices, SliceTypes(in, form, length));
  for (TensorType& type : slices) types.push_back(std::move(type));
  for (TensorType& type : CaptureTypes(in.node())) types.push_back(std::move(type));
  ASSIGN_OR_RETURN(const std::vector<TensorType> outputs, in.InferRegion(body, types));
  for (size_t i = 0; i < form.states; ++i) {
    // The standard wants the shape of a state to stay.
    ASSIGN_OR_RETURN(TensorType type, MergeTypes(in, types[i], outputs[i], StrCat("state ", i)));
    in.SetOutput(i, std::move(type));
  }
  const Dim count = length ? *length : in.NewSymbol();
  for (size_t i = 0; i < form.stacked; ++i) {
    ASSIGN_OR_RETURN(TensorType type,
                     StackedType(outputs[form.states + i], form.output_axes[i], count));
    in.SetOutput(form.states + i, std::move(type));
  }
  return OkStatus();
}

/// Normalised axes of the sliced inputs, and the common number of slices.
Result<int64_t> CountSlices(const EvalContext& in, ScanForm& form) {
  int64_t count = 0;
  for (size_t i = 0; i < form.sliced; ++i) {
    const Tensor& x = in.input(form.states + i);
    ASSIGN_OR_RETURN(form.input_axes[i], NormalizeAxis(form.input_axes[i], x.rank()));
    const int64_t slices = x.shape()[static_cast<size_t>(form.input_axes[i])];
    if (i > 0 && slices != count) {
      return Status(Code::kInvalidArgument, StrCat("the inputs have ", count, " and ", slices,
                                                   " slices, expected equal numbers"));
    }
    count = slices;
  }
  return count;
}

Status EvalScan(EvalContext& in) {
  Graph& body = RegionOf(in.node(), "body");
  ASSIGN_OR_RETURN(ScanForm form, ReadForm(in.node(), body));
  ASSIGN_OR_RETURN(const int64_t count, CountSlices(in, form));
  std::vector<Tensor> states(in.inputs().begin(),
                             in.inputs().begin() + static_cast<std::ptrdiff_t>(form.states));
  std::vector<std::vector<Tensor>> stacked(form.stacked);
  for (int64_t step = 0; step < count; ++step) {
    std::vector<Tensor> arguments = states;
    for (size_t i = 0; i < form.sliced; ++i) {
      const int64_t index = form.input_directions[i] == 0 ? step : count - 1 - step;
      ASSIGN_OR_RETURN(Tensor slice,
                       SliceTensor(in.input(form.states + i), form.input_axes[i], index));
      arguments.push_back(std::move(slice));
    }
    ASSIGN_OR_RETURN(std::vector<Tensor> results, in.RunRegion(body, std::move(arguments)));
    std::copy_n(results.begin(), form.states, states.begin());
    for (size_t i = 0; i < form.stacked; ++i) {
      stacked[i].push_back(std::move(results[form.states + i]));
    }
  }
  for (size_t i = 0; i < form.states; ++i) in.SetOutput(i, states[i]);
  for (size_t i = 0; i < form.stacked; ++i) {
    if (form.output_directions[i] != 0) std::reverse(stacked[i].begin(), stacked[i].end());
    const TensorType& element = body.outputs()[form.states + i]->type();
    ASSIGN_OR_RETURN(Tensor whole, StackTensors(stacked[i], form.output_axes[i], element));
    in.SetOutput(form.states + i, std::move(whole));
  }
  return OkStatus();
}

}  // namespace

OpDef ScanOp() {
  return OpDef("Scan")
      .VariadicInput("initial_state_and_scan_inputs")
      .VariadicOutput("final_state_and_scan_outputs")
      .Attr("body", AttrKind::kRegion, "(state..., slices...) -> (state..., results...).")
      .Attr("num_scan_inputs", AttrKind::kInt, "How many of the last inputs are sliced.")
      .OptionalAttr("scan_input_axes", AttrKind::kInts, "Axes of the slices; 0 each.")
      .OptionalAttr("scan_input_directions", AttrKind::kInts, "1: from the last slice; 0 each.")
      .OptionalAttr("scan_output_axes", AttrKind::kInts, "Axes along which results stack; 0 each.")
      .OptionalAttr("scan_output_directions", AttrKind::kInts,
                    "1: results stack from the end; 0 each.")
      .Doc(
          "Runs the body once per slice of the last inputs. Outputs: the state after the last "
          "slice, "
          "then the results of all slices, stacked along a new axis.")
      .Infer(InferScan)
      .Reference(EvalScan)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

}  // namespace cairn
