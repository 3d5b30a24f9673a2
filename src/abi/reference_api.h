// SPDX-License-Identifier: Apache-2.0
// Plain C interface of libcairn_reference.so: executes one operator by its reference semantics.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

#define CAIRN_REFERENCE_API_VERSION 1

/// A dense row-major tensor in memory of the caller. `dtype` is a cairn::ElementType.
struct CairnAbiTensor {
  int32_t dtype;
  int32_t rank;
  const int64_t* dims;
  void* data;
  uint64_t bytes;
};

/// Functions return 0 on success; on failure a zero-terminated text is left in `error`.
struct CairnReferenceApi {
  uint32_t version;  ///< CAIRN_REFERENCE_API_VERSION.
  /// Parses the text form of a graph (one operator, normally); *handle is released with destroy.
  int (*create)(const char* graph_text, size_t length, void** handle, char* error,
                size_t error_bytes);
  /// Runs it. Inputs in graph-input order; outputs must have exactly the shapes and types the run
  /// produces and are overwritten. Thread-safe on one handle.
  int (*run)(const void* handle, const CairnAbiTensor* inputs, size_t num_inputs,
             const CairnAbiTensor* outputs, size_t num_outputs, char* error, size_t error_bytes);
  void (*destroy)(void* handle);
};

/// The one exported symbol; never null.
const CairnReferenceApi* cairn_reference_api(void);
}
