// SPDX-License-Identifier: Apache-2.0
// Programs of the element-wise engine: a short list of instructions applied to every element.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/status.h"

namespace cairn::kernels {

/// Operations on f32 values. Truth values are 1 and 0; any value other than 0, NaN too, is true.
/// Values are part of the file format; append only.
enum class EltOp : uint8_t {
  kCopy = 0,
  // a op b
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMin,
  kMax,  // Min and max return NaN when an argument is NaN.
  kPow,
  kMulAdd,  ///< a * b + c with one rounding.
  // Of a alone.
  kNeg,
  kAbs,
  kSign,
  kSqrt,
  kRsqrt,
  kReciprocal,
  kSquare,
  kCube,
  kFloor,
  kCeil,
  kRound,
  kTrunc,  // Round: ties to even.
  kExp,
  kExpm1,
  kLog,
  kSin,
  kCos,
  kTanh,
  kErf,
  kSigmoid,
  kRelu,
  kGelu,
  kGeluTanh,
  kSilu,
  kMish,
  kSoftplus,
  kSoftsign,
  kHardSwish,
  // With parameters b and c.
  kLeakyRelu,        ///< a < 0 ? a * b : a; with a tensor as b it is PRelu.
  kClip,             ///< min(max(a, b), c); NaN stays.
  kHardSigmoid,      ///< clip(a * b + c, 0, 1).
  kElu,              ///< a < 0 ? b * expm1(a) : a.
  kSelu,             ///< c * (a < 0 ? b * expm1(a) : a).
  kCelu,             ///< a < 0 ? b * expm1(a / b) : a.
  kThresholdedRelu,  ///< a > b ? a : 0.
  // Truth values.
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kNot,
  kAnd,
  kOr,
  kXor,
  kIsNan,
  kIsInf,
  kWhere,  ///< a is true ? b : c.
  // Of a alone: the nearest value of a smaller type, as f32.
  kRoundF16,
  kRoundBf16,
  kCount,
};

/// Number of arguments an operation reads (1 to 3).
int EltOpArity(EltOp op);

/// Value numbers of a program: inputs, constants and temporaries have one number space.
inline constexpr int kEltMaxInputs = 16, kEltMaxOutputs = 4;
inline constexpr int kEltMaxConstants = 32, kEltMaxTemps = 24, kEltMaxInstructions = 64;
inline constexpr int kEltConstant0 = kEltMaxInputs;
inline constexpr int kEltTemp0 = kEltConstant0 + kEltMaxConstants;
inline constexpr int kEltNumValues = kEltTemp0 + kEltMaxTemps;

struct EltInstruction {
  EltOp op;
  uint8_t dst;  ///< A temporary.
  uint8_t a, b, c;
};

/// Plain data. Instructions run in order; each may overwrite one of its own arguments.
struct EltProgram {
  int32_t num_inputs, num_outputs, num_constants, num_instructions;
  std::array<uint8_t, kEltMaxOutputs> outputs;  ///< The value that becomes output i.
  std::array<float, kEltMaxConstants> constants;
  std::array<EltInstruction, kEltMaxInstructions> code;
};

/// Fails unless all counts and numbers are in range, temporaries are written before they are read,
/// and a temporary that is an output is written exactly once and is one output only.
Status ValidateProgram(const EltProgram& program);

/// True when output `output` may be computed into the memory of input `input`: no instruction after
/// the one that computes the output, and no other output's copy, reads the input.
bool MayAlias(const EltProgram& program, int output, int input);

/// Builds a program from values in single-assignment form and packs temporaries into few registers.
class EltProgramBuilder {
 public:
  using Value = int;
  Value Input();
  Value Constant(float value);
  Value Emit(EltOp op, Value a, Value b = -1, Value c = -1);
  void Output(Value value);
  /// Fails when a limit of EltProgram is exceeded.
  Result<EltProgram> Build() const;

 private:
  enum class Kind : uint8_t { kInput, kConstant, kResult };
  struct Node {
    Kind kind;
    EltOp op = EltOp::kCopy;
    Value args[3] = {-1, -1, -1};
    int index = 0;  // Of the input or constant.
  };
  std::vector<Node> nodes_;
  std::vector<float> constants_;
  std::vector<Value> outputs_;
  int num_inputs_ = 0;
};

}  // namespace cairn::kernels
