// SPDX-License-Identifier: Apache-2.0
// On-demand loading of the compiler library.
#include "runtime/compiler_library.h"

#include <dlfcn.h>

#include <mutex>
#include <string>
#include <vector>

namespace cairn::runtime {
namespace {

constexpr const char* kFileName = "libcairn_compiler.so";

/// Folder of the shared object or program that contains this function, with a trailing slash.
std::string OwnFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 || info.dli_fname == nullptr)
    return {};
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Result<const CairnCompilerApi*> Load() {
  const std::string folder = OwnFolder();
  const std::vector<std::string> paths = {folder + kFileName, folder + "../lib64/" + kFileName,
                                          kFileName};
  for (const std::string& path : paths) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    using Entry = const CairnCompilerApi* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, "cairn_compiler_api"));
    if (entry != nullptr && entry()->version == CAIRN_COMPILER_API_VERSION) return entry();
    return Status(Code::kIncompatible, StrCat("'", path, "' is of another version"));
  }
  return Status(Code::kUnsupported,
                StrCat("operators are compiled by ", kFileName, ", which was not found; looked for ",
                       StrJoin(paths, ", ")));
}

}  // namespace

Result<const CairnCompilerApi*> CompilerLibrary() {
  static std::mutex mutex;
  static const CairnCompilerApi* api = nullptr;
  const std::lock_guard lock(mutex);
  if (api == nullptr) {
    ASSIGN_OR_RETURN(api, Load());
  }
  return api;
}

}  // namespace cairn::runtime
