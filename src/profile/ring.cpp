// SPDX-License-Identifier: Apache-2.0
// Mapping of slices and text records.
#include "profile/ring.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "base/log.h"

namespace cairn::profile {
namespace {

constexpr uint64_t kFirstSliceBytes = 256 << 10;
constexpr uint64_t kMaxSliceBytes = 4 << 20;

thread_local uint32_t thread_id = 0;

uint64_t ClockNs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

void FillText(Record& record, const char* text, size_t length) {
  record.text_bytes = static_cast<uint16_t>(std::min(length, kRecordText));
  std::memcpy(record.text, text, record.text_bytes);
}

}  // namespace

uint64_t NowNs() { return ClockNs(CLOCK_MONOTONIC); }

uint32_t ThreadId() {
  if (thread_id == 0) thread_id = static_cast<uint32_t>(::syscall(SYS_gettid));
  return thread_id;
}

void ForgetThreadId() { thread_id = 0; }

void Ring::Open(SliceStore* store, std::string stem) {
  Close();
  store_ = store;
  stem_ = std::move(stem);
  slice_bytes_ = kFirstSliceBytes;
}

void Ring::Close() {
  if (header_ != nullptr) ::munmap(header_, mapped_bytes_);
  header_ = nullptr;
  records_ = nullptr;
  used_ = capacity_ = 0;
}

bool Ring::MapFile(const std::string& path, size_t bytes) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
  if (file < 0) return false;
  // Reserved now: a full disk must not become a signal at a later write into the mapping.
  void* address = MAP_FAILED;
  if (::posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0)
    address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  ::close(file);
  if (address == MAP_FAILED) {
    ::unlink(path.c_str());
    return false;
  }
  header_ = static_cast<SliceHeader*>(address);
  mapped_bytes_ = bytes;
  records_ = reinterpret_cast<Record*>(header_ + 1);
  capacity_ = (bytes - sizeof(SliceHeader)) / sizeof(Record);
  used_ = 0;
  return true;
}

bool Ring::NextSlice() {
  if (store_ == nullptr) return false;
  Close();
  const std::string path = store_->NewSlice(stem_, slice_bytes_);
  if (path.empty() || !MapFile(path, slice_bytes_)) {
    CAIRN_LOG(kProfiling, kWarning, "profile: ", path.empty() ? stem_ : path,
              ": no room for more records, this thread is no longer recorded");
    store_ = nullptr;
    return false;
  }
  slice_bytes_ = std::min(slice_bytes_ * 2, kMaxSliceBytes);
  header_->version = kSliceVersion;
  header_->record_bytes = sizeof(Record);
  header_->process = static_cast<uint32_t>(::getpid());
  header_->thread = ThreadId();
  header_->realtime_offset_ns = static_cast<int64_t>(ClockNs(CLOCK_REALTIME) - NowNs());
  ::prctl(PR_GET_NAME, header_->thread_name);
  header_->magic = kSliceMagic;
  return true;
}

void Ring::Append(Record record, const char* text, size_t length) {
  FillText(record, text, length);
  Append(record);
}

void Ring::AppendLong(Record record, const char* text, size_t length) {
  Append(record, text, length);
  for (size_t done = kRecordText; done < length; done += kRecordText) {
    Record more{};
    more.kind = RecordKind::kText;
    Append(more, text + done, length - done);
  }
}

}  // namespace cairn::profile
