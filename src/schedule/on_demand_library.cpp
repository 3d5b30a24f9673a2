// SPDX-License-Identifier: Apache-2.0
// Search of libraries.
#include "schedule/on_demand_library.h"

#include <dlfcn.h>

#include <vector>

namespace cairn::schedule {
namespace {

/// Folder of the shared object or program that contains this function, with a trailing slash.
std::string OwnFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 || !info.dli_fname) return {};
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

}  // namespace

Result<void*> FindInLibrary(const char* file, const char* symbol, const std::string& reason) {
  const std::string folder = OwnFolder();
  const std::vector<std::string> paths = {folder + file, folder + "../lib64/" + file, file};
  for (const std::string& path : paths) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    if (void* address = dlsym(library, symbol)) return address;
    return Status(Code::kIncompatible, StrCat("'", path, "' is of another version"));
  }
  return Status(Code::kNotFound,
                StrCat(reason, " and ", file, " was not found; looked for ", StrJoin(paths, ", ")));
}

}  // namespace cairn::schedule
