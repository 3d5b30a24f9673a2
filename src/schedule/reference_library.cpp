// SPDX-License-Identifier: Apache-2.0
// On-demand loading of the reference library.
#include "schedule/reference_library.h"

#include <mutex>

#include "schedule/on_demand_library.h"

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

Result<const CairnReferenceApi*> Load() {
  ASSIGN_OR_RETURN(void* address, FindInLibrary(kFileName, "cairn_reference_api",
                                                "the model has operators without a kernel"));
  using Entry = const CairnReferenceApi* (*)();
  const CairnReferenceApi* api = reinterpret_cast<Entry>(address)();
  if (api->version == CAIRN_REFERENCE_API_VERSION) return api;
  return Status(Code::kIncompatible, StrCat("'", kFileName, "' is of another version"));
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
