// SPDX-License-Identifier: Apache-2.0
// Finds a target by its name and fills its description from the compiled-in files and the host.
#include "target/target_spec.h"

#include <algorithm>

#include "target/host.h"
#include "target/ini.h"
#include "target/platform_config.h"

namespace cairn::target {
namespace {

constexpr std::string_view kNative = "native";
constexpr std::string_view kAscend = "Ascend";
constexpr std::string_view kCpuPrefix = "Cairn-";

bool HasAlias(const Ini& ini, std::string_view name) {
  std::string aliases = "," + ini.Get("Cairn", "aliases") + ",";
  return aliases.find("," + std::string(name) + ",") != std::string::npos;
}

// The description called `name` or having it among its aliases.
const PlatformConfig* FindConfig(std::string_view name) {
  if (name.empty() || name.find(',') != std::string_view::npos) return nullptr;
  for (const PlatformConfig& config : PlatformConfigs()) {
    if (config.name == name) return &config;
  }
  for (const PlatformConfig& config : PlatformConfigs()) {
    const auto ini = Ini::Parse(config.text);
    if (ini.ok() && HasAlias(*ini, name)) return &config;
  }
  return nullptr;
}

// Tries the name as given, without an "Ascend" in front, and with one.
const PlatformConfig* FindConfigLoosely(const std::string& name) {
  if (const PlatformConfig* exact = FindConfig(name)) return exact;
  if (name.starts_with(kAscend)) return FindConfig(std::string_view(name).substr(kAscend.size()));
  return FindConfig(std::string(kAscend) + name);
}

Status UnknownTarget(const std::string& name) {
  const std::vector<std::string> names = TargetNames();
  std::string text = StrCat("unknown device '", name, "'");
  if (const std::string near = NearestName(name, names); !near.empty()) {
    text += StrCat("; did you mean '", near, "'?");
  }
  text += StrCat("; valid names: native, ", StrJoin(names, ", "));
  return Status(Code::kNotFound, text);
}

Status ReadCpu(const Ini& ini, TargetSpec& spec) {
  spec.isa = ini.Get("Cairn", "isa");
  const auto read = [&](std::string_view key, double fallback) {
    return ini.GetNumber("Cairn", key, fallback);
  };
  ASSIGN_OR_RETURN(const double vector_floats, read("vector_floats", spec.vector_floats));
  ASSIGN_OR_RETURN(const double l1, read("l1_data_size", static_cast<double>(spec.l1_bytes)));
  ASSIGN_OR_RETURN(const double l2, read("l2_size", static_cast<double>(spec.l2_bytes)));
  ASSIGN_OR_RETURN(const double l3, read("l3_size", static_cast<double>(spec.l3_bytes)));
  ASSIGN_OR_RETURN(spec.flops_per_cycle, read("flops_per_cycle", spec.flops_per_cycle));
  ASSIGN_OR_RETURN(spec.memory_bytes_per_cycle,
                   read("memory_bytes_per_cycle", spec.memory_bytes_per_cycle));
  spec.vector_floats = static_cast<int>(vector_floats);
  spec.l1_bytes = static_cast<uint64_t>(l1);
  spec.l2_bytes = static_cast<uint64_t>(l2);
  spec.l3_bytes = static_cast<uint64_t>(l3);
  return OkStatus();
}

// CPU targets have no channel block of their own for user-visible formats: it is their vector.
Result<TargetSpec> CpuTarget(std::string_view name) {
  const PlatformConfig* config = FindConfig(name);
  CAIRN_CHECK(config != nullptr, "a CPU target without description");
  TargetSpec spec;
  spec.name = name;
  ASSIGN_OR_RETURN(const Ini ini, Ini::Parse(config->text));
  RETURN_IF_ERROR(ReadCpu(ini, spec).WithContext(name));
  spec.c0 = spec.vector_floats;
  return spec;
}

Result<TargetSpec> NativeTarget() {
  const std::string isa = HostIsa();
  if (isa.empty()) {
    return Status(Code::kUnsupported,
                  "this CPU has neither AVX2 with FMA nor Armv8.2; name a target to compile for");
  }
  ASSIGN_OR_RETURN(TargetSpec spec, CpuTarget(StrCat(kCpuPrefix, isa)));
  const HostCaches caches = ReadHostCaches();
  if (caches.l1_data != 0) spec.l1_bytes = caches.l1_data;
  if (caches.l2 != 0) spec.l2_bytes = caches.l2;
  if (caches.l3 != 0) spec.l3_bytes = caches.l3;
  return spec;
}

// A named NPU computes with the plan of the lowest x86 level and shows its own channel block.
Result<TargetSpec> VirtualTarget(const PlatformConfig& config) {
  ASSIGN_OR_RETURN(TargetSpec spec, CpuTarget("Cairn-x86-64-v3"));
  ASSIGN_OR_RETURN(const Ini ini, Ini::Parse(config.text));
  ASSIGN_OR_RETURN(const double c0, ini.GetNumber("AICoreSpec", "cube_n_size", 16));
  spec.name = config.name;
  spec.is_virtual = true;
  spec.c0 = static_cast<int>(c0);
  return spec;
}

}  // namespace

std::vector<std::string> TargetNames() {
  std::vector<std::string> names;
  for (const PlatformConfig& config : PlatformConfigs()) names.emplace_back(config.name);
  std::ranges::sort(names);
  return names;
}

Result<TargetSpec> FindTarget(const std::string& name) {
  Result<TargetSpec> spec = UnknownTarget(name);
  if (name == kNative || name == StrCat(kAscend, kNative)) {
    spec = NativeTarget();
  } else if (const PlatformConfig* config = FindConfigLoosely(name)) {
    spec = config->name.starts_with(kCpuPrefix) ? CpuTarget(config->name) : VirtualTarget(*config);
  }
  if (spec.ok()) spec->given_name = name;
  return spec;
}

}  // namespace cairn::target
