// SPDX-License-Identifier: Apache-2.0
// Checks of paths given on the command line.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/strings.h"
#include "checks.h"

namespace cairn::atc {
namespace {

constexpr size_t kMaxPath = 4096;

// Empty for a readable regular file (or a pipe), else what is wrong with it.
std::string WrongWithInput(const std::string& path) {
  struct stat state {};
  if (path.size() >= kMaxPath) return StrCat("the path is longer than ", kMaxPath, " characters");
  if (stat(path.c_str(), &state) != 0) return std::strerror(errno);
  if (S_ISDIR(state.st_mode)) return "it is a folder, expected a file";
  if (access(path.c_str(), R_OK) != 0) return std::strerror(errno);
  return "";
}

// The nearest ancestor that exists; the current folder for a relative path without any.
std::filesystem::path NearestExisting(std::filesystem::path folder) {
  std::error_code ignored;
  while (!folder.empty() && !std::filesystem::exists(folder, ignored)) {
    const std::filesystem::path parent = folder.parent_path();
    if (parent == folder) break;
    folder = parent;
  }
  return folder.empty() ? std::filesystem::path(".") : folder;
}

}  // namespace

bool CheckInputFile(const std::string& path, std::string_view code, std::string_view path_argument,
                    ErrorReport& report) {
  const std::string wrong = WrongWithInput(path);
  if (wrong.empty()) return true;
  report.Add(code, {{path_argument, path}, {"reason", wrong}});
  return false;
}

bool CheckOutputFile(const std::string& path, std::string_view parameter, ErrorReport& report) {
  if (path.size() >= kMaxPath) {
    report.Add("E13002", {{"filepath", path}, {"size", std::to_string(kMaxPath)}});
    return false;
  }
  const std::filesystem::path file(path);
  const std::string name = file.filename().string();
  if (name.empty() || name == "." || name == "..") {
    report.Add("E10022", {{"filename", path}, {"parameter", parameter}});
    return false;
  }
  const std::filesystem::path folder = NearestExisting(file.parent_path());
  std::error_code ignored;
  std::string wrong;
  if (!std::filesystem::is_directory(folder, ignored)) {
    wrong = StrCat("'", folder.string(), "' is not a folder");
  } else if (access(folder.c_str(), W_OK | X_OK) != 0) {
    wrong = StrCat("folder '", folder.string(), "': ", std::strerror(errno));
  }
  if (wrong.empty()) return true;
  report.Add("E13000", {{"patherr", path}, {"errmsg", wrong}});
  return false;
}

}  // namespace cairn::atc
