// SPDX-License-Identifier: Apache-2.0
// The process's runtime: devices, contexts, streams, events, memory, models.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "device/device.h"
#include "runtime/event.h"
#include "runtime/handle_table.h"
#include "runtime/memory.h"
#include "runtime/model.h"
#include "runtime/report_queue.h"
#include "runtime/stream.h"

namespace cairn::runtime {

/// Streams and their device; one is current on a thread at any time.
struct Context {
  int device = 0;
  bool is_default = false;  ///< Made by SetDevice, shared by all threads.
  Handle default_stream = 0;
  std::mutex mutex;
  std::set<Handle> streams;  ///< With the default stream.
};

/// Failures use these codes: kFailedPrecondition = the thread has no current context; kNotFound =
/// the named device, handle or model does not exist; others as stated.
class Runtime {
 public:
  /// The one of this process, on all its devices; never destroyed, so that threads may outlive
  /// main.
  static Runtime& Get();

  explicit Runtime(std::vector<std::unique_ptr<device::Device>> devices);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // Devices.
  int num_devices() const { return static_cast<int>(devices_.size()); }
  Result<device::Device*> FindDevice(int id);
  /// Counts one use of the device and makes its default context current.
  Status SetDevice(int id);
  /// Drops one use, or all with `force`; at zero waits for the default context's work and releases
  /// it.
  Status ResetDevice(int id, bool force);
  Result<int> CurrentDevice();
  /// Waits for every stream of the current device.
  Status SynchronizeDevice(Timeout timeout);

  // Contexts.
  /// Creates a context and makes it current.
  Result<Handle> CreateContext(int device);
  /// kInvalidArgument for a default context.
  Status DestroyContext(Handle handle);
  Status SetCurrentContext(Handle handle);
  Result<Handle> CurrentContext();
  /// Whether the default context of a device exists.
  Result<bool> IsActive(int device);

  // Streams. Handle 0 is the default stream of the current context.
  Result<Handle> CreateStream(uint32_t flags, uint32_t priority);
  /// Waits for the stream's work, or drops it. kInvalidArgument for a stream of another context.
  Status DestroyStream(Handle handle, bool drop_work);
  Result<std::shared_ptr<Stream>> FindStream(Handle handle);
  Result<Handle> DefaultStream();

  // Events.
  Result<Handle> CreateEvent(uint32_t flags, bool starts_complete);
  Status DestroyEvent(Handle handle);
  Result<std::shared_ptr<Event>> FindEvent(Handle handle);

  // Models.
  Result<uint32_t> LoadModel(const ModelFile& file, std::span<std::byte> work);
  Status UnloadModel(uint32_t id);
  Result<std::shared_ptr<Model>> FindModel(uint32_t id);

  Result<void*> AllocateOnDevice(uint64_t bytes);
  Memory& memory() { return memory_; }
  ReportQueues& reports() { return reports_; }

  /// Releases models, contexts, streams and events; memory stays with its users.
  void ReleaseAll();

 private:
  struct DeviceState {
    int uses = 0;
    Handle default_context = 0;
  };

  Result<std::shared_ptr<Context>> Current();
  Handle NewContext(int device, bool is_default);
  Handle NewStream(Context& context, uint32_t flags, uint32_t priority);
  std::vector<std::shared_ptr<Stream>> StreamsOf(Context& context);
  void ReleaseContext(Handle handle, bool drop_work);

  std::vector<std::unique_ptr<device::Device>> devices_;
  std::mutex mutex_;  // Guards device_states_.
  std::vector<DeviceState> device_states_;
  Memory memory_;
  ReportQueues reports_;
  HandleTable<Context> contexts_{HandleKind::kContext};
  HandleTable<Stream> streams_{HandleKind::kStream};
  HandleTable<Event> events_{HandleKind::kEvent};
  std::atomic<uint32_t> next_stream_id_{0};
  std::atomic<uint32_t> next_event_id_{0};
  std::atomic<uint32_t> next_model_id_{1};
  std::shared_mutex models_mutex_;
  std::map<uint32_t, std::shared_ptr<Model>> models_;
};

}  // namespace cairn::runtime
