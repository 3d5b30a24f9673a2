// SPDX-License-Identifier: Apache-2.0
// Sums, JSON and records of task times.
#include "runtime/profile.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "base/atomic_file.h"
#include "base/log.h"

namespace cairn::runtime {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string QuotedList(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back(Quoted(item));
  return "[" + StrJoin(quoted, ", ") + "]";
}

double Microseconds(int64_t ns) { return static_cast<double>(ns) / 1000.0; }

template <size_t kSize>
void CopyCut(const std::string& text, char (&target)[kSize]) {
  const size_t length = std::min(text.size(), kSize - 1);
  std::memcpy(target, text.data(), length);
  target[length] = '\0';
}

std::string ProfilePath() {
  const char* path = std::getenv("CAIRN_PROFILE");
  return path == nullptr ? "" : path;
}

}  // namespace

ModelProfile::ModelProfile(uint32_t model_id, const Program& program)
    : model_id_(model_id),
      model_name_(program.model_name),
      tasks_(program.tasks),
      sums_(program.tasks.size()) {}

void ModelProfile::Add(const device::RunProfile& run) {
  ++runs_;
  for (const device::TaskTime& time : run.tasks) {
    if (time.task >= sums_.size()) continue;
    const int64_t ns = time.end_ns - time.begin_ns;
    sums_[time.task].total_ns += ns;
    sums_[time.task].min_ns = std::min(sums_[time.task].min_ns, ns);
    total_ns_ += ns;
  }
}

std::string ModelProfile::ToJson() const {
  const double runs = static_cast<double>(std::max<uint64_t>(runs_, 1));
  std::vector<size_t> order(tasks_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sums_[a].total_ns > sums_[b].total_ns; });
  std::string json = StrCat("{\"model\": ", Quoted(model_name_), ", \"model_id\": ", model_id_,
                            ", \"runs\": ", runs_,
                            ", \"mean_us\": ", Microseconds(total_ns_) / runs, ", \"tasks\": [");
  bool first = true;
  for (const size_t i : order) {
    const Task& task = tasks_[i];
    const double mean_us = Microseconds(sums_[i].total_ns) / runs;
    const double share = total_ns_ > 0 ? static_cast<double>(sums_[i].total_ns) / total_ns_ : 0;
    json += StrCat(
        first ? "\n  " : ",\n  ", "{\"task\": ", i, ", \"name\": ", Quoted(task.name),
        ", \"op_type\": ", Quoted(task.op_type), ", \"kernel\": ", Quoted(task.kernel),
        ", \"mean_us\": ", mean_us, ", \"min_us\": ", runs_ > 0 ? Microseconds(sums_[i].min_ns) : 0,
        ", \"share\": ", share, ", \"gflops\": ", mean_us > 0 ? task.flops / mean_us / 1000.0 : 0,
        ", \"gbytes_per_s\": ", mean_us > 0 ? task.traffic_bytes / mean_us / 1000.0 : 0,
        ", \"origins\": ", QuotedList(task.origins), "}");
    first = false;
  }
  return json + "]}";
}

ProfileFile::ProfileFile() : path_(ProfilePath()) {
  std::atexit([] { Get().Write(); });
}

bool ProfileFile::active() const {
  const std::lock_guard lock(mutex_);
  return !path_.empty();
}

void ProfileFile::Activate(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (path_.empty()) path_ = path;
}

ProfileFile& ProfileFile::Get() {
  static auto* file = new ProfileFile;  // Outlives the exit handlers.
  return *file;
}

void ProfileFile::Add(std::shared_ptr<const ModelProfile> profile) {
  const std::lock_guard lock(mutex_);
  profiles_.push_back(std::move(profile));
}

void ProfileFile::Write() {
  const std::lock_guard lock(mutex_);
  if (profiles_.empty()) return;
  std::vector<std::string> parts;
  for (const auto& profile : profiles_) parts.push_back(profile->ToJson());
  const Status written = [&]() -> Status {
    ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path_));
    RETURN_IF_ERROR(file.Write("{\"models\": [\n" + StrJoin(parts, ",\n") + "\n]}\n"));
    return file.Commit();
  }();
  if (!written.ok()) CAIRN_LOG(kRuntime, kError, "profile: ", written.message());
}

void SendRecords(int fd, uint32_t model_id, const Program& program, const device::RunProfile& run,
                 uint64_t run_begin_ns) {
  TaskRecord record{};
  record.model_id = model_id;
  record.thread_id = static_cast<uint32_t>(::syscall(SYS_gettid));
  for (const device::TaskTime& time : run.tasks) {
    if (time.task >= program.tasks.size()) continue;
    record.begin_ns = run_begin_ns + static_cast<uint64_t>(time.begin_ns);
    record.end_ns = run_begin_ns + static_cast<uint64_t>(time.end_ns);
    CopyCut(program.tasks[time.task].name, record.name);
    CopyCut(program.tasks[time.task].op_type, record.type);
    if (::write(fd, &record, sizeof(record)) != static_cast<ssize_t>(sizeof(record))) {
      CAIRN_LOG(kProfiling, kWarning, "model ", model_id, ": subscriber does not read, times lost");
      return;
    }
  }
}

}  // namespace cairn::runtime
