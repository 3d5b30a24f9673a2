// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for names of files by their contents.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cairn {

/// 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::span<const std::byte> bytes);

}  // namespace cairn
