// SPDX-License-Identifier: Apache-2.0
// Faults that depend on the data and can be found only while a kernel runs.
#pragma once

namespace cairn::kernels {

/// Returned by kernels that read indices or divide integers.
enum class Fault : int {
  kNone = 0,
  kIndexOutOfRange = 1,  ///< An index lies outside the axis it counts along.
  kDivisionByZero = 2,   ///< An integer was divided by zero; the quotient is stored as 0.
};

}  // namespace cairn::kernels
