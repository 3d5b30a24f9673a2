// SPDX-License-Identifier: Apache-2.0
// Profiling sessions: recording begun by the environment, by acl.json or by the aclprof functions.
#include "acl/acl_prof.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "api/prof_session.h"
#include "base/log.h"
#include "profile/options.h"

/// The type behind aclprofConfig.
struct aclprofConfig {
  uint64_t data_types;
};

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

/// Of the aclprof functions, or kConfigured: environment or acl.json record.
enum class State : uint8_t { kNone, kInitialized, kRunning, kConfigured };

std::mutex mutex;
State state = State::kNone;
profile::Options options;                // Of the aclprof functions.
const aclprofConfig* running = nullptr;  // The configuration of the recording.

Answer BadOptions(const std::string& where, const Status& status) {
  return {ACL_ERROR_INVALID_PARAM, Kind::kArgument, StrCat(where, ": ", status.message())};
}

uint32_t CategoriesOf(uint64_t data_types) {
  uint32_t categories = 0;
  if (data_types & ACL_PROF_ACL_API) categories |= profile::kAclCalls;
  if (data_types & (ACL_PROF_TASK_TIME | ACL_PROF_TASK_TIME_L2 | ACL_PROF_TASK_TIME_L3))
    categories |= profile::kTasks | profile::kAttributes;
  if (data_types & ACL_PROF_TASK_TIME_L0) categories |= profile::kTasks;
  if (data_types & (ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU | ACL_PROF_OP_ATTR))
    categories |= profile::kTasks | profile::kAttributes;
  if (data_types & ACL_PROF_RUNTIME_API) categories |= profile::kRuntimeCalls;
  if (data_types & ACL_PROF_TASK_MEMORY) categories |= profile::kMemory;
  if (data_types & (ACL_PROF_MSPROFTX | ACL_PROF_TRAINING_TRACE)) categories |= profile::kMarks;
  return categories;
}

/// What the environment asks for; empty when it does not.
std::string EnvironmentOptions() {
  const char* mode = std::getenv("PROFILING_MODE");
  if (mode == nullptr || std::strcmp(mode, "true") != 0) return "";
  const char* text = std::getenv("PROFILING_OPTIONS");
  return text == nullptr || *text == '\0' ? "{}" : text;
}

Answer ConfiguredAlready() {
  return {ACL_ERROR_PROF_ALREADY_RUN, Kind::kArgument,
          "A profile is being recorded already, begun by the environment or by aclInit."};
}

}  // namespace

Answer cairn::api::BeginConfiguredProfile(const std::string& profiler) {
  const std::string environment = EnvironmentOptions();
  if (environment.empty() && profiler.empty()) return {};
  const std::string where = environment.empty() ? "acl.json" : "PROFILING_OPTIONS";
  const auto parsed = profile::ParseOptions(environment.empty() ? profiler : environment);
  if (!parsed.ok()) return BadOptions(where, parsed.status());
  if (!parsed->enabled) return {};
  const std::lock_guard lock(mutex);
  if (const Status started = profile::StartRecording(*parsed); !started.ok())
    return BadOptions(where, started);
  state = State::kConfigured;
  static const int at_exit = std::atexit([] { profile::Session::Get().Stop(); });
  return at_exit == 0 ? Answer() : Answer(ACL_ERROR_INTERNAL_ERROR, Kind::kInner, "atexit failed");
}

void cairn::api::EndConfiguredProfile() {
  const std::lock_guard lock(mutex);
  profile::Session::Get().Stop();
  state = State::kNone;
  running = nullptr;
}

aclError aclprofInit(const char* profilerResultPath, size_t length) {
  return Guard("aclprofInit", [&]() -> Answer {
    ACL_REQUIRE(profilerResultPath);
    if (length != std::strlen(profilerResultPath) || length == 0 || length > 4096)
      return InvalidArgument("length", length, "it is not the length of the path, 1 to 4096");
    const std::lock_guard lock(mutex);
    if (state == State::kConfigured) return ConfiguredAlready();
    if (state != State::kNone)
      return {ACL_ERROR_PROF_ALREADY_RUN, Kind::kArgument,
              "Profiling has been initialized already."};
    state = State::kInitialized;
    options = {};
    options.output = profilerResultPath;
    return {};
  });
}

aclError aclprofFinalize() {
  return Guard("aclprofFinalize", []() -> Answer {
    const std::lock_guard lock(mutex);
    if (state == State::kNone || state == State::kConfigured)
      return {ACL_ERROR_PROF_NOT_RUN, Kind::kArgument, "Profiling has not been initialized."};
    profile::Session::Get().Stop();
    state = State::kNone;
    running = nullptr;
    return {};
  });
}

aclError aclprofStart(const aclprofConfig* profilerConfig) {
  return Guard("aclprofStart", [&]() -> Answer {
    ACL_REQUIRE(profilerConfig);
    const std::lock_guard lock(mutex);
    if (state != State::kInitialized)
      return {ACL_ERROR_PROF_NOT_RUN, Kind::kArgument,
              "Profiling is not initialized or runs already."};
    options.settings.categories = CategoriesOf(profilerConfig->data_types);
    ACL_RETURN_IF_FAILED(
        From(profile::StartRecording(options), {{Code::kIoError, ACL_ERROR_INVALID_FILE}}));
    state = State::kRunning;
    running = profilerConfig;
    return {};
  });
}

aclError aclprofStop(const aclprofConfig* profilerConfig) {
  return Guard("aclprofStop", [&]() -> Answer {
    ACL_REQUIRE(profilerConfig);
    const std::lock_guard lock(mutex);
    if (state != State::kRunning)
      return {ACL_ERROR_PROF_NOT_RUN, Kind::kArgument, "Profiling does not run."};
    if (profilerConfig != running)
      return InvalidArgument("profilerConfig", profilerConfig,
                             "profiling was started with another configuration");
    profile::Session::Get().Stop();
    state = State::kInitialized;
    running = nullptr;
    return {};
  });
}

aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics, const aclprofAicoreEvents*,
                                   uint64_t dataTypeConfig) {
  return GuardValue<aclprofConfig*>("aclprofCreateConfig", nullptr, [&](auto& config) -> Answer {
    if (deviceNums > 0) ACL_REQUIRE(deviceIdList);
    config = new aclprofConfig{dataTypeConfig};
    return {};
  });
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return Guard("aclprofDestroyConfig", [&]() -> Answer {
    ACL_REQUIRE(profilerConfig);
    delete profilerConfig;
    return {};
  });
}

aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength) {
  return Guard("aclprofSetConfig", [&]() -> Answer {
    ACL_REQUIRE(config);
    if (configType <= ACL_PROF_ARGS_MIN || configType >= ACL_PROF_ARGS_MAX)
      return InvalidArgument("configType", static_cast<int>(configType), "it is no known setting");
    if (configLength != std::strlen(config) || configLength > 256)
      return InvalidArgument("configLength", configLength,
                             "it is not the length of the value, at most 256");
    if (configType != ACL_PROF_STORAGE_LIMIT) return {};
    const std::lock_guard lock(mutex);
    const Status set = profile::SetOption("storage_limit", config, options);
    return set.ok() ? Answer() : BadOptions("aclprofSetConfig", set);
  });
}
