// SPDX-License-Identifier: Apache-2.0
// The functions of unsupported_*.def. No header that declares them is included: they are defined
// without their parameters, which no calling convention of our platforms needs.
#include "api/refuse.h"

#define ACL_EXPORT extern "C" __attribute__((visibility("default")))
#define UNSUPPORTED(name, reason) \
  ACL_EXPORT int name() { return cairn::api::Refuse(#name, reason); }
#define UNSUPPORTED_VOID(name, reason) \
  ACL_EXPORT void name() { cairn::api::Refuse(#name, reason); }
#define UNSUPPORTED_VALUE(name, reason) \
  ACL_EXPORT void* name() {             \
    cairn::api::Refuse(#name, reason);  \
    return nullptr;                     \
  }
#include "api/unsupported_extras.def"
#include "api/unsupported_runtime.def"
