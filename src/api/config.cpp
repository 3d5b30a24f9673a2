// SPDX-License-Identifier: Apache-2.0
// Reads acl.json.
#include "api/config.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

namespace cairn::api {
namespace {

constexpr int kMaxDepth = 10;

int Depth(const std::string& text) {
  int depth = 0, deepest = 0;
  for (const char c : text) {
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

/// A number given as such or as text.
std::optional<int> NumberOf(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<int>();
  if (value.is_string()) return std::atoi(value.get_ref<const std::string&>().c_str());
  return std::nullopt;
}

void Fill(const nlohmann::json& json, Config& config) {
  if (const auto mode = json.find("err_msg_mode"); mode != json.end())
    config.shared_error_text = NumberOf(*mode) == 1;
  config.has_dump = json.contains("dump");
  if (const auto profiler = json.find("profiler"); profiler != json.end())
    config.profiler = profiler->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Answer ReadConfig(const char* path, Config& config) {
  if (path == nullptr || *path == '\0') return {};
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return {ACL_ERROR_INVALID_FILE, Kind::kFile,
            StrCat("File ", path, " is invalid. Reason: it is a folder.")};
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return {ACL_ERROR_INVALID_FILE, Kind::kFile,
            StrCat("File ", path, " is invalid. Reason: it cannot be read.")};
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return {};
  if (Depth(text) > kMaxDepth)
    return {ACL_ERROR_PARSE_FILE, Kind::kFile,
            StrCat("File ", path, " is invalid. Reason: it is nested deeper than ", kMaxDepth,
                   " levels.")};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return {ACL_ERROR_PARSE_FILE, Kind::kFile,
            StrCat("File ", path, " is invalid. Reason: it is not a JSON object.")};
  Fill(json, config);
  return {};
}

}  // namespace cairn::api
