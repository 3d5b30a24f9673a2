// SPDX-License-Identifier: Apache-2.0
// Plain C interface of libcairn_compiler.so: compiles one operator while a program runs.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

#define CAIRN_COMPILER_API_VERSION 1

/// An operand of an operator. `dtype` is a cairn::ElementType; undefined: an absent optional input.
struct CairnAbiOperand {
  int32_t dtype;
  int32_t rank;  ///< -1: unknown (outputs only).
  const int64_t* dims;
  const void* constant;  ///< Row-major elements known at compile time, or null.
  uint64_t constant_bytes;
};

/// Which field of CairnAbiAttribute holds the value.
enum CairnAbiAttributeKind : int32_t {
  kCairnAbiInt = 0,  ///< Bool too.
  kCairnAbiFloat = 1,
  kCairnAbiString = 2,
  kCairnAbiInts = 3,
  kCairnAbiFloats = 4,
};

struct CairnAbiAttribute {
  const char* name;
  int32_t kind;
  int64_t i;
  double f;
  const char* s;
  const int64_t* ints;
  const double* floats;
  uint64_t count;  ///< Of `ints` or `floats`.
};

/// An operator under its public name ("Add", "MatMul", "Conv2D").
struct CairnAbiOperator {
  const char* type;
  const CairnAbiOperand* inputs;
  uint64_t num_inputs;
  const CairnAbiOperand* outputs;
  uint64_t num_outputs;
  const CairnAbiAttribute* attributes;
  uint64_t num_attributes;
};

/// Receives the two parts of a compiled program; the memory is the compiler's.
typedef void (*CairnAbiProgramSink)(void* context, const void* program, uint64_t program_bytes,
                                    const void* weights, uint64_t weights_bytes);

/// Results of compile_operator.
enum CairnAbiCompileResult : int32_t {
  kCairnAbiCompiled = 0,
  kCairnAbiUnknownOperator = 1,
  kCairnAbiInvalidOperator = 2,  ///< Operands or attributes that the operator does not take.
  kCairnAbiNeedsConstant = 3,    ///< An input must be a constant.
  kCairnAbiFailed = 4,
};

struct CairnCompilerApi {
  uint32_t version;  ///< CAIRN_COMPILER_API_VERSION.
  /// Compiles for this machine and `num_cores` cores. The program's inputs are the present inputs
  /// without constants, in order. On failure a zero-terminated text is left in `error`. Thread-safe.
  int32_t (*compile_operator)(const CairnAbiOperator* op, int32_t num_cores,
                              CairnAbiProgramSink sink, void* context, char* error,
                              size_t error_bytes);
};

/// The one exported symbol; never null.
const CairnCompilerApi* cairn_compiler_api(void);
}
