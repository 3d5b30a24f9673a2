// SPDX-License-Identifier: Apache-2.0
// The frame around a serialised program: magic, size, checksum.
#pragma once

#include <cstdint>

namespace cairn {

/// 32 bytes in front of the FlatBuffers data, little endian.
struct ProgramFrame {
  char magic[8];           ///< kProgramMagic.
  uint32_t frame_version;  ///< 1.
  uint32_t reserved;       ///< 0.
  uint64_t data_bytes;     ///< Of the FlatBuffers data; programs of gears follow.
  uint64_t checksum;       ///< HashBytes of those.
};
static_assert(sizeof(ProgramFrame) == 32);

/// Programs of gears start at multiples of this.
inline constexpr uint64_t kGearAlignment = 64;

inline constexpr char kProgramMagic[8] = {'C', 'A', 'I', 'R', 'N', 'P', 'R', 'G'};

}  // namespace cairn
