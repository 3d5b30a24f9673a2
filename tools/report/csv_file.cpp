// SPDX-License-Identifier: Apache-2.0
// Cells, rows and slices.
#include "report/csv_file.h"

#include <cstdio>

#include "base/atomic_file.h"

namespace cairn::report {
namespace {

constexpr size_t kMaxRows = 1'000'000;
constexpr size_t kBlockBytes = 1 << 20;

std::string Cell(const std::string& text) {
  if (text.empty() || text[0] == '"' || text.find_first_of(",\"\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row;
  for (size_t i = 0; i < cells.size(); ++i) row += (i == 0 ? "" : ",") + Cell(cells[i]);
  return row + "\n";
}

}  // namespace

std::string Fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

std::string Us(double us) { return Fixed(us, 3); }

std::string TimeCell(int64_t ns) {
  char text[64];
  std::snprintf(text, sizeof(text), "%lld.%03lld\t", static_cast<long long>(ns / 1000),
                static_cast<long long>(ns % 1000));
  return text;
}

CsvFile::CsvFile(std::string folder, std::string name, std::string stamp,
                 std::vector<std::string> header)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      stamp_(std::move(stamp)),
      header_(Row(header)) {}

void CsvFile::Add(const std::vector<std::string>& cells) { rows_.push_back(Row(cells)); }

Status CsvFile::Write() const {
  const size_t num_slices = (rows_.size() + kMaxRows - 1) / kMaxRows;
  for (size_t slice = 0; slice < num_slices; ++slice) {
    const std::string part = num_slices > 1 ? StrCat("_slice_", slice) : "";
    ASSIGN_OR_RETURN(AtomicFile file,
                     AtomicFile::Create(StrCat(folder_, "/", name_, part, "_", stamp_, ".csv")));
    std::string block = header_;
    for (size_t i = slice * kMaxRows; i < std::min(rows_.size(), (slice + 1) * kMaxRows); ++i) {
      block += rows_[i];
      if (block.size() < kBlockBytes) continue;
      RETURN_IF_ERROR(file.Write(block));
      block.clear();
    }
    RETURN_IF_ERROR(file.Write(block));
    RETURN_IF_ERROR(file.Commit());
  }
  return OkStatus();
}

}  // namespace cairn::report
