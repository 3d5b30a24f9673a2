// SPDX-License-Identifier: Apache-2.0
// Plain C interface of libcairn_specializer.so: plans a model of open shapes for concrete ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/reference_api.h"

extern "C" {

#define CAIRN_SPECIALIZER_API_VERSION 1

/// A run of nodes whose shapes are all known, as a static program. Values are named by number.
struct CairnStage {
  const void* program;  ///< Serialised; null when there is nothing to compute.
  size_t program_bytes;
  const uint32_t* inputs;  ///< Value of each program input.
  size_t num_inputs;
  const uint32_t* outputs;  ///< Value of each program output.
  size_t num_outputs;
  uint32_t end;  ///< The node that comes next: its results' shapes depend on data.
};

/// Receives the result `value` of an evaluated node; returns memory for its bytes, or null.
typedef void* (*CairnResultFn)(void* context, uint32_t value, const CairnAbiTensor* type);

/// Functions return 0 on success; on failure a zero-terminated text is left in `error`. Values that
/// do not exist yet have rank -1. One thread at a time per handle.
struct CairnSpecializerApi {
  uint32_t version;  ///< CAIRN_SPECIALIZER_API_VERSION.
  /// Reads the model. Both blocks of bytes must outlive the handle.
  int (*create)(const void* program, size_t program_bytes, const void* weights, size_t weight_bytes,
                void** handle, char* error, size_t error_bytes);
  void (*counts)(const void* handle, uint32_t* num_values, uint32_t* num_nodes);
  /// The values that are the model's inputs or outputs, in order.
  void (*model_values)(const void* handle, int outputs, const uint32_t** values, size_t* count);
  /// Plans the stage that begins at `node` for the shapes of `values`. *stage belongs to the handle
  /// until `release`.
  int (*plan)(void* handle, uint32_t node, const CairnAbiTensor* values, const CairnStage** stage,
              char* error, size_t error_bytes);
  void (*release)(void* handle, const CairnStage* stage);
  /// Computes one node by its reference semantics from the data of `values`.
  int (*evaluate)(void* handle, uint32_t node, const CairnAbiTensor* values, CairnResultFn result,
                  void* context, char* error, size_t error_bytes);
  void (*destroy)(void* handle);
};

/// The one exported symbol; never null.
const CairnSpecializerApi* cairn_specializer_api(void);
}
