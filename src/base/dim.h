// SPDX-License-Identifier: Apache-2.0
// Symbolic dimension: an integer, or an integer expression over named symbols, in canonical form.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn {

/// Immutable value type. Expressions are sums of products of atoms; an atom is a symbol or one of
/// floordiv, max, min of two expressions. Equal expressions compare equal: 2*T+T == 3*T,
/// floordiv(4*N+2, 2) == 2*N+1. Symbols stand for non-negative integers. Arithmetic wraps in no case:
/// leaving int64, or 16 KiB of text, gives the invalid dimension (`overflowed()`).
class Dim {
 public:
  Dim() = default;                      ///< The constant 0.
  Dim(int64_t value) : value_(value) {}  // NOLINT: implicit by design
  static Dim Symbol(std::string name);
  /// The result of an overflow; contagious, equal to nothing.
  static Dim Overflowed();
  /// Reads the form written by ToString: + - *, parentheses, `/` (floor division), `%`,
  /// floordiv(a,b), ceildiv(a,b), mod(a,b), max(a,b), min(a,b), symbols [A-Za-z_?][A-Za-z0-9_.?]*.
  static Result<Dim> Parse(std::string_view text);

  bool is_const() const { return expr_ == nullptr; }
  bool overflowed() const;
  int64_t value() const { return value_; }  ///< Only when is_const().
  /// The symbol's name when the expression is a single symbol.
  std::optional<std::string> symbol() const;
  /// Names of all symbols, sorted, each once.
  std::vector<std::string> Symbols() const;

  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  friend bool operator==(const Dim& a, const Dim& b);

  /// floor(a / b); b must not be the constant 0 (gives Overflowed).
  static Dim FloorDiv(const Dim& a, const Dim& b);
  static Dim CeilDiv(const Dim& a, const Dim& b);
  /// a - b * floor(a / b).
  static Dim Mod(const Dim& a, const Dim& b);
  static Dim Max(const Dim& a, const Dim& b);
  static Dim Min(const Dim& a, const Dim& b);
  /// a / b when b divides a as a polynomial without remainder.
  static std::optional<Dim> ExactDiv(const Dim& a, const Dim& b);

  /// The value for given symbol values; fails for a missing symbol, a division by 0, an overflow.
  Result<int64_t> Evaluate(const std::map<std::string, int64_t>& symbols) const;
  /// Replaces symbols by expressions; symbols without an entry stay.
  Dim Substitute(const std::map<std::string, Dim>& symbols) const;

  std::string ToString() const;

  struct Expr;

 private:
  friend struct DimBuilder;
  int64_t value_ = 0;
  std::shared_ptr<const Expr> expr_;
};

inline std::ostream& operator<<(std::ostream& out, const Dim& dim) { return out << dim.ToString(); }

using Dims = std::vector<Dim>;

/// "[1,3,H,W]".
std::string DimsToString(const Dims& dims);
/// The values when all are constant.
std::optional<std::vector<int64_t>> ConstDims(const Dims& dims);

}  // namespace cairn
