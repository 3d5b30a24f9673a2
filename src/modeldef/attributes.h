// SPDX-License-Identifier: Apache-2.0
// Conversions between graph attributes and types and their ModelDef forms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/attribute.h"
#include "ir/graph.h"
#include "modeldef/cairn_ge.pb.h"

namespace cairn::modeldef {

using AttrMap = google::protobuf::Map<std::string, ge::AttrDef>;

void SetInt(AttrMap& attributes, const std::string& name, int64_t value);
void SetBool(AttrMap& attributes, const std::string& name, bool value);
void SetText(AttrMap& attributes, const std::string& name, std::string_view value);
void SetInts(AttrMap& attributes, const std::string& name, const std::vector<int64_t>& values);
void SetTexts(AttrMap& attributes, const std::string& name, const std::vector<std::string>& values);

/// The public number of an element type in protobuf form; DT_UNDEFINED for types without one.
ge::DataType ProtoDataType(ElementType dtype);

/// Dims of a type; -1 for dims that are not constant; empty for an unknown rank.
std::vector<int64_t> DimsOf(const TensorType& type);

/// Fills name, dtype, shape, layout, size and the origin_* attributes.
void FillDescriptor(const std::string& name, const TensorType& type, ge::TensorDescriptor& out);

/// All elements of `tensor` as raw bytes; a string tensor has none.
void FillTensor(const Tensor& tensor, ge::TensorDef& out);

}  // namespace cairn::modeldef
