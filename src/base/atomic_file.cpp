// SPDX-License-Identifier: Apache-2.0
// Unnamed or temporary file, write loop, link and rename.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/file_size_signal.h"

namespace cairn {
namespace {

constexpr mode_t kMode = 0644;
// Linux transfers at most this much per call.
constexpr size_t kMaxChunk = 0x7ffff000;

std::filesystem::path FolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

// In the folder of `path`, and short: the name of `path` may be as long as names can be.
std::string TemporaryName(const std::string& path, int attempt) {
  return FolderOf(path) / StrCat(".cairn.", getpid(), ".", attempt, ".tmp");
}

// Devices and pipes (/dev/stdout) are not for replacing.
Status CheckReplaceable(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode)) return OkStatus();
  return Status(Code::kIoError, StrCat("cannot write '", path, "': it is ",
                                       S_ISDIR(info.st_mode) ? "a folder" : "not a regular file"));
}

}  // namespace

Result<AtomicFile> AtomicFile::Create(const std::string& path) {
  RETURN_IF_ERROR(CheckReplaceable(path));
  const std::filesystem::path folder = FolderOf(path);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  int descriptor = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode);
  if (descriptor >= 0) return AtomicFile(path, descriptor, "");
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string temporary = TemporaryName(path, attempt);
    descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (descriptor >= 0) return AtomicFile(path, descriptor, std::move(temporary));
    if (errno != EEXIST) break;
  }
  return AtomicFile(path, -1, "").Failure("cannot create");
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      temporary_(std::exchange(other.temporary_, "")) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

Status AtomicFile::Failure(std::string_view what) const {
  return Status(Code::kIoError, StrCat(what, " '", path_, "': ", std::strerror(errno)));
}

Status AtomicFile::Write(std::span<const std::byte> bytes) {
  const FileSizeSignalBlock block;
  while (!bytes.empty()) {
    const ssize_t done = write(descriptor_, bytes.data(), std::min(bytes.size(), kMaxChunk));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return Failure("cannot write");
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
  return OkStatus();
}

Status AtomicFile::Commit() {
  if (temporary_.empty()) {
    const std::string self = StrCat("/proc/self/fd/", descriptor_);
    for (int attempt = 0; attempt < 100 && temporary_.empty(); ++attempt) {
      std::string name = TemporaryName(path_, attempt);
      if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
        temporary_ = std::move(name);
      } else if (errno != EEXIST) {
        return Failure("cannot name");
      }
    }
    if (temporary_.empty()) return Failure("cannot name");
  }
  if (close(std::exchange(descriptor_, -1)) != 0) return Failure("cannot write");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return Failure("cannot replace");
  temporary_.clear();
  return OkStatus();
}

}  // namespace cairn
