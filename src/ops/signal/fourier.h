// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of any length in O(n log n), in double.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace cairn {

using Complex = std::complex<double>;

/// Transforms of one length; holds the twiddle factors. Powers of two by Cooley and Tukey, other
/// lengths by Bluestein's convolution.
class FourierTransform {
 public:
  FourierTransform(size_t length, bool inverse);

  size_t length() const { return length_; }
  /// X[k] = sum over n of x[n] e^(-+2 pi i k n / length); the inverse divides by the length.
  /// `x` has `length` elements and is replaced.
  void Run(std::vector<Complex>& x) const;

 private:
  void RunPowerOfTwo(std::vector<Complex>& x, bool inverse) const;
  void RunBluestein(std::vector<Complex>& x) const;

  size_t length_;
  bool inverse_;
  size_t padded_;                  ///< A power of two: the length, or that of the convolution.
  std::vector<Complex> twiddles_;  ///< e^(-2 pi i k / padded_) for k < padded_ / 2.
  std::vector<Complex> chirp_;     ///< e^(-+pi i n^2 / length); empty for powers of two.
  std::vector<Complex> kernel_;    ///< The transformed conjugate chirp.
};

}  // namespace cairn
