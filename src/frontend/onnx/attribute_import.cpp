// SPDX-License-Identifier: Apache-2.0
// ONNX attributes in our terms.
#include "frontend/onnx/graph_import.h"
#include "frontend/onnx/tensor_import.h"

namespace cairn::onnx {
namespace {

/// Attribute type numbers of the standard.
enum AttributeType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kType = 13,
  kTypes = 14
};

/// The type, or the one that the filled field implies for writers that leave it out.
int32_t TypeOf(const AttributeProto& proto) {
  if (proto.type() != kUndefined) return proto.type();
  if (proto.has_f()) return kFloat;
  if (proto.has_i()) return kInt;
  if (proto.has_s()) return kString;
  if (proto.has_t()) return kTensor;
  if (proto.has_g()) return kGraph;
  if (proto.floats_size() > 0) return kFloats;
  if (proto.ints_size() > 0) return kInts;
  if (proto.strings_size() > 0) return kStrings;
  return kUndefined;
}

}  // namespace

Result<Attribute> GraphImport::ImportAttribute(AttributeProto& proto, const NodeImport& node,
                                               Frame& frame) {
  switch (TypeOf(proto)) {
    case kFloat:
      return Attribute(proto.f());
    case kInt:
      return Attribute(static_cast<int64_t>(proto.i()));
    case kString:
      return Attribute(proto.s());
    case kFloats:
      return Attribute(Floats(proto.floats().begin(), proto.floats().end()));
    case kInts:
      return Attribute(Ints(proto.ints().begin(), proto.ints().end()));
    case kStrings:
      return Attribute(Strings(proto.strings().begin(), proto.strings().end()));
    case kTensor: {
      // A copy: a function's attribute may be read once per call.
      TensorProto tensor = proto.t();
      ASSIGN_OR_RETURN(Tensor value, ImportTensor(tensor, external_));
      return Attribute(std::move(value));
    }
    case kSparseTensor: {
      SparseTensorProto tensor = proto.sparse_tensor();
      ASSIGN_OR_RETURN(Tensor value, ImportSparseTensor(tensor, external_));
      return Attribute(std::move(value));
    }
    case kGraph: {
      ASSIGN_OR_RETURN(Region region, ImportRegion(*proto.mutable_g(), node, frame));
      return Attribute(std::move(region));
    }
    case kGraphs: {
      std::vector<Region> regions;
      for (GraphProto& graph : *proto.mutable_graphs()) {
        ASSIGN_OR_RETURN(Region region, ImportRegion(graph, node, frame));
        regions.push_back(std::move(region));
      }
      return Attribute(std::move(regions));
    }
    case kType: {
      ASSIGN_OR_RETURN(TensorType type, ImportType(proto.tp(), proto.name()));
      return Attribute(std::move(type));
    }
    default:
      return Status(Code::kUnsupported,
                    StrCat("attributes of type number ", proto.type(), " are not supported"));
  }
}

}  // namespace cairn::onnx
