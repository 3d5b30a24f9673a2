// SPDX-License-Identifier: Apache-2.0
// On-demand loading of the reference library.
#include "schedule/reference_library.h"

#include <dlfcn.h>

#include <mutex>
#include <string>
#include <vector>

namespace cairn::schedule {
namespace {

constexpr const char* kFileName = "libcairn_reference.so";

struct State {
  std::mutex mutex;
  const CairnReferenceApi* api = nullptr;
};

State& TheState() {
  static State state;
  return state;
}

/// Folder of the shared object or program that contains this function, with a trailing slash.
std::string OwnFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 || !info.dli_fname) return {};
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Result<const CairnReferenceApi*> Load() {
  const std::string folder = OwnFolder();
  const std::vector<std::string> paths = {folder + kFileName, folder + "../lib64/" + kFileName,
                                          kFileName};
  for (const std::string& path : paths) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    using Entry = const CairnReferenceApi* (*)();
    auto entry = reinterpret_cast<Entry>(dlsym(library, "cairn_reference_api"));
    if (entry && entry()->version == CAIRN_REFERENCE_API_VERSION) return entry();
    return Status(Code::kIncompatible, StrCat("'", path, "' is of another version"));
  }
  return Status(Code::kNotFound,
                StrCat("the model has operators without a kernel and ", kFileName,
                       " was not found; looked for ", StrJoin(paths, ", ")));
}

}  // namespace

Result<const CairnReferenceApi*> ReferenceLibrary() {
  State& state = TheState();
  const std::lock_guard lock(state.mutex);
  if (!state.api) {
    ASSIGN_OR_RETURN(state.api, Load());
  }
  return state.api;
}

void SetReferenceLibrary(const CairnReferenceApi* api) {
  State& state = TheState();
  const std::lock_guard lock(state.mutex);
  state.api = api;
}

}  // namespace cairn::schedule
