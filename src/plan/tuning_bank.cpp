// SPDX-License-Identifier: Apache-2.0
// The bank's file.
#include "plan/tuning_bank.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/atomic_file.h"

namespace cairn::plan {
namespace {

constexpr char kHeader[] = "cairn tuning bank 1";

}  // namespace

Result<TuningBank> TuningBank::Open(const std::string& path) {
  TuningBank bank;
  bank.path_ = path;
  if (path.empty()) return bank;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return bank;
  std::ifstream file(path);
  if (!file || !std::filesystem::is_regular_file(path, error))
    return Status(Code::kIoError, StrCat("cannot read the tuning bank '", path, "'"));
  std::string line;
  if (!std::getline(file, line) || line != kHeader) return bank;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    uint64_t key = 0;
    int64_t nanoseconds = 0;
    if (fields >> std::hex >> key >> std::dec >> nanoseconds && nanoseconds > 0) {
      bank.entries_[key] = nanoseconds;
    }
  }
  return bank;
}

std::optional<int64_t> TuningBank::Find(uint64_t key) const {
  auto it = entries_.find(key);
  return it == entries_.end() ? std::nullopt : std::optional(it->second);
}

void TuningBank::Add(uint64_t key, int64_t nanoseconds) {
  entries_[key] = nanoseconds;
  changed_ = true;
}

Status TuningBank::Save() const {
  if (path_.empty() || !changed_) return OkStatus();
  std::ostringstream text;
  text << kHeader << "\n";
  for (const auto& [key, nanoseconds] : entries_) {
    text << std::hex << key << std::dec << " " << nanoseconds << "\n";
  }
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path_));
  RETURN_IF_ERROR(file.Write(text.str()));
  return file.Commit();
}

}  // namespace cairn::plan
