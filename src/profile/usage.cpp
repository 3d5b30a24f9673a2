// SPDX-License-Identifier: Apache-2.0
// Registration, and reading of what live processes registered.
#include "profile/usage.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/strings.h"
#include "profile/ring.h"

namespace cairn::profile {
namespace {

constexpr uint64_t kUsageMagic = 0x3145474153554e43;  // "CNUSAGE1"

/// Field 22 of /proc/<pid>/stat; 0 when there is no such process.
uint64_t StartTicks(uint32_t process) {
  std::ifstream file(StrCat("/proc/", process, "/stat"));
  std::string text;
  std::getline(file, text);
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  return std::strtoull(field.c_str(), nullptr, 10);
}

std::string ProgramName() {
  std::ifstream file("/proc/self/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

/// Maps `path`; null when that fails.
UsageEntry* MapEntry(const std::string& path, int flags, int protection) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file < 0) return nullptr;
  struct stat status {};
  const auto bytes = static_cast<off_t>(sizeof(UsageEntry));
  const bool sized = (flags & O_CREAT) != 0 ? ::posix_fallocate(file, 0, bytes) == 0
                                            : ::fstat(file, &status) == 0 && status.st_size >= bytes;
  void* address =
      sized ? ::mmap(nullptr, sizeof(UsageEntry), protection, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  return address == MAP_FAILED ? nullptr : static_cast<UsageEntry*>(address);
}

}  // namespace

std::string RegistryFolder() {
  const char* folder = std::getenv("CAIRN_REGISTRY");
  return folder != nullptr && *folder != '\0' ? folder : "/dev/shm/cairn_devices";
}

Usage& Usage::Get() {
  static auto* usage = new Usage;  // Outlives the exit handlers.
  return *usage;
}

Usage::Usage() {
  Register();
  std::atexit([] { Get().Remove(); });
  // A forked child is a process of its own.
  ::pthread_atfork(nullptr, nullptr, [] { Get().Register(); });
}

void Usage::Register() {
  entry_ = &unregistered_;
  const std::string folder = RegistryFolder();
  if (::mkdir(folder.c_str(), 01777) == 0) ::chmod(folder.c_str(), 01777);  // For all users.
  path_ = StrCat(folder, "/", ::getpid());
  ::unlink(path_.c_str());
  UsageEntry* entry = MapEntry(path_, O_RDWR | O_CREAT | O_EXCL, PROT_READ | PROT_WRITE);
  if (entry == nullptr) return;
  entry->process = static_cast<uint32_t>(::getpid());
  entry->start_ticks = StartTicks(entry->process);
  std::strncpy(entry->name, ProgramName().c_str(), sizeof(entry->name) - 1);
  entry->magic = kUsageMagic;
  entry_ = entry;
}

void Usage::Remove() {
  if (entry_ != &unregistered_) ::unlink(path_.c_str());
}

Usage::Run::Run() : begin_ns_(static_cast<int64_t>(NowNs())) {
  UsageEntry& entry = *Usage::Get().entry_;
  entry.active_begin_ns.fetch_add(begin_ns_, std::memory_order_relaxed);
  entry.active_runs.fetch_add(1, std::memory_order_relaxed);
}

Usage::Run::~Run() {
  UsageEntry& entry = *Usage::Get().entry_;
  entry.active_runs.fetch_sub(1, std::memory_order_relaxed);
  entry.active_begin_ns.fetch_sub(begin_ns_, std::memory_order_relaxed);
  entry.busy_ns.fetch_add(static_cast<int64_t>(NowNs()) - begin_ns_, std::memory_order_relaxed);
}

std::vector<ProcessUsage> ReadUsages() {
  std::vector<ProcessUsage> usages;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(RegistryFolder(), error)) {
    UsageEntry* entry = MapEntry(file.path(), O_RDONLY, PROT_READ);
    if (entry == nullptr) continue;
    const bool alive = entry->magic == kUsageMagic && entry->start_ticks != 0 &&
                       StartTicks(entry->process) == entry->start_ticks;
    if (alive) {
      ProcessUsage usage{entry->process, entry->device, entry->memory_bytes, entry->busy_ns, ""};
      usage.busy_ns +=
          entry->active_runs * static_cast<int64_t>(NowNs()) - entry->active_begin_ns;
      usage.name.assign(entry->name, strnlen(entry->name, sizeof(entry->name)));
      usages.push_back(std::move(usage));
    }
    const bool is_complete = entry->magic == kUsageMagic;
    ::munmap(entry, sizeof(UsageEntry));
    if (is_complete && !alive) ::unlink(file.path().c_str());
  }
  std::sort(usages.begin(), usages.end(),
            [](const ProcessUsage& a, const ProcessUsage& b) { return a.process < b.process; });
  return usages;
}

}  // namespace cairn::profile
