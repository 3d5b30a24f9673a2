// SPDX-License-Identifier: Apache-2.0
// Registered callbacks by name.
#include "api/stream_state.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "api/call.h"

namespace cairn::api {
namespace {

struct Registration {
  aclrtStreamStateCallback callback;
  void* args;
};

std::mutex mutex;
std::map<std::string, Registration>& Registrations() {  // Never destroyed.
  static auto* map = new std::map<std::string, Registration>;
  return *map;
}

}  // namespace

void ReportStreamState(aclrtStream stream, aclrtStreamState state) {
  std::vector<Registration> called;
  {
    const std::lock_guard lock(mutex);
    for (const auto& [name, registration] : Registrations()) called.push_back(registration);
  }
  for (const Registration& registration : called)
    registration.callback(stream, state, registration.args);
}

}  // namespace cairn::api

using namespace cairn::api;  // NOLINT

aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                     void* args) {
  return Guard("aclrtRegStreamStateCallback", [&]() -> Answer {
    ACL_REQUIRE(regName);
    const std::lock_guard lock(mutex);
    if (callback == nullptr)
      Registrations().erase(regName);
    else
      Registrations()[regName] = {callback, args};
    return {};
  });
}
