// SPDX-License-Identifier: Apache-2.0
// Devices and contexts.
#include "runtime/runtime.h"

namespace cairn::runtime {
namespace {

/// Of the calling thread; may have been destroyed by another one.
thread_local Handle current_context = 0;

Status NoContext() {
  return Status(Code::kFailedPrecondition,
                "the thread has no current context; call aclrtSetDevice, aclrtCreateContext or "
                "aclrtSetCurrentContext on it first");
}

}  // namespace

Runtime& Runtime::Get() {
  static auto* runtime = new Runtime(device::CreateDevices());
  return *runtime;
}

Runtime::Runtime(std::vector<std::unique_ptr<device::Device>> devices)
    : devices_(std::move(devices)), device_states_(devices_.size()) {}

Runtime::~Runtime() { ReleaseAll(); }

Result<device::Device*> Runtime::FindDevice(int id) {
  if (id >= 0 && id < num_devices()) return devices_[id].get();
  return Status(Code::kNotFound, StrCat("device ", id, " does not exist, this machine has ",
                                        num_devices(), " (ids 0 to ", num_devices() - 1, ")"));
}

Status Runtime::SetDevice(int id) {
  RETURN_IF_ERROR(FindDevice(id).status());
  const std::lock_guard lock(mutex_);
  DeviceState& state = device_states_[id];
  ++state.uses;
  if (state.default_context == 0) state.default_context = NewContext(id, true);
  current_context = state.default_context;
  return OkStatus();
}

Status Runtime::ResetDevice(int id, bool force) {
  RETURN_IF_ERROR(FindDevice(id).status());
  Handle released = 0;
  {
    const std::lock_guard lock(mutex_);
    DeviceState& state = device_states_[id];
    if (state.uses == 0)
      return Status(Code::kInvalidArgument, StrCat("device ", id, " is not in use"));
    state.uses = force ? 0 : state.uses - 1;
    if (state.uses > 0) return OkStatus();
    released = std::exchange(state.default_context, 0);
  }
  if (current_context == released) current_context = 0;
  if (released != 0) ReleaseContext(released, false);
  return OkStatus();
}

Result<int> Runtime::CurrentDevice() {
  ASSIGN_OR_RETURN(const auto context, Current());
  return context->device;
}

Status Runtime::SynchronizeDevice(Timeout timeout) {
  ASSIGN_OR_RETURN(const int device, CurrentDevice());
  Status first;
  for (const Handle handle : contexts_.Handles()) {
    const std::shared_ptr<Context> context = contexts_.Find(handle);
    if (context == nullptr || context->device != device) continue;
    for (const auto& stream : StreamsOf(*context)) {
      Status status = stream->Synchronize(timeout);
      if (first.ok()) first = std::move(status);
    }
  }
  return first;
}

Result<std::shared_ptr<Context>> Runtime::Current() {
  if (current_context == 0) return NoContext();
  std::shared_ptr<Context> context = contexts_.Find(current_context);
  if (context == nullptr) return NoContext();
  return context;
}

Handle Runtime::NewContext(int device, bool is_default) {
  auto context = std::make_shared<Context>();
  context->device = device;
  context->is_default = is_default;
  context->default_stream = NewStream(*context, 0, 0);
  return contexts_.Insert(std::move(context));
}

Result<Handle> Runtime::CreateContext(int device) {
  RETURN_IF_ERROR(FindDevice(device).status());
  return current_context = NewContext(device, false);
}

Status Runtime::DestroyContext(Handle handle) {
  const std::shared_ptr<Context> context = contexts_.Find(handle);
  if (context == nullptr)
    return Status(Code::kNotFound, "the context does not exist or has been destroyed already");
  if (context->is_default)
    return Status(Code::kInvalidArgument,
                  "the context is the default one of its device; aclrtResetDevice releases it");
  if (current_context == handle) current_context = 0;
  ReleaseContext(handle, false);
  return OkStatus();
}

void Runtime::ReleaseContext(Handle handle, bool drop_work) {
  const std::shared_ptr<Context> context = contexts_.Remove(handle);
  if (context == nullptr) return;
  for (const Handle stream_handle : context->streams) {
    reports_.Drop(stream_handle);
    const std::shared_ptr<Stream> stream = streams_.Remove(stream_handle);
    if (stream != nullptr && !drop_work) (void)stream->Synchronize();
  }
}

Status Runtime::SetCurrentContext(Handle handle) {
  if (contexts_.Find(handle) == nullptr)
    return Status(Code::kNotFound, "the context does not exist or has been destroyed already");
  current_context = handle;
  return OkStatus();
}

Result<Handle> Runtime::CurrentContext() {
  RETURN_IF_ERROR(Current().status());
  return current_context;
}

Result<bool> Runtime::IsActive(int device) {
  RETURN_IF_ERROR(FindDevice(device).status());
  const std::lock_guard lock(mutex_);
  return device_states_[device].default_context != 0;
}

void Runtime::ReleaseAll() {
  {
    const std::lock_guard lock(mutex_);
    for (DeviceState& state : device_states_) state = {};
  }
  for (const Handle handle : contexts_.Handles()) ReleaseContext(handle, true);
  for (const Handle handle : events_.Handles()) events_.Remove(handle);
  const std::unique_lock lock(models_mutex_);
  models_.clear();
}

}  // namespace cairn::runtime
