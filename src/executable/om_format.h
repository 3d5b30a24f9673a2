// SPDX-License-Identifier: Apache-2.0
// The public `.om` container: header, partition table, partition types, input/output records.
//
// File: header (256 bytes), table, partitions back to back in table order. All integers little
// endian. Ours are written with the 64-bit table in the order inout info, model def, weights, task
// info; a padding attribute inside the model def puts the weights on a 4 KiB boundary of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "base/status.h"
#include "executable/program.h"

namespace cairn {

struct OmHeader {
  char magic[4];              ///< "IMOD".
  uint32_t header_bytes;      ///< 256.
  uint32_t version;           ///< kOmVersion.
  uint8_t signature[64];      ///< 0.
  uint32_t legacy_length;     ///< Payload bytes of files with the 32-bit table, else 0.
  uint8_t is_encrypted;       ///< 0.
  uint8_t has_checksum;       ///< 0.
  uint8_t model_type;         ///< 0: one plain model.
  uint8_t generation_mode;    ///< 0: offline.
  char name[32];              ///< Zero-terminated.
  uint32_t ops;               ///< 0.
  uint8_t user_info[32];      ///< 0.
  uint32_t ir_version;        ///< 0.
  uint32_t model_num;         ///< 1.
  char platform_version[20];  ///< Zero-terminated.
  uint8_t platform_type;      ///< 0.
  uint8_t padding[3];         ///< 0.
  uint64_t payload_bytes;     ///< File size - 256; 0 in files with the 32-bit table.
  uint8_t needs_host_check;   ///< 0.
  uint8_t is_dynamic;         ///< 1: shapes are open; gears count as static.
  uint8_t reserved[54];       ///< 0.
  uint64_t cairn_checksum;    ///< Ours: OmChecksum(); reserved and 0 in other files.
};
static_assert(sizeof(OmHeader) == 256);

inline constexpr uint32_t kOmVersion = 0x20000000;
inline constexpr uint64_t kOmPageBytes = 4096;  ///< Alignment of the weights in the file.
inline constexpr uint64_t kOmWeightAlign = 64;  ///< Alignment of weights and program in memory.

enum class OmPartition : uint32_t {
  kModelDef = 0,
  kWeights = 1,
  kTaskInfo = 2,  ///< Ours: the serialised Program.
  kInoutInfo = 8,
  kWeightFiles = 11,  ///< Ours: where external weights lie (executable/weight_files.h).
};

/// One record of the 64-bit partition table, after {u32 count, u32 0}.
struct OmPartitionEntry {
  uint32_t type;
  uint32_t padding;
  uint64_t offset;  ///< From the end of the table.
  uint64_t size;
};
static_assert(sizeof(OmPartitionEntry) == 24);

/// An input or output as the public records describe it.
struct OmTensorInfo {
  std::string name;
  ElementType dtype = ElementType::kUndefined;
  int32_t format = 2;  ///< 0 NCHW, 1 NHWC, 2 ND.
  uint64_t bytes = 0;
  std::vector<int64_t> dims;
};

/// The public number of an element type (aclDataType); 28 (undefined) for types without one.
int32_t PublicDataType(ElementType dtype);

/// The partition MODEL_INOUT_INFO: tag-length-value blocks, 0 for inputs, 1 for outputs, 2 to 4 for
/// the values of gears (batch, image size, dims).
std::vector<std::byte> WriteInoutInfo(std::span<const OmTensorInfo> inputs,
                                      std::span<const OmTensorInfo> outputs,
                                      ShapeKind kind = ShapeKind::kStatic,
                                      std::span<const ProgramGear> gears = {});

/// Checksum over the header in front of its checksum field, the table, and the inout info.
uint64_t OmChecksum(const OmHeader& header, std::span<const std::byte> table,
                    std::span<const std::byte> inout_info);

}  // namespace cairn
