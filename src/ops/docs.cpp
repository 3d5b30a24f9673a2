// SPDX-License-Identifier: Apache-2.0
// The operator reference as Markdown, written from the definitions.
#include "ops/docs.h"

#include <vector>

#include "ops/op_def.h"

namespace cairn {
namespace {

std::string KindName(AttrKind kind) {
  switch (kind) {
    case AttrKind::kInt:
      return "int";
    case AttrKind::kFloat:
      return "float";
    case AttrKind::kString:
      return "string";
    case AttrKind::kInts:
      return "ints";
    case AttrKind::kFloats:
      return "floats";
    case AttrKind::kStrings:
      return "strings";
    case AttrKind::kTensor:
      return "tensor";
    case AttrKind::kRegion:
      return "region";
    case AttrKind::kRegions:
      return "regions";
    case AttrKind::kType:
      return "element type";
  }
  return "";
}

std::string DefaultText(const AttrDef& attr) {
  if (attr.optional) return "none";
  if (!attr.default_value) return "required";
  const Attribute& value = *attr.default_value;
  if (const auto* number = std::get_if<int64_t>(&value)) return StrCat(*number);
  if (const auto* number = std::get_if<float>(&value)) return StrCat(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return StrCat("\"", *text, "\"");
  if (const auto* list = std::get_if<Ints>(&value)) return StrCat("[", StrJoin(*list, ", "), "]");
  if (const auto* list = std::get_if<Floats>(&value)) return StrCat("[", StrJoin(*list, ", "), "]");
  return "see text";
}

/// `Name(A, B, [C], D...) → Y`: brackets mark optional, dots repeated operands.
std::string Signature(const OpDef& op) {
  std::vector<std::string> inputs;
  for (const InputDef& input : op.inputs()) {
    inputs.push_back(input.variadic   ? input.name + "..."
                     : input.optional ? StrCat("[", input.name, "]")
                                      : input.name);
  }
  std::string outputs = StrJoin(op.outputs(), ", ");
  if (op.variadic_output()) outputs += "...";
  return StrCat("`", op.name(), "(", StrJoin(inputs, ", "), ") → ", outputs, "`");
}

std::string TraitText(const OpDef& op) {
  std::vector<std::string> traits;
  if (op.Has(kElementwise)) traits.emplace_back("element by element with broadcasting");
  if (op.Has(kCommutative)) traits.emplace_back("commutative");
  if (op.Has(kDataMovement)) traits.emplace_back("moves elements of any type");
  if (op.Has(kShapeOnly)) traits.emplace_back("reads shapes only");
  if (!op.Has(kPure)) traits.emplace_back("not a pure function");
  return StrJoin(traits, "; ");
}

void RenderOp(const OpDef& op, std::string& text) {
  text += StrCat("## ", op.name(), "\n\n", Signature(op), "\n\n", op.doc(), "\n");
  if (const std::string traits = TraitText(op); !traits.empty())
    text += StrCat("\nTraits: ", traits, ".\n");
  if (!op.attrs().empty())
    text += "\n| attribute | kind | default | meaning |\n|---|---|---|---|\n";
  for (const AttrDef& attr : op.attrs()) {
    text += StrCat("| `", attr.name, "` | ", KindName(attr.kind), " | ", DefaultText(attr), " | ",
                   attr.doc, " |\n");
  }
  text += "\n";
}

}  // namespace

std::string RenderOperatorDocs() {
  std::string text =
      "# Operators\n\n"
      "Written from the definitions in `src/ops` by the program `operator-docs`; do not edit. "
      "Operators\n"
      "are version-less: the ONNX importer translates every operator set into these forms. "
      "Brackets\n"
      "mark optional operands, dots repeated ones. Floats are computed in double and rounded "
      "once;\n"
      "integers are exact and wrap.\n\n";
  for (const OpDef* op : AllOps()) RenderOp(*op, text);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace cairn
