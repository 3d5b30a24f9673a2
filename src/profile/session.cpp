// SPDX-License-Identifier: Apache-2.0
// Start, stop, storage of slices, and the records of single events.
#include "profile/session.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "base/atomic_file.h"
#include "base/log.h"

namespace cairn::profile {

std::atomic<uint32_t> active_categories{0};

namespace {

/// "20261201143246123" and the like.
std::string TimeStamp() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  char text[32];
  const size_t length = std::strftime(text, sizeof(text), "%Y%m%d%H%M%S", &local);
  std::snprintf(text + length, sizeof(text) - length, "%03ld", now.tv_nsec / 1'000'000);
  return text;
}

std::string RandomLetters() {
  std::random_device random;
  std::string letters;
  for (int i = 0; i < 16; ++i) letters += "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[random() % 36];
  return letters;
}

void WriteProcessFile(const std::string& folder, const Settings& settings) {
  char name[256] = "";
  const ssize_t length = ::readlink("/proc/self/exe", name, sizeof(name) - 1);
  nlohmann::ordered_json json;
  json["pid"] = ::getpid();
  json["program"] = std::string(name, length > 0 ? static_cast<size_t>(length) : 0);
  json["begin_ns"] = NowNs();
  const char* log_level = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  json["log_level"] = log_level != nullptr ? log_level : "";
  json["times_only"] = (settings.categories & kAttributes) == 0;
  std::ofstream(StrCat(folder, "/host/data/process.", ::getpid(), ".json"))
      << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace

/// One recording; kept alive by the rings that write into it.
struct Session::Recording : SliceStore {
  std::string NewSlice(const std::string& stem, uint64_t bytes) override {
    const std::lock_guard lock(mutex);
    if (limit > 0) {
      while (!slices.empty() && bytes_used + bytes > limit) {
        ::unlink(slices.front().path.c_str());
        bytes_used -= slices.front().bytes;
        slices.pop_front();
      }
    }
    const std::string path = StrCat(folder, "/", stem, ".", next++, ".slice");
    slices.push_back({path, bytes});
    bytes_used += bytes;
    return path;
  }

  struct Slice {
    std::string path;
    uint64_t bytes;
  };

  std::string folder;
  uint64_t limit = 0;
  uint64_t generation = 0;
  std::mutex mutex;
  std::deque<Slice> slices;
  uint64_t bytes_used = 0;
  uint64_t next = 0;
  uint32_t num_programs = 0;  // Guarded by Session::mutex_.
};

struct Session::ThreadRings {
  std::shared_ptr<Recording> recording;
  uint64_t generation = 0;
  Ring tasks, calls;
};

Session& Session::Get() {
  static auto* session = new Session;
  return *session;
}

// A forked child must not write into the slices of its parent.
Session::Session() {
  ::pthread_atfork(nullptr, nullptr, [] {
    ForgetThreadId();
    ++Get().generation_;
  });
}

Status Session::Start(const std::string& folder, const Settings& settings) {
  const std::lock_guard lock(mutex_);
  if (recording_ != nullptr)
    return Status(Code::kAlreadyExists,
                  StrCat("a profile is being recorded already, into ", recording_->folder));
  if (::access((folder + "/host/data").c_str(), W_OK) != 0)
    return Status(Code::kIoError, StrCat("profile folder ", folder, " cannot be written: ",
                                         std::strerror(errno)));
  auto recording = std::make_shared<Recording>();
  recording->folder = folder;
  recording->limit = settings.storage_limit_bytes;
  recording->generation = generation_ + 1;
  recording_ = std::move(recording);
  ++generation_;
  WriteProcessFile(folder, settings);
  active_categories.store(settings.categories, std::memory_order_release);
  return OkStatus();
}

void Session::Stop() {
  const std::lock_guard lock(mutex_);
  active_categories.store(0, std::memory_order_release);
  if (recording_ == nullptr) return;
  nlohmann::ordered_json json;
  json["end_ns"] = NowNs();
  std::ofstream(StrCat(recording_->folder, "/host/data/process_end.", ::getpid(), ".json"))
      << json.dump() << '\n';
  recording_ = nullptr;
  ++generation_;
}

std::string Session::folder() const {
  const std::lock_guard lock(mutex_);
  return recording_ == nullptr ? "" : recording_->folder;
}

uint32_t Session::AddProgram(uint32_t model_id, const Program& program) {
  const std::lock_guard lock(mutex_);
  if (recording_ == nullptr) return 0;
  const uint32_t number = ++recording_->num_programs;
  const Status written = [&]() -> Status {
    ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, WriteProgram(program));
    ASSIGN_OR_RETURN(AtomicFile file,
                     AtomicFile::Create(StrCat(recording_->folder, "/host/data/program.",
                                               ::getpid(), ".", number, ".", model_id, ".bin")));
    RETURN_IF_ERROR(file.Write(bytes));
    return file.Commit();
  }();
  if (!written.ok())
    CAIRN_LOG(kProfiling, kWarning, "profile: model ", model_id, ": ", written.message());
  return number;
}

Session::ThreadRings& Session::Rings() {
  thread_local ThreadRings rings;
  const uint64_t generation = generation_.load(std::memory_order_acquire);
  if (rings.generation == generation) [[likely]]
    return rings;
  const std::lock_guard lock(mutex_);
  rings.tasks.Close();
  rings.calls.Close();
  rings.recording = recording_;
  rings.generation = generation_;
  SliceStore* store = recording_.get();
  rings.tasks.Open(store, StrCat("device_0/data/task.", ::getpid(), ".", ThreadId()));
  rings.calls.Open(store, StrCat("host/data/call.", ::getpid(), ".", ThreadId()));
  return rings;
}

Ring& Session::TaskRing() { return Rings().tasks; }
Ring& Session::CallRing() { return Rings().calls; }

Result<std::string> CreateProfileFolder(const std::string& parent) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(parent.empty() ? "." : parent, error);
  const std::string folder =
      absolute.lexically_normal() / StrCat("PROF_000001_", TimeStamp(), "_", RandomLetters());
  for (const char* part : {"/host/data", "/device_0/data"}) {
    std::filesystem::create_directories(folder + part, error);
    if (error)
      return Status(Code::kIoError,
                    StrCat("folder ", folder, part, " cannot be made: ", error.message()));
  }
  return folder;
}

void CallScope::Begin() { begin_ns_ = NowNs(); }

void CallScope::End() const {
  if (active_categories.load(std::memory_order_relaxed) == 0) return;  // Ended meanwhile.
  Record record{};
  record.kind = RecordKind::kCall;
  record.level = level_;
  record.thread = ThreadId();
  record.begin_ns = begin_ns_;
  record.end_ns = NowNs();
  Session::Get().CallRing().Append(record, name_, std::strlen(name_));
}

void RecordLaunch(uint32_t model_id, uint32_t device, uint32_t stream) {
  if (!Active(kTasks)) return;
  Record record{};
  record.kind = RecordKind::kLaunch;
  record.thread = ThreadId();
  record.begin_ns = record.end_ns = NowNs();
  record.task = {.model_id = model_id, .stream = stream, .device = device};
  Session::Get().CallRing().Append(record);
}

void RecordMemory(uint32_t device, const void* address, int64_t bytes, uint64_t total_bytes) {
  if (!Active(kMemory)) return;
  Record record{};
  record.kind = RecordKind::kMemory;
  record.thread = ThreadId();
  record.begin_ns = record.end_ns = NowNs();
  record.memory = {reinterpret_cast<uintptr_t>(address), bytes, total_bytes, device};
  Session::Get().CallRing().Append(record);
}

void RecordMark(uint64_t begin_ns, uint64_t end_ns, const std::string& text) {
  if (!Active(kMarks)) return;
  Record record{};
  record.kind = RecordKind::kMark;
  record.thread = ThreadId();
  record.begin_ns = begin_ns;
  record.end_ns = end_ns;
  Session::Get().CallRing().AppendLong(record, text.data(), text.size());
}

}  // namespace cairn::profile
