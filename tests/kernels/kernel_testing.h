// SPDX-License-Identifier: Apache-2.0
// Buffers, random values and comparisons shared by the kernel tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

inline std::vector<Isa> AvailableIsas() {
  std::vector<Isa> isas;
  for (Isa isa : {Isa::kAvx2, Isa::kAvx3, Isa::kNeon}) {
    if (IsaAvailable(isa)) isas.push_back(isa);
  }
  return isas;
}

/// 64-byte aligned floats between guard zones; CheckGuards fails when a kernel wrote outside.
class Buffer {
 public:
  explicit Buffer(int64_t size, float fill = 0.0f) : size_(size) {
    const size_t bytes = (size + 2 * kGuard) * sizeof(float) / 64 * 64 + 64;
    storage_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
    std::fill_n(storage_.get(), kGuard, kGuardValue);
    std::fill_n(data(), size, fill);
    std::fill_n(data() + size, kGuard, kGuardValue);
  }
  float* data() { return storage_.get() + kGuard; }
  const float* data() const { return storage_.get() + kGuard; }
  int64_t size() const { return size_; }
  float& operator[](int64_t i) { return data()[i]; }
  float operator[](int64_t i) const { return data()[i]; }

  void FillRandom(std::mt19937& random) {
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    for (int64_t i = 0; i < size_; ++i) data()[i] = uniform(random);
  }
  void CheckGuards() const {
    for (int64_t i = 0; i < kGuard; ++i) {
      ASSERT_EQ(storage_.get()[i], kGuardValue) << "write before the buffer";
      ASSERT_EQ(data()[size_ + i], kGuardValue) << "write after the buffer";
    }
  }

 private:
  static constexpr int64_t kGuard = 32;
  static constexpr float kGuardValue = 12345.0f;
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  int64_t size_;
  std::unique_ptr<float[], Free> storage_;
};

inline bool SameBits(const Buffer& a, const Buffer& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Runs every phase as `count` shares one after another, as threads with a barrier would.
inline void RunParts(int phases, int count, const std::function<void(int, Part)>& run) {
  for (int phase = 0; phase < phases; ++phase) {
    for (int i = count - 1; i >= 0; --i) run(phase, {i, count});
  }
}

/// Expects rms error <= 5e-6 and maximum error <= 1e-4, both relative to the rms of `expected`.
inline void ExpectClose(const std::vector<double>& expected, const std::vector<float>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  double squares = 0, error_squares = 0, most = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(expected[i] - actual[i]);
    ASSERT_FALSE(std::isnan(error))
        << "at " << i << " expected " << expected[i] << " found " << actual[i];
    squares += expected[i] * expected[i];
    error_squares += error * error;
    most = std::max(most, error);
  }
  const double rms = std::sqrt(squares / expected.size()) + 1e-30;
  EXPECT_LE(std::sqrt(error_squares / expected.size()), 5e-6 * rms);
  EXPECT_LE(most, 1e-4 * rms);
}

}  // namespace cairn::kernels
