// SPDX-License-Identifier: Apache-2.0
// The model summary of mode 6, and the parser behind both readers.
#include <climits>

#include "modeldef/attribute_names.h"
#include "modeldef/model_def.h"
#include "modeldef/parse.h"

namespace cairn::modeldef {
namespace {

using AttrMap = google::protobuf::Map<std::string, ge::AttrDef>;

std::string Text(const AttrMap& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::string() : found->second.s();
}

int64_t Int(const AttrMap& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? -1 : found->second.i();
}

// Sizes of the partitions as recorded when the file was written.
std::string OmInfoLine(const AttrMap& attributes, size_t model_def_bytes) {
  const auto found = attributes.find("om_info_list");
  if (found == attributes.end()) return "om       info: the attribute om_info_list is missing.\n";
  const auto& sizes = found->second.list().i();
  if (sizes.size() != 5) {
    return StrCat("om       info: error: om_info_list has ", sizes.size(),
                  " entries, expected 5.\n");
  }
  return StrCat("om       info: modeldef_size[", model_def_bytes, " B], weight_data_size[",
                sizes[0], " B], tbe_kernels_size[", sizes[1], " B], cust_aicpu_kernel_store_size[",
                sizes[2], " B], task_info_size[", sizes[3], " B], so_store_size[", sizes[4],
                " B].\n");
}

}  // namespace

Status ParseModelDef(std::span<const std::byte> bytes, ge::ModelDef& model) {
  const bool fits = bytes.size() <= INT_MAX;
  if (fits && model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return ExpandAttributeNames(model);
  }
  return Status(Code::kDataCorrupt, "the model definition inside the file is damaged");
}

Result<std::string> ModelSummary(std::span<const std::byte> model_def) {
  ge::ModelDef model;
  RETURN_IF_ERROR(ParseModelDef(model_def, model));
  const AttrMap& attributes = model.attr();
  return StrCat("============ Display Model Info start ============\n",
                "Original Atc command line: ", Text(attributes, "atc_cmdline"), "\n",
                "system   info: atc_version[", Text(attributes, "atc_version"), "], soc_version[",
                Text(attributes, "soc_version"), "], framework_type[",
                Text(attributes, "framework_type"), "].\n", "resource info: memory_size[",
                Int(attributes, "memory_size"), " B], weight_size[", Int(attributes, "weight_size"),
                " B], stream_num[", Int(attributes, "stream_num"), "], event_num[",
                Int(attributes, "event_num"), "].\n", OmInfoLine(attributes, model_def.size()),
                "============ Display Model Info end   ============\n");
}

}  // namespace cairn::modeldef
