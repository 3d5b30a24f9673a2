// SPDX-License-Identifier: Apache-2.0
// Loop: runs a region again and again, values carried from one iteration to the next.
#include <algorithm>

#include "ops/axes.h"
#include "ops/control/regions.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// A loop without a trip count, or with one that stands for none, ends by its condition before this.
constexpr int64_t kMostIterations = 1'000'000;
constexpr int64_t kNoTripCount = int64_t{1} << 40;

constexpr size_t kFirstCarried = 2;  ///< After the trip count and the condition.

/// Numbers of values of a loop.
struct LoopCounts {
  size_t carried = 0, scanned = 0;
};

Result<LoopCounts> CountValues(const Node& node, const Graph& body) {
  const size_t formal = node.num_formal_inputs();
  LoopCounts counts;
  counts.carried = formal > kFirstCarried ? formal - kFirstCarried : 0;
  const size_t inputs = kFirstCarried + counts.carried + static_cast<size_t>(node.num_captures());
  if (body.inputs().size() != inputs || body.outputs().size() < 1 + counts.carried) {
    return Status(Code::kInvalidModel,
                  StrCat("the body has ", body.inputs().size(), " inputs and ",
                         body.outputs().size(), " outputs for ", counts.carried,
                         " carried values and ", node.num_captures(), " captures"));
  }
  counts.scanned = body.outputs().size() - 1 - counts.carried;
  if (node.outputs().size() > counts.carried + counts.scanned) {
    return Status(Code::kInvalidModel,
                  StrCat("has ", node.outputs().size(), " outputs, the body gives ",
                         counts.carried + counts.scanned));
  }
  return counts;
}

/// Types of carried values that hold in every iteration: a dim that an iteration changes is
/// unknown.
class CarriedTypes {
 public:
  explicit CarriedTypes(std::vector<TensorType> initial) : types_(std::move(initial)) {
    for (const TensorType& type : types_) {
      varies_.emplace_back(type.dims ? type.dims->size() : 0, false);
    }
  }

  /// The types, with a new symbol for each dim that varies.
  std::vector<TensorType> Get(InferContext& in) const {
    std::vector<TensorType> types = types_;
    for (size_t i = 0; i < types.size(); ++i) {
      for (size_t d = 0; types[i].dims && d < types[i].dims->size(); ++d) {
        if (varies_[i][d]) (*types[i].dims)[d] = in.NewSymbol();
      }
    }
    return types;
  }

  /// Compares what went into an iteration with what came out; true when more turned out to vary.
  Result<bool> Widen(const std::vector<TensorType>& before, const TensorType* after) {
    bool changed = false;
    for (size_t i = 0; i < types_.size(); ++i) {
      const TensorType& out = after[i];
      if (out.dtype != types_[i].dtype && out.dtype != ElementType::kUndefined &&
          types_[i].dtype != ElementType::kUndefined) {
        return Status(Code::kInvalidModel,
                      StrCat("carried value ", i, " is ", types_[i].dtype, " before and ",
                             out.dtype, " after an iteration"));
      }
      if (!types_[i].dims) continue;
      if (!out.dims || out.dims->size() != types_[i].dims->size()) {
        types_[i].dims.reset();
        changed = true;
        continue;
      }
      for (size_t d = 0; d < out.dims->size(); ++d) {
        if (varies_[i][d] || (*out.dims)[d] == (*before[i].dims)[d]) continue;
        varies_[i][d] = true;
        changed = true;
      }
    }
    return changed;
  }

 private:
  std::vector<TensorType> types_;
  std::vector<std::vector<bool>> varies_;
};

bool IsTrue(const Value* value) {
  return value && value->is_constant() && value->constant().num_elements() == 1 &&
         value->constant().GetInt(0) != 0;
}

/// True when nothing but the trip count ends the loop.
bool RunsAllTrips(const Node& node, const Graph& body) {
  if (node.num_formal_inputs() > 1 && node.input(1) && !IsTrue(node.input(1))) return false;
  const Value* condition = body.outputs()[0];
  while (condition->producer() && condition->producer()->op() == "Identity") {
    condition = condition->producer()->input(0);
  }
  return condition == body.inputs()[1] || IsTrue(condition);
}

/// The number of iterations, as far as known.
Dim TripCount(InferContext& in, const Graph& body) {
  const auto trips = in.has_input(0) ? in.Elements(0) : std::nullopt;
  if (trips && trips->size() == 1 && RunsAllTrips(in.node(), body)) {
    const Dim& count = (*trips)[0];
    if (count.is_const()) return Dim(std::max<int64_t>(0, count.value()));
    if (IsCertain(count) && Dim::Max(count, Dim(0)) == count) return count;
  }
  return in.NewSymbol();
}

Status InferLoop(InferContext& in) {
  Graph& body = RegionOf(in.node(), "body");
  ASSIGN_OR_RETURN(const LoopCounts counts, CountValues(in.node(), body));
  std::vector<TensorType> initial;
  for (size_t i = 0; i < counts.carried; ++i) {
    if (!in.has_input(kFirstCarried + i)) {
      return Status(Code::kInvalidModel, StrCat("the initial carried value ", i, " is missing"));
    }
    initial.push_back(in.type(kFirstCarried + i));
  }
  CarriedTypes carried(std::move(initial));
  std::vector<TensorType> outputs;
  for (bool changed = true; changed;) {
    const std::vector<TensorType> before = carried.Get(in);
    std::vector<TensorType> types = {TensorType(ElementType::kI64, Dims()),
                                     TensorType(ElementType::kBool, Dims())};
    types.insert(types.end(), before.begin(), before.end());
    for (TensorType& type : CaptureTypes(in.node())) types.push_back(std::move(type));
    ASSIGN_OR_RETURN(outputs, in.InferRegion(body, types));
    ASSIGN_OR_RETURN(changed, carried.Widen(before, outputs.data() + 1));
    // What was inferred from dims that vary is wrong now.
    if (changed) ClearTypes(body);
  }
  const std::vector<TensorType> results = carried.Get(in);
  for (size_t i = 0; i < counts.carried; ++i) {
    // An optional that goes in may come out as what it holds.
    in.SetOutput(i, results[i].As(outputs[1 + i].kind));
  }
  const Dim trips = TripCount(in, body);
  for (size_t i = 0; i < counts.scanned; ++i) {
    ASSIGN_OR_RETURN(TensorType type, StackedType(outputs[1 + counts.carried + i], 0, trips));
    in.SetOutput(counts.carried + i, std::move(type));
  }
  return OkStatus();
}

Status EvalLoop(EvalContext& in) {
  Graph& body = RegionOf(in.node(), "body");
  ASSIGN_OR_RETURN(const LoopCounts counts, CountValues(in.node(), body));
  const bool counted = in.has_input(0);
  const int64_t trips = counted ? in.input(0).GetInt(0) : 0;
  Tensor condition = Tensor::FromValues<uint8_t>(ElementType::kBool, {}, std::vector<uint8_t>{1});
  if (in.has_input(1)) condition = in.input(1);
  std::vector<Tensor> carried;
  for (size_t i = 0; i < counts.carried; ++i) carried.push_back(in.input(kFirstCarried + i));
  std::vector<std::vector<Tensor>> scanned(counts.scanned);
  for (int64_t i = 0; (!counted || i < trips) && condition.GetInt(0) != 0; ++i) {
    if (i == kMostIterations && (!counted || trips >= kNoTripCount)) {
      return Status(Code::kInvalidArgument,
                    StrCat("the condition still holds after ", i, " iterations"));
    }
    std::vector<Tensor> arguments = {Tensor::ScalarInt(i), condition};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    ASSIGN_OR_RETURN(std::vector<Tensor> results, in.RunRegion(body, std::move(arguments)));
    condition = results[0];
    if (condition.num_elements() != 1) {
      return Status(Code::kInvalidArgument, "the condition must have one element");
    }
    std::copy_n(results.begin() + 1, counts.carried, carried.begin());
    for (size_t k = 0; k < counts.scanned; ++k) {
      scanned[k].push_back(std::move(results[1 + counts.carried + k]));
    }
  }
  for (size_t i = 0; i < counts.carried; ++i) in.SetOutput(i, carried[i]);
  for (size_t k = 0; k < counts.scanned; ++k) {
    const TensorType& element = body.outputs()[1 + counts.carried + k]->type();
    ASSIGN_OR_RETURN(Tensor stacked, StackTensors(scanned[k], 0, element));
    in.SetOutput(counts.carried + k, std::move(stacked));
  }
  return OkStatus();
}

}  // namespace

OpDef LoopOp() {
  return OpDef("Loop")
      .OptionalInput("M")
      .OptionalInput("cond")
      .VariadicInput("v_initial")
      .VariadicOutput("v_final_and_scan_outputs")
      .Attr("body", AttrKind::kRegion,
            "(iteration, condition, carried...) -> (condition, carried..., scanned...).")
      .Doc(
          "Runs the body at most M times while the condition holds; without M (or with one of 2^40 and "
          "more), a million iterations are an error. "
          "Outputs: the carried values after the last iteration, then each scanned value of all "
          "iterations, stacked along a new first axis.")
      .Infer(InferLoop)
      .Reference(EvalLoop)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

}  // namespace cairn
