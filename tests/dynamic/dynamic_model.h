// SPDX-License-Identifier: Apache-2.0
// Tests that compile a small ONNX model and run it through the C API.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "compiler/compiler.h"

namespace cairn::testing {

/// The stored error text, empty when there is none.
std::string AclText();

/// Buffers of the test as a dataset.
class TestBuffers {
 public:
  TestBuffers() : dataset_(aclmdlCreateDataset()) {}
  ~TestBuffers();
  TestBuffers(const TestBuffers&) = delete;
  TestBuffers& operator=(const TestBuffers&) = delete;

  /// Appends memory of the test; null data and 0 bytes: the runtime allocates.
  TestBuffers& Add(void* data, size_t bytes);
  /// Sets the shape of buffer `index`.
  void SetShape(size_t index, const std::vector<int64_t>& dims);
  aclmdlDataset* get() const { return dataset_; }

 private:
  aclmdlDataset* dataset_;
};

/// A folder for models, and an initialised device.
class DynamicModelTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  /// Writes an ONNX model given in protobuf's text form without version and operator set. Every
  /// initializer without data is filled with seeded random numbers.
  void WriteModel(const std::string& name, const std::string& graph_text);

  /// Compiles `<model>.onnx` to `<name>.om` for this machine's instruction set.
  bool Compile(const std::string& model, const std::string& name,
               const std::map<std::string, Dims>& shapes, const compiler::GearOptions& gears = {},
               const compiler::OpenOptions& open = {});
  /// As Compile; the text of the report.
  const std::string& report_text() const { return report_text_; }

  uint32_t Load(const std::string& name);

  std::filesystem::path folder_;
  std::string report_text_;
};

/// `count` seeded numbers around 0.
std::vector<float> RandomFloats(size_t count, uint32_t seed);

/// A graph for WriteModel: x [N,3,H,W] through two convolutions to y [N,5] and z [N,8,H/2,W/2].
std::string ConvGraph(const std::string& n, const std::string& h, const std::string& w);

/// Gears of one input "x": `open` is its shape with -1.
compiler::GearOptions GearsOf(ShapeKind kind, const std::vector<int64_t>& open,
                              const std::vector<std::vector<int64_t>>& values);

}  // namespace cairn::testing
