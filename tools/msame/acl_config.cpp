// SPDX-License-Identifier: Apache-2.0
// Writes and removes ./acl.json.
#include "msame/acl_config.h"

#include <filesystem>
#include <fstream>

#include "msame/console.h"

namespace msame {
namespace {

std::string ProfilerConfig(const std::string& folder) {
  return "{\n  \"profiler\": {\n    \"switch\": \"on\",\n    \"output\": \"" + folder +
         "\",\n    \"aicpu\": \"on\",\n    \"aic_metrics\": \"\"\n  }\n}\n";
}

std::string DumpConfig(const std::string& folder, const std::string& model) {
  return "{\n  \"dump\": {\n    \"dump_path\": \"" + folder +
         "\",\n    \"dump_mode\": \"output\",\n    \"dump_list\": [{\"model_name\": \"" + model +
         "\"}]\n  }\n}\n";
}

}  // namespace

AclConfig::AclConfig(const Options& options) {
  if (options.profiler || options.dump) {
    const std::string folder = options.output + (options.profiler ? "/profiler" : "/dump");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::ofstream(kPath) << (options.profiler ? ProfilerConfig(folder)
                                              : DumpConfig(folder, options.model_stem()));
    written_ = true;
  }
  std::error_code error;
  exists_ = std::filesystem::exists(kPath, error);
}

AclConfig::~AclConfig() {
  std::error_code error;
  if (written_) std::filesystem::remove(kPath, error);
}

void AclConfig::Remove() {
  std::error_code error;
  if (written_ && std::filesystem::remove(kPath, error)) INFO_LOG("delete acl.json success");
  written_ = false;
}

}  // namespace msame
