// SPDX-License-Identifier: Apache-2.0
// Instruction sets that kernels are compiled for, and what the running CPU can execute.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::kernels {

/// Values are part of the file format; append only.
enum class Isa : uint8_t {
  kAvx2 = 0,  ///< x86-64-v3: AVX2, FMA, F16C; 8 floats.
  kAvx3 = 1,  ///< x86-64-v4: AVX-512 F/BW/DQ/VL; 16 floats.
  kNeon = 2,  ///< Armv8.2-A; 4 floats.
};

/// "x86-64-v3", "x86-64-v4", "armv8.2".
const char* IsaName(Isa isa);
std::optional<Isa> ParseIsa(std::string_view name);

/// Floats of one vector: the channel block C0 of the blocked layouts and of packed weights.
int VectorFloats(Isa isa);

/// True when this build has kernels for `isa` and the running CPU executes them.
bool IsaAvailable(Isa isa);
/// The best available one; nothing when this CPU has none of them.
std::optional<Isa> BestIsa();

}  // namespace cairn::kernels
