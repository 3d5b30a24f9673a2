// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of any length in O(n log n).
#include "ops/signal/fourier.h"

#include <bit>
#include <numbers>
#include <utility>

namespace cairn {
namespace {

Complex Turn(double numerator, double denominator) {
  return std::polar(1.0, -2 * std::numbers::pi * numerator / denominator);
}

}  // namespace

FourierTransform::FourierTransform(size_t length, bool inverse)
    : length_(length),
      inverse_(inverse),
      padded_(std::has_single_bit(length) ? length : std::bit_ceil(2 * length)) {
  for (size_t k = 0; k < padded_ / 2; ++k) {
    twiddles_.push_back(Turn(static_cast<double>(k), static_cast<double>(padded_)));
  }
  if (padded_ == length_) return;
  // n^2 modulo 2 length keeps the angle exact for long transforms.
  for (size_t n = 0; n < length_; ++n) {
    const auto square = static_cast<double>(n * n % (2 * length_));
    const Complex turn = Turn(square, 2 * static_cast<double>(length_));
    chirp_.push_back(inverse_ ? std::conj(turn) : turn);
  }
  kernel_.resize(padded_);
  for (size_t n = 0; n < length_; ++n) {
    kernel_[n] = std::conj(chirp_[n]);
    if (n > 0) kernel_[padded_ - n] = kernel_[n];
  }
  RunPowerOfTwo(kernel_, false);
}

void FourierTransform::RunPowerOfTwo(std::vector<Complex>& x, bool inverse) const {
  const size_t size = x.size();
  for (size_t i = 1, j = 0; i < size; ++i) {
    size_t bit = size >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (size_t half = 1; half < size; half *= 2) {
    const size_t step = size / (2 * half);
    for (size_t begin = 0; begin < size; begin += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const Complex turn = inverse ? std::conj(twiddles_[k * step]) : twiddles_[k * step];
        const Complex odd = x[begin + half + k] * turn;
        x[begin + half + k] = x[begin + k] - odd;
        x[begin + k] += odd;
      }
    }
  }
}

void FourierTransform::RunBluestein(std::vector<Complex>& x) const {
  std::vector<Complex> work(padded_);
  for (size_t n = 0; n < length_; ++n) work[n] = x[n] * chirp_[n];
  RunPowerOfTwo(work, false);
  for (size_t k = 0; k < padded_; ++k) work[k] *= kernel_[k];
  RunPowerOfTwo(work, true);
  for (size_t k = 0; k < length_; ++k) {
    x[k] = work[k] * chirp_[k] / static_cast<double>(padded_);
  }
}

void FourierTransform::Run(std::vector<Complex>& x) const {
  if (padded_ == length_) {
    RunPowerOfTwo(x, inverse_);
  } else {
    RunBluestein(x);
  }
  if (!inverse_) return;
  for (Complex& value : x) value /= static_cast<double>(length_);
}

}  // namespace cairn
