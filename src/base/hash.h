// SPDX-License-Identifier: Apache-2.0
// A fast 64-bit content hash for checksums and cache keys; not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cairn {

/// Mixes eight bytes at a time with a multiply-and-fold step; the last bytes are zero-extended and
/// the length enters the result. Values are part of the file format.
inline uint64_t HashBytes(std::span<const std::byte> bytes, uint64_t seed = 0) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15u;
  auto mix = [](uint64_t a, uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  uint64_t hash = seed ^ (bytes.size() * kMultiplier) ^ 0xD6E8FEB86659FD93u;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    hash = mix(hash ^ word, kMultiplier) + i;
  }
  uint64_t tail = 0;
  if (i < bytes.size()) std::memcpy(&tail, bytes.data() + i, bytes.size() - i);
  return mix(hash ^ tail, kMultiplier ^ bytes.size());
}

}  // namespace cairn
