// SPDX-License-Identifier: Apache-2.0
// CPU detection for the instruction sets of the kernels.
#include "kernels/isa.h"

namespace cairn::kernels {

const char* IsaName(Isa isa) {
  switch (isa) {
    case Isa::kAvx2: return "x86-64-v3";
    case Isa::kAvx3: return "x86-64-v4";
    case Isa::kNeon: return "armv8.2";
  }
  return "unknown";
}

std::optional<Isa> ParseIsa(std::string_view name) {
  for (Isa isa : {Isa::kAvx2, Isa::kAvx3, Isa::kNeon}) {
    if (name == IsaName(isa)) return isa;
  }
  return std::nullopt;
}

int VectorFloats(Isa isa) {
  switch (isa) {
    case Isa::kAvx2: return 8;
    case Isa::kAvx3: return 16;
    case Isa::kNeon: return 4;
  }
  return 1;
}

bool IsaAvailable(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::kAvx2: return __builtin_cpu_supports("x86-64-v3");
    case Isa::kAvx3: return __builtin_cpu_supports("x86-64-v4");
    case Isa::kNeon: return false;
  }
  return false;
#elif defined(__aarch64__)
  return isa == Isa::kNeon;
#else
  return false;
#endif
}

std::optional<Isa> BestIsa() {
  for (Isa isa : {Isa::kAvx3, Isa::kAvx2, Isa::kNeon}) {
    if (IsaAvailable(isa)) return isa;
  }
  return std::nullopt;
}

}  // namespace cairn::kernels
