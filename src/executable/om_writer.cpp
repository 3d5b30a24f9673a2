// SPDX-License-Identifier: Apache-2.0
// Lays out header, table and partitions of an `.om` file.
#include "executable/om_writer.h"

#include <algorithm>
#include <cstring>

#include "base/atomic_file.h"

namespace cairn {
namespace {

struct Partition {
  OmPartition type;
  std::span<const std::byte> bytes;
  uint64_t padded_bytes;
};

uint64_t RoundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::vector<Partition> Partitions(const OmContents& contents,
                                  std::span<const std::byte> inout_info) {
  std::vector<Partition> partitions;
  partitions.push_back({OmPartition::kInoutInfo, inout_info, inout_info.size()});
  partitions.push_back({OmPartition::kModelDef, contents.model_def, contents.model_def.size()});
  if (!contents.weights.empty()) {
    partitions.push_back({OmPartition::kWeights, contents.weights,
                          RoundUp(contents.weights.size(), kOmWeightAlign)});
  }
  if (!contents.weight_files.empty()) {
    partitions.push_back({OmPartition::kWeightFiles, contents.weight_files,
                          RoundUp(contents.weight_files.size(), kOmWeightAlign)});
  }
  if (!contents.task_info.empty()) {
    partitions.push_back({OmPartition::kTaskInfo, contents.task_info, contents.task_info.size()});
  }
  return partitions;
}

uint64_t TableBytes(size_t partitions) { return 8 + partitions * sizeof(OmPartitionEntry); }

std::vector<std::byte> Table(std::span<const Partition> partitions) {
  std::vector<std::byte> table(TableBytes(partitions.size()));
  const uint32_t count[2] = {static_cast<uint32_t>(partitions.size()), 0};
  std::memcpy(table.data(), count, sizeof(count));
  uint64_t offset = 0;
  for (size_t i = 0; i < partitions.size(); ++i) {
    const OmPartitionEntry entry{static_cast<uint32_t>(partitions[i].type), 0, offset,
                                 partitions[i].padded_bytes};
    std::memcpy(table.data() + TableBytes(i), &entry, sizeof(entry));
    offset += partitions[i].padded_bytes;
  }
  return table;
}

std::vector<std::byte> InoutInfo(const OmContents& contents) {
  return WriteInoutInfo(contents.inputs, contents.outputs, contents.shape_kind, contents.gears);
}

OmHeader Header(const OmContents& contents, uint64_t payload_bytes) {
  OmHeader header{};
  std::memcpy(header.magic, "IMOD", sizeof(header.magic));
  header.header_bytes = sizeof(header);
  header.version = kOmVersion;
  header.model_num = 1;
  header.payload_bytes = payload_bytes;
  header.is_dynamic = contents.shape_kind == ShapeKind::kOpen ? 1 : 0;
  contents.model_name.copy(header.name, sizeof(header.name) - 1);
  contents.platform_version.copy(header.platform_version, sizeof(header.platform_version) - 1);
  return header;
}

}  // namespace

uint64_t OmModelDefPadding(const OmContents& contents, uint64_t model_def_bytes) {
  const uint64_t inout_bytes = InoutInfo(contents).size();
  const uint64_t table_bytes =
      TableBytes(3 + (contents.weights.empty() ? 0 : 1) + (contents.weight_files.empty() ? 0 : 1));
  const uint64_t end = sizeof(OmHeader) + table_bytes + inout_bytes + model_def_bytes;
  return RoundUp(end, kOmPageBytes) - end;
}

Status WriteOmFile(const std::string& path, const OmContents& contents) {
  CAIRN_CHECK(
      contents.task_info.empty() || OmModelDefPadding(contents, contents.model_def.size()) == 0,
      "the model def does not end on a page boundary");
  const std::vector<std::byte> inout_info = InoutInfo(contents);
  const std::vector<Partition> partitions = Partitions(contents, inout_info);
  const std::vector<std::byte> table = Table(partitions);
  uint64_t payload_bytes = table.size();
  for (const Partition& partition : partitions) payload_bytes += partition.padded_bytes;
  OmHeader header = Header(contents, payload_bytes);
  if (!contents.task_info.empty()) {
    header.cairn_checksum = OmChecksum(header, table, inout_info);
  }

  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(std::as_bytes(std::span(&header, 1))));
  RETURN_IF_ERROR(file.Write(table));
  const std::vector<std::byte> zeros(kOmWeightAlign);
  for (const Partition& partition : partitions) {
    RETURN_IF_ERROR(file.Write(partition.bytes));
    const uint64_t missing = partition.padded_bytes - partition.bytes.size();
    RETURN_IF_ERROR(file.Write(std::span(zeros).first(missing)));
  }
  return file.Commit();
}

}  // namespace cairn
