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

#if defined(__x86_64__)
namespace {

// Every CPU with AVX2 and FMA has F16C, LZCNT and MOVBE, which clang's builtin does not name.
bool HasX86V3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

}  // namespace
#endif

bool IsaAvailable(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::kAvx2: return HasX86V3();
    case Isa::kAvx3: return HasX86V3() && HasAvx512();
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
