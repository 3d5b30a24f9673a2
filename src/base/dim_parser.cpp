// SPDX-License-Identifier: Apache-2.0
// Reads the text form of symbolic dimensions.
#include <cctype>

#include "base/dim.h"

namespace cairn {
namespace {

/// Recursive descent over: sum = product (('+'|'-') product)*; product = factor (('*'|'/'|'%')
/// factor)*.
class DimParser {
 public:
  explicit DimParser(std::string_view text) : text_(text) {}

  Result<Dim> Run() {
    ASSIGN_OR_RETURN(Dim dim, Sum(0));
    Skip();
    if (pos_ != text_.size()) return Fail("unexpected text");
    if (dim.overflowed()) return Fail("too large");
    return dim;
  }

 private:
  static constexpr int kMaxDepth = 64;

  Status Fail(std::string_view what) const {
    return Status(Code::kInvalidArgument,
                  StrCat("dimension '", text_, "': ", what, " at column ", pos_ + 1));
  }
  void Skip() {
    while (pos_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[pos_]))) ++pos_;
  }
  bool Take(char c) {
    Skip();
    if (pos_ >= text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }

  Result<Dim> Sum(int depth) {
    if (depth > kMaxDepth) return Fail("nesting too deep");
    ASSIGN_OR_RETURN(Dim left, Product(depth));
    while (true) {
      if (Take('+')) {
        ASSIGN_OR_RETURN(Dim right, Product(depth));
        left = left + right;
      } else if (Take('-')) {
        ASSIGN_OR_RETURN(Dim right, Product(depth));
        left = left - right;
      } else {
        return left;
      }
    }
  }

  Result<Dim> Product(int depth) {
    ASSIGN_OR_RETURN(Dim left, Factor(depth));
    while (true) {
      if (Take('*')) {
        ASSIGN_OR_RETURN(Dim right, Factor(depth));
        left = left * right;
      } else if (Take('/')) {
        ASSIGN_OR_RETURN(Dim right, Factor(depth));
        left = Dim::FloorDiv(left, right);
      } else if (Take('%')) {
        ASSIGN_OR_RETURN(Dim right, Factor(depth));
        left = Dim::Mod(left, right);
      } else {
        return left;
      }
    }
  }

  Result<Dim> Factor(int depth) {
    if (depth > kMaxDepth) return Fail("nesting too deep");
    if (Take('-')) {
      ASSIGN_OR_RETURN(Dim value, Factor(depth + 1));
      return Dim(0) - value;
    }
    if (Take('(')) {
      ASSIGN_OR_RETURN(Dim value, Sum(depth + 1));
      if (!Take(')')) return Fail("expected ')'");
      return value;
    }
    Skip();
    if (pos_ >= text_.size()) return Fail("expected a number or a name");
    if (std::isdigit(static_cast<unsigned char>(text_[pos_]))) return Number();
    return NameOrCall(depth);
  }

  Result<Dim> Number() {
    int64_t value = 0;
    while (pos_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[pos_]))) {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, text_[pos_] - '0', &value)) {
        return Fail("number out of range");
      }
      ++pos_;
    }
    return Dim(value);
  }

  Result<Dim> NameOrCall(int depth) {
    const size_t begin = pos_;
    auto is_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '?';
    };
    while (pos_ < text_.size() && is_name(text_[pos_])) ++pos_;
    if (pos_ == begin) return Fail("expected a number or a name");
    const std::string name(text_.substr(begin, pos_ - begin));
    if (!Take('(')) return Dim::Symbol(name);
    ASSIGN_OR_RETURN(Dim a, Sum(depth + 1));
    if (!Take(',')) return Fail("expected ','");
    ASSIGN_OR_RETURN(Dim b, Sum(depth + 1));
    if (!Take(')')) return Fail("expected ')'");
    if (name == "floordiv") return Dim::FloorDiv(a, b);
    if (name == "ceildiv") return Dim::CeilDiv(a, b);
    if (name == "mod") return Dim::Mod(a, b);
    if (name == "max") return Dim::Max(a, b);
    if (name == "min") return Dim::Min(a, b);
    return Fail(StrCat("unknown function '", name, "'"));
  }

  std::string_view text_;
  size_t pos_ = 0;
};

}  // namespace

Result<Dim> Dim::Parse(std::string_view text) { return DimParser(text).Run(); }

}  // namespace cairn
