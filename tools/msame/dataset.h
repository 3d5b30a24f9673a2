// SPDX-License-Identifier: Apache-2.0
// A dataset together with the device memory behind its buffers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "msame/model.h"
#include "msame/options.h"

namespace msame {

/// Owns dataset, buffers and device memory.
class Dataset {
 public:
  Dataset() : dataset_(aclmdlCreateDataset()) {}
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  /// Appends `bytes` of device memory, optionally zeroed. False after a printed failure.
  bool AppendMemory(size_t bytes, bool clear);
  /// Appends a buffer whose memory the execution allocates. False after a printed failure.
  bool AppendEmpty();
  /// Frees what executions allocated, so that the next one can.
  void ReleaseAllocated();
  /// Appends the content of a file. False after a printed failure.
  bool AppendFile(const std::string& path);

  aclmdlDataset* get() const { return dataset_; }

 private:
  bool Append(void* memory, size_t bytes);

  aclmdlDataset* dataset_;
  std::vector<void*> memory_;
  std::vector<aclDataBuffer*> empty_;  // Buffers that executions fill.
};

/// Fills `dataset` with one buffer per input: the files, plus a buffer at the place of the gear
/// input (when `gear_input` is set), or zeros for every input when `files` is empty.
bool FillInputs(const Model& model, const std::vector<std::string>& files,
                std::optional<size_t> gear_input, Dataset& dataset);

/// One buffer per output, of the described size or the sizes of --outputSize.
bool FillOutputs(const Model& model, const Options& options, Dataset& dataset);

}  // namespace msame
