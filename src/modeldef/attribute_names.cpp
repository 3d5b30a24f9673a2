// SPDX-License-Identifier: Apache-2.0
// A coded name is a zero byte and the digits of its number to base 127, lowest first, each plus
// one.
#include "modeldef/attribute_names.h"

#include <string>
#include <vector>

namespace cairn::modeldef {
namespace {

using AttrMap = google::protobuf::Map<std::string, ge::AttrDef>;

constexpr size_t kBase = 127;

Status Corrupt(std::string_view what) {
  return Status(Code::kDataCorrupt, StrCat("the dictionary of attributes is damaged: ", what));
}

class Expander {
 public:
  explicit Expander(AttrMap& attributes) {
    names_ = Take(attributes, "attr_name_enum");
    values_ = Take(attributes, "attr_value_enum");
    has_text_ = Take(attributes, "attrs_use_string_value");
    attributes.erase("om_compress_version");
  }

  bool IsNeeded() const { return names_.list().s_size() > 0; }

  Status ExpandMap(AttrMap& attributes) const {
    AttrMap expanded;
    for (auto& [key, attribute] : attributes) {
      std::string name = key;
      bool is_text = false;
      if (!key.empty() && key[0] == '\0') {
        RETURN_IF_ERROR(Decode(key, name, is_text));
      }
      if (is_text) RETURN_IF_ERROR(ExpandText(attribute));
      RETURN_IF_ERROR(ExpandInside(attribute));
      expanded[name] = attribute;
    }
    attributes.swap(expanded);
    return OkStatus();
  }

  Status ExpandGraph(ge::GraphDef& graph) const {
    RETURN_IF_ERROR(ExpandMap(*graph.mutable_attr()));
    for (ge::OpDef& op : *graph.mutable_op()) {
      RETURN_IF_ERROR(ExpandMap(*op.mutable_attr()));
      for (auto& desc : *op.mutable_input_desc()) RETURN_IF_ERROR(ExpandMap(*desc.mutable_attr()));
      for (auto& desc : *op.mutable_output_desc()) RETURN_IF_ERROR(ExpandMap(*desc.mutable_attr()));
    }
    return OkStatus();
  }

 private:
  static ge::AttrDef Take(AttrMap& attributes, const std::string& name) {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return {};
    ge::AttrDef value = found->second;
    attributes.erase(name);
    return value;
  }

  Status Decode(const std::string& code, std::string& name, bool& is_text) const {
    size_t number = 0, weight = 1;
    for (size_t i = 1; i < code.size() && i < 6; ++i, weight *= kBase) {
      number += (static_cast<uint8_t>(code[i]) - size_t{1}) * weight;
    }
    if (number >= static_cast<size_t>(names_.list().s_size())) return Corrupt("a name is missing");
    name = names_.list().s(static_cast<int>(number));
    is_text = number < static_cast<size_t>(has_text_.list().b_size()) &&
              has_text_.list().b(static_cast<int>(number));
    return OkStatus();
  }

  Result<std::string> TextOf(int64_t number) const {
    if (number < 0 || number >= values_.list().s_size()) return Corrupt("a text is missing");
    return values_.list().s(static_cast<int>(number));
  }

  Status ExpandText(ge::AttrDef& attribute) const {
    if (attribute.value_case() == ge::AttrDef::kI) {
      ASSIGN_OR_RETURN(const std::string text, TextOf(attribute.i()));
      attribute.set_s(text);
    } else if (attribute.value_case() == ge::AttrDef::kList) {
      for (const int64_t number : attribute.list().i()) {
        ASSIGN_OR_RETURN(const std::string text, TextOf(number));
        attribute.mutable_list()->add_s(text);
      }
      attribute.mutable_list()->clear_i();
      attribute.mutable_list()->set_val_type(ge::AttrDef::ListValue::VT_LIST_STRING);
    }
    return OkStatus();
  }

  Status ExpandInside(ge::AttrDef& attribute) const {
    switch (attribute.value_case()) {
      case ge::AttrDef::kG:
        return ExpandGraph(*attribute.mutable_g());
      case ge::AttrDef::kTd:
        return ExpandMap(*attribute.mutable_td()->mutable_attr());
      case ge::AttrDef::kT:
        return ExpandMap(*attribute.mutable_t()->mutable_desc()->mutable_attr());
      case ge::AttrDef::kFunc:
        return ExpandMap(*attribute.mutable_func()->mutable_attr());
      case ge::AttrDef::kList:
        for (auto& graph : *attribute.mutable_list()->mutable_g()) {
          RETURN_IF_ERROR(ExpandGraph(graph));
        }
        for (auto& desc : *attribute.mutable_list()->mutable_td()) {
          RETURN_IF_ERROR(ExpandMap(*desc.mutable_attr()));
        }
        return OkStatus();
      default:
        return OkStatus();
    }
  }

  ge::AttrDef names_, values_, has_text_;
};

}  // namespace

Status ExpandAttributeNames(ge::ModelDef& model) {
  const Expander expander(*model.mutable_attr());
  if (!expander.IsNeeded()) return OkStatus();
  RETURN_IF_ERROR(expander.ExpandMap(*model.mutable_attr()));
  for (ge::GraphDef& graph : *model.mutable_graph()) RETURN_IF_ERROR(expander.ExpandGraph(graph));
  return OkStatus();
}

}  // namespace cairn::modeldef
