// SPDX-License-Identifier: Apache-2.0
// Slices, programs and process files.
#include "profile/reader.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/strings.h"

namespace cairn::profile {
namespace {

namespace fs = std::filesystem;

Result<std::vector<char>> ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return Status(Code::kIoError, StrCat(path.string(), ": cannot be read"));
  return bytes;
}

std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The numbers between the dots of a file name: "task.17.18.3.slice" => {17, 18, 3}.
std::vector<uint32_t> NumbersOf(const fs::path& path) {
  std::vector<uint32_t> numbers;
  std::istringstream name(path.filename().string());
  for (std::string part; std::getline(name, part, '.');)
    if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos)
      numbers.push_back(static_cast<uint32_t>(std::strtoul(part.c_str(), nullptr, 10)));
  return numbers;
}

class Reader {
 public:
  explicit Reader(const fs::path& folder) : folder_(folder) { result_.folder = folder.string(); }

  RawProfile Read() {
    std::error_code error;
    std::vector<fs::path> slices, others = FilesIn(folder_ / "host/data");
    for (const auto& entry : FilesIn(folder_)) {
      if (!fs::is_directory(entry, error)) continue;
      for (const fs::path& file : FilesIn(entry / "data"))
        if (file.extension() == ".slice") slices.push_back(file);
    }
    // A thread's slices in the order of writing, so that a text goes on in the next one.
    std::stable_sort(slices.begin(), slices.end(), [](const fs::path& a, const fs::path& b) {
      return NumbersOf(a) < NumbersOf(b);
    });
    for (const fs::path& slice : slices) Note(ReadSlice(slice));
    for (const fs::path& file : others) {
      const std::string name = file.filename().string();
      if (name.rfind("program.", 0) == 0) Note(ReadProgramFile(file));
      if (name.rfind("process.", 0) == 0) Note(ReadProcess(file));
    }
    CountLostSlices(slices);
    const auto by_begin = [](const Event& a, const Event& b) { return a.begin_ns < b.begin_ns; };
    std::stable_sort(result_.tasks.begin(), result_.tasks.end(), by_begin);
    std::stable_sort(result_.events.begin(), result_.events.end(), by_begin);
    return std::move(result_);
  }

 private:
  void Note(const Status& status) {
    if (!status.ok()) result_.warnings.push_back(status.message());
  }

  Status ReadSlice(const fs::path& path) {
    ASSIGN_OR_RETURN(const std::vector<char> bytes, ReadBytes(path));
    SliceHeader header;
    if (bytes.size() < sizeof(header))
      return Status(Code::kDataCorrupt, StrCat(path.string(), ": shorter than its header"));
    std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof(header));
    if (header.magic != kSliceMagic || header.version != kSliceVersion ||
        header.record_bytes != sizeof(Record))
      return Status(Code::kDataCorrupt,
                    StrCat(path.string(), ": no slice of a profile of this version"));
    const uint64_t room = (bytes.size() - sizeof(header)) / sizeof(Record);
    const uint64_t count = std::min<uint64_t>(header.count, room);
    header.thread_name[sizeof(header.thread_name) - 1] = '\0';
    result_.thread_names.try_emplace(header.thread, header.thread_name);
    for (uint64_t i = 0; i < count; ++i) {
      Record record;
      std::memcpy(&record, bytes.data() + sizeof(header) + i * sizeof(Record), sizeof(Record));
      Add(record, header);
    }
    if (count < header.count)
      return Status(Code::kDataCorrupt, StrCat(path.string(), ": holds ", count, " of ",
                                               header.count.load(), " records"));
    return OkStatus();
  }

  void Add(const Record& record, const SliceHeader& header) {
    const bool has_text = record.kind == RecordKind::kCall || record.kind == RecordKind::kMark ||
                          record.kind == RecordKind::kText;
    const std::string text(record.text,
                           has_text ? std::min<size_t>(record.text_bytes, kRecordText) : 0);
    if (record.kind == RecordKind::kText) {
      if (!result_.events.empty()) result_.events.back().text += text;
      return;
    }
    Event event{record, header.process,
                static_cast<int64_t>(record.begin_ns) + header.realtime_offset_ns,
                static_cast<int64_t>(record.end_ns) + header.realtime_offset_ns, text};
    const bool is_task = record.kind == RecordKind::kTask || record.kind == RecordKind::kPart ||
                         record.kind == RecordKind::kRun;
    (is_task ? result_.tasks : result_.events).push_back(std::move(event));
  }

  Status ReadProgramFile(const fs::path& path) {
    const std::vector<uint32_t> numbers = NumbersOf(path);
    ASSIGN_OR_RETURN(const std::vector<char> bytes, ReadBytes(path));
    auto program = numbers.size() == 3 ? ReadProgram(std::as_bytes(std::span(bytes)))
                                       : Result<Program>(Status(Code::kDataCorrupt, "bad name"));
    if (!program.ok())
      return Status(Code::kDataCorrupt, StrCat(path.string(), ": ", program.status().message()));
    result_.programs.emplace(std::pair(numbers[0], numbers[1]), *std::move(program));
    return OkStatus();
  }

  Status ReadProcess(const fs::path& path) {
    ASSIGN_OR_RETURN(const std::vector<char> bytes, ReadBytes(path));
    const auto json = nlohmann::json::parse(bytes, nullptr, false);
    if (!json.is_object() || !json.value("pid", nlohmann::json()).is_number())
      return Status(Code::kDataCorrupt, StrCat(path.string(), ": is not the JSON of a process"));
    ProcessEntry process;
    process.pid = json["pid"].get<uint32_t>();
    if (json.contains("program") && json["program"].is_string())
      process.program = json["program"].get<std::string>();
    if (json.contains("log_level") && json["log_level"].is_string())
      process.log_level = json["log_level"].get<std::string>();
    if (json.contains("times_only") && json["times_only"] == true) result_.times_only = true;
    process.ended = fs::exists(folder_ / "host/data" / StrCat("process_end.", process.pid, ".json"));
    result_.processes.push_back(std::move(process));
    return OkStatus();
  }

  /// Slices of a process are numbered without gaps over all its threads.
  void CountLostSlices(const std::vector<fs::path>& slices) {
    std::map<uint32_t, std::set<uint32_t>> present;
    for (const fs::path& slice : slices)
      if (const auto numbers = NumbersOf(slice); numbers.size() == 3)
        present[numbers[0]].insert(numbers[2]);
    for (const auto& [process, numbers] : present)
      result_.lost_slices += *numbers.rbegin() + 1 - numbers.size();
  }

  const fs::path folder_;
  RawProfile result_;
};

bool IsProfileFolder(const fs::path& path) {
  std::error_code error;
  return path.filename().string().rfind("PROF_", 0) == 0 && fs::is_directory(path, error);
}

}  // namespace

const Program* RawProfile::FindProgram(const Event& task) const {
  const auto found = programs.find({task.process, task.record.task.program});
  return found == programs.end() ? nullptr : &found->second;
}

Result<RawProfile> ReadProfile(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return Status(Code::kNotFound, StrCat(folder, ": there is no such folder"));
  if (!fs::is_directory(fs::path(folder) / "host", error))
    return Status(Code::kNotFound,
                  StrCat(folder, ": is no profile folder: it has no sub-folder 'host'"));
  return Reader(folder).Read();
}

std::vector<std::string> FindProfileFolders(const std::string& path) {
  fs::path given = fs::path(path).lexically_normal();
  if (!given.has_filename()) given = given.parent_path();
  std::error_code error;
  if (IsProfileFolder(fs::absolute(given, error)) || fs::is_directory(given / "host", error))
    return {given.string()};
  std::vector<std::string> folders;
  for (const fs::path& entry : FilesIn(given))
    if (IsProfileFolder(entry)) folders.push_back(entry.string());
  return folders;
}

}  // namespace cairn::profile
