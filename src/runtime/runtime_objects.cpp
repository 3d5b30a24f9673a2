// SPDX-License-Identifier: Apache-2.0
// Streams, events, models and memory of the current context.
#include "runtime/runtime.h"

namespace cairn::runtime {
namespace {

Status NoStream() {
  return Status(Code::kNotFound, "the stream does not exist or has been destroyed already");
}

Status NoEvent() {
  return Status(Code::kNotFound, "the event does not exist or has been destroyed already");
}

}  // namespace

Handle Runtime::NewStream(Context& context, uint32_t flags, uint32_t priority) {
  const Handle handle =
      streams_.Insert(std::make_shared<Stream>(next_stream_id_++, context.device, flags, priority));
  const std::lock_guard lock(context.mutex);
  context.streams.insert(handle);
  return handle;
}

std::vector<std::shared_ptr<Stream>> Runtime::StreamsOf(Context& context) {
  const std::lock_guard lock(context.mutex);
  std::vector<std::shared_ptr<Stream>> streams;
  for (const Handle handle : context.streams)
    if (auto stream = streams_.Find(handle)) streams.push_back(std::move(stream));
  return streams;
}

Result<Handle> Runtime::CreateStream(uint32_t flags, uint32_t priority) {
  ASSIGN_OR_RETURN(const auto context, Current());
  return NewStream(*context, flags, priority);
}

Status Runtime::DestroyStream(Handle handle, bool drop_work) {
  ASSIGN_OR_RETURN(const auto context, Current());
  const std::shared_ptr<Stream> stream = streams_.Find(handle);
  if (stream == nullptr) return NoStream();
  if (handle == context->default_stream)
    return Status(Code::kInvalidArgument, "the default stream of a context cannot be destroyed");
  {
    const std::lock_guard lock(context->mutex);
    if (context->streams.erase(handle) == 0)
      return Status(Code::kInvalidArgument,
                    StrCat("stream ", stream->id(), " belongs to another context"));
  }
  if (!drop_work) (void)stream->Synchronize();
  streams_.Remove(handle);
  reports_.Drop(handle);
  return OkStatus();
}

Result<Handle> Runtime::DefaultStream() {
  ASSIGN_OR_RETURN(const auto context, Current());
  return context->default_stream;
}

Result<std::shared_ptr<Stream>> Runtime::FindStream(Handle handle) {
  if (handle == 0) {
    ASSIGN_OR_RETURN(handle, DefaultStream());
  }
  std::shared_ptr<Stream> stream = streams_.Find(handle);
  if (stream == nullptr) return NoStream();
  return stream;
}

Result<Handle> Runtime::CreateEvent(uint32_t flags, bool starts_complete) {
  RETURN_IF_ERROR(Current().status());
  return events_.Insert(std::make_shared<Event>(next_event_id_++, flags, starts_complete));
}

Status Runtime::DestroyEvent(Handle handle) {
  return events_.Remove(handle) == nullptr ? NoEvent() : OkStatus();
}

Result<std::shared_ptr<Event>> Runtime::FindEvent(Handle handle) {
  std::shared_ptr<Event> event = events_.Find(handle);
  if (event == nullptr) return NoEvent();
  return event;
}

Result<uint32_t> Runtime::LoadModel(const ModelFile& file, std::span<std::byte> work) {
  ASSIGN_OR_RETURN(const int device, CurrentDevice());
  const uint32_t id = next_model_id_++;
  ASSIGN_OR_RETURN(std::shared_ptr<Model> model,
                   Model::Load(id, device, *devices_[device], file, work));
  const std::unique_lock lock(models_mutex_);
  models_[id] = std::move(model);
  return id;
}

Status Runtime::UnloadModel(uint32_t id) {
  std::shared_ptr<Model> model;
  const std::unique_lock lock(models_mutex_);
  const auto found = models_.find(id);
  if (found == models_.end())
    return Status(Code::kNotFound, StrCat("model ", id, " is not loaded"));
  model = std::move(found->second);
  models_.erase(found);
  return OkStatus();
}

Result<std::shared_ptr<Model>> Runtime::FindModel(uint32_t id) {
  const std::shared_lock lock(models_mutex_);
  const auto found = models_.find(id);
  if (found == models_.end())
    return Status(Code::kNotFound, StrCat("model ", id, " is not loaded"));
  return found->second;
}

Result<void*> Runtime::AllocateOnDevice(uint64_t bytes) {
  ASSIGN_OR_RETURN(const int device, CurrentDevice());
  return memory_.AllocateOnDevice(*devices_[device], bytes);
}

}  // namespace cairn::runtime
