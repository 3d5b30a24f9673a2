// SPDX-License-Identifier: Apache-2.0
// Selects between the copies of a kernel table that Highway's foreach_target makes in one source file.
#pragma once

#include <hwy/highway.h>

#include "kernels/isa.h"

/// Defines, inside `#if HWY_ONCE`, the function body that returns the copy of `function` for `isa`,
/// or nullptr when this build has none. `function` is a function name or a table accessor in
/// HWY_NAMESPACE of the including namespace.
#if HWY_TARGETS & HWY_AVX3
#define CAIRN_AVX3_COPY(function) \
  case ::cairn::kernels::Isa::kAvx3: return &N_AVX3::function;
#else
#define CAIRN_AVX3_COPY(function)
#endif
#if HWY_TARGETS & HWY_AVX2
#define CAIRN_AVX2_COPY(function) \
  case ::cairn::kernels::Isa::kAvx2: return &N_AVX2::function;
#else
#define CAIRN_AVX2_COPY(function)
#endif
#if HWY_TARGETS & HWY_NEON
#define CAIRN_NEON_COPY(function) \
  case ::cairn::kernels::Isa::kNeon: return &N_NEON::function;
#else
#define CAIRN_NEON_COPY(function)
#endif
#define CAIRN_SELECT(isa, function)  \
  switch (isa) {                     \
    CAIRN_AVX3_COPY(function)        \
    CAIRN_AVX2_COPY(function)        \
    CAIRN_NEON_COPY(function)        \
    default: return nullptr;         \
  }
