// SPDX-License-Identifier: Apache-2.0
// The command line of msame.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace msame {

/// One entry of --dymShape: the dims of the input with that name.
struct NamedDims {
  std::string name;
  std::vector<int64_t> dims;
};

struct Options {
  std::string model;
  std::vector<std::string> inputs;  ///< Files, or one directory per input; empty = all-zero inputs.
  std::string output;
  bool text_output = false;
  int loop = 1;
  int device = 0;
  bool debug = false;
  bool profiler = false;
  bool dump = false;
  bool has_batch = false;
  uint64_t batch = 0;
  bool has_image_size = false;
  std::vector<uint64_t> image_size;  ///< --dymHW: height, width.
  std::vector<int64_t> dims;         ///< --dymDims: all numbers, in the given order.
  std::vector<NamedDims> shapes;     ///< --dymShape.
  std::vector<size_t> output_sizes;  ///< --outputSize, bytes per output.

  bool inputs_are_files() const {
    return inputs.empty() || inputs[0].find(".bin") != std::string::npos;
  }
  /// The model's file name without folder and last extension.
  std::string model_stem() const;
};

struct ExitCode {
  int value;
};

/// The options, or the status the process ends with after the message printed here.
std::variant<Options, ExitCode> ParseOptions(int argc, char** argv);

}  // namespace msame
