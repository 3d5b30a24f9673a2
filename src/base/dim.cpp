// SPDX-License-Identifier: Apache-2.0
// Canonical arithmetic of symbolic dimensions.
#include "base/dim.h"

#include <algorithm>
#include <set>

namespace cairn {

/// What an atom stands for.
enum class AtomKind : uint8_t { kSymbol, kFloorDiv, kMax, kMin };

struct Atom {
  AtomKind kind;
  std::string key;  ///< Canonical text; equal atoms have equal keys.
  Dim a, b;         ///< Operands of functions.
};

struct Term {
  std::vector<Atom> atoms;  ///< Sorted by key.
  int64_t coefficient = 0;
};

/// constant + sum of terms, keyed by the product's text. An empty map with `overflow` false does
/// not occur: such a value is stored as a plain constant.
struct Dim::Expr {
  int64_t constant = 0;
  std::map<std::string, Term> terms;
  bool overflow = false;
};

/// Access to the representation for the functions of this file.
struct DimBuilder {
  static const Dim::Expr* Get(const Dim& dim) { return dim.expr_.get(); }

  /// Products and remainders of sums multiply their terms: what grows without bound is no dimension
  /// of a model. The keys together; the canonical text is a little longer.
  static constexpr size_t kMaxText = 16384;

  static size_t TextBytes(const Dim::Expr& expr) {
    size_t bytes = 0;
    for (const auto& [key, term] : expr.terms) bytes += key.size() + 1;
    return bytes;
  }

  static Dim Make(Dim::Expr expr) {
    if (expr.overflow || TextBytes(expr) > kMaxText) return Dim::Overflowed();
    std::erase_if(expr.terms, [](const auto& entry) { return entry.second.coefficient == 0; });
    if (expr.terms.empty()) return Dim(expr.constant);
    Dim dim;
    dim.expr_ = std::make_shared<const Dim::Expr>(std::move(expr));
    return dim;
  }

  static Dim MakeOverflow() {
    static const auto expr = std::make_shared<const Dim::Expr>(Dim::Expr{0, {}, true});
    Dim dim;
    dim.expr_ = expr;
    return dim;
  }

  static Dim::Expr Expand(const Dim& dim) {
    if (dim.expr_) return *dim.expr_;
    return Dim::Expr{dim.value_, {}, false};
  }

  static Dim FromAtom(Atom atom) {
    Dim::Expr expr;
    std::string key = atom.key;
    expr.terms[key] = Term{{std::move(atom)}, 1};
    return Make(std::move(expr));
  }
};

namespace {

std::string KeyOf(const std::vector<Atom>& atoms) {
  std::string key;
  for (const Atom& atom : atoms) {
    if (!key.empty()) key += '*';
    key += atom.key;
  }
  return key;
}

void AddTerm(Dim::Expr& expr, const std::string& key, const Term& term) {
  auto [it, inserted] = expr.terms.try_emplace(key, term);
  if (inserted) return;
  if (__builtin_add_overflow(it->second.coefficient, term.coefficient, &it->second.coefficient)) {
    expr.overflow = true;
  }
}

Dim Function(AtomKind kind, const char* name, const Dim& a, const Dim& b) {
  std::string key = StrCat(name, "(", a, ",", b, ")");
  if (key.size() > DimBuilder::kMaxText) return Dim::Overflowed();
  return DimBuilder::FromAtom(Atom{kind, std::move(key), a, b});
}

int64_t FloorDivInt(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

bool SafeDivisor(int64_t a, int64_t b) { return b != 0 && !(a == INT64_MIN && b == -1); }

/// Removes `divisor`'s atoms from `atoms`; false when one is missing.
bool RemoveAtoms(std::vector<Atom>& atoms, const std::vector<Atom>& divisor) {
  for (const Atom& atom : divisor) {
    auto it = std::find_if(atoms.begin(), atoms.end(),
                           [&](const Atom& other) { return other.key == atom.key; });
    if (it == atoms.end()) return false;
    atoms.erase(it);
  }
  return true;
}

/// The sign of a - b for all non-negative symbol values, when it is the same for all: 1 means
/// a >= b, -1 means a <= b.
std::optional<int> CompareAlways(const Dim& a, const Dim& b) {
  const Dim difference = a - b;
  if (difference.overflowed()) return std::nullopt;
  const Dim::Expr expr = DimBuilder::Expand(difference);
  bool non_negative = expr.constant >= 0, non_positive = expr.constant <= 0;
  for (const auto& [key, term] : expr.terms) {
    for (const Atom& atom : term.atoms) {
      if (atom.kind != AtomKind::kSymbol) return std::nullopt;
    }
    non_negative = non_negative && term.coefficient >= 0;
    non_positive = non_positive && term.coefficient <= 0;
  }
  if (non_negative) return 1;
  if (non_positive) return -1;
  return std::nullopt;
}

}  // namespace

Dim Dim::Symbol(std::string name) {
  return DimBuilder::FromAtom(Atom{AtomKind::kSymbol, std::move(name), {}, {}});
}

Dim Dim::Overflowed() { return DimBuilder::MakeOverflow(); }
bool Dim::overflowed() const { return expr_ && expr_->overflow; }

std::optional<std::string> Dim::symbol() const {
  if (!expr_ || expr_->overflow || expr_->constant != 0 || expr_->terms.size() != 1) return {};
  const Term& term = expr_->terms.begin()->second;
  if (term.coefficient != 1 || term.atoms.size() != 1 || term.atoms[0].kind != AtomKind::kSymbol) {
    return {};
  }
  return term.atoms[0].key;
}

std::vector<std::string> Dim::Symbols() const {
  std::set<std::string> names;
  if (expr_) {
    for (const auto& [key, term] : expr_->terms) {
      for (const Atom& atom : term.atoms) {
        if (atom.kind == AtomKind::kSymbol) names.insert(atom.key);
        for (const Dim* operand : {&atom.a, &atom.b}) {
          for (std::string& name : operand->Symbols()) names.insert(std::move(name));
        }
      }
    }
  }
  return {names.begin(), names.end()};
}

Dim operator+(const Dim& a, const Dim& b) {
  if (a.overflowed() || b.overflowed()) return Dim::Overflowed();
  if (a.is_const() && b.is_const()) {
    int64_t sum;
    return __builtin_add_overflow(a.value_, b.value_, &sum) ? Dim::Overflowed() : Dim(sum);
  }
  Dim::Expr sum = DimBuilder::Expand(a);
  const Dim::Expr other = DimBuilder::Expand(b);
  sum.overflow |= __builtin_add_overflow(sum.constant, other.constant, &sum.constant);
  for (const auto& [key, term] : other.terms) AddTerm(sum, key, term);
  return DimBuilder::Make(std::move(sum));
}

Dim operator-(const Dim& a, const Dim& b) { return a + b * Dim(-1); }

Dim operator*(const Dim& a, const Dim& b) {
  if (a.overflowed() || b.overflowed()) return Dim::Overflowed();
  if (a.is_const() && b.is_const()) {
    int64_t product;
    return __builtin_mul_overflow(a.value_, b.value_, &product) ? Dim::Overflowed() : Dim(product);
  }
  const Dim::Expr left = DimBuilder::Expand(a), right = DimBuilder::Expand(b);
  if (left.terms.size() * DimBuilder::TextBytes(right) +
          right.terms.size() * DimBuilder::TextBytes(left) > DimBuilder::kMaxText) {
    return Dim::Overflowed();
  }
  Dim::Expr product;
  product.overflow = __builtin_mul_overflow(left.constant, right.constant, &product.constant);
  auto add = [&product](const std::vector<Atom>& x, const std::vector<Atom>& y, int64_t cx,
                        int64_t cy) {
    Term term{x, 0};
    product.overflow |= __builtin_mul_overflow(cx, cy, &term.coefficient);
    term.atoms.insert(term.atoms.end(), y.begin(), y.end());
    std::sort(term.atoms.begin(), term.atoms.end(),
              [](const Atom& p, const Atom& q) { return p.key < q.key; });
    AddTerm(product, KeyOf(term.atoms), term);
  };
  for (const auto& [lk, lt] : left.terms) {
    if (right.constant != 0) add(lt.atoms, {}, lt.coefficient, right.constant);
    for (const auto& [rk, rt] : right.terms)
      add(lt.atoms, rt.atoms, lt.coefficient, rt.coefficient);
  }
  if (left.constant != 0) {
    for (const auto& [rk, rt] : right.terms) add(rt.atoms, {}, rt.coefficient, left.constant);
  }
  return DimBuilder::Make(std::move(product));
}

bool operator==(const Dim& a, const Dim& b) {
  if (a.overflowed() || b.overflowed()) return false;
  if (a.is_const() || b.is_const()) {
    return a.is_const() && b.is_const() && a.value_ == b.value_;
  }
  if (a.expr_ == b.expr_) return true;
  return a.expr_->constant == b.expr_->constant &&
         std::equal(a.expr_->terms.begin(), a.expr_->terms.end(), b.expr_->terms.begin(),
                    b.expr_->terms.end(), [](const auto& p, const auto& q) {
                      return p.first == q.first && p.second.coefficient == q.second.coefficient;
                    });
}

std::optional<Dim> Dim::ExactDiv(const Dim& a, const Dim& b) {
  if (a.overflowed() || b.overflowed()) return std::nullopt;
  if (a == b && !(b.is_const() && b.value() == 0)) return Dim(1);
  const Expr divisor = DimBuilder::Expand(b);
  const bool monomial =
      divisor.terms.empty() || (divisor.constant == 0 && divisor.terms.size() == 1);
  if (!monomial) return std::nullopt;
  const Term by =
      divisor.terms.empty() ? Term{{}, divisor.constant} : divisor.terms.begin()->second;
  const Expr dividend = DimBuilder::Expand(a);
  if (by.coefficient == 0) return std::nullopt;
  Expr quotient;
  if (dividend.constant != 0) {
    if (!by.atoms.empty() || !SafeDivisor(dividend.constant, by.coefficient) ||
        dividend.constant % by.coefficient != 0) {
      return std::nullopt;
    }
    quotient.constant = dividend.constant / by.coefficient;
  }
  for (const auto& [key, term] : dividend.terms) {
    Term rest = term;
    if (!SafeDivisor(term.coefficient, by.coefficient) || term.coefficient % by.coefficient != 0 ||
        !RemoveAtoms(rest.atoms, by.atoms)) {
      return std::nullopt;
    }
    rest.coefficient = term.coefficient / by.coefficient;
    if (rest.atoms.empty()) {
      quotient.overflow |=
          __builtin_add_overflow(quotient.constant, rest.coefficient, &quotient.constant);
    } else {
      AddTerm(quotient, KeyOf(rest.atoms), rest);
    }
  }
  return DimBuilder::Make(std::move(quotient));
}

Dim Dim::FloorDiv(const Dim& a, const Dim& b) {
  if (a.overflowed() || b.overflowed() || (b.is_const() && b.value() == 0)) return Overflowed();
  if (a.is_const() && b.is_const()) {
    if (!SafeDivisor(a.value(), b.value())) return Overflowed();
    return Dim(FloorDivInt(a.value(), b.value()));
  }
  if (auto exact = ExactDiv(a, b)) return *exact;
  if (b.is_const() && b.value() > 0) {
    // floor((c*m + r) / c) == m + floor(r / c): terms that divide leave the function.
    const int64_t c = b.value();
    Expr whole, rest;
    const Expr dividend = DimBuilder::Expand(a);
    whole.constant = FloorDivInt(dividend.constant, c);
    rest.constant = dividend.constant % c;
    if (rest.constant < 0) rest.constant += c;
    for (const auto& [key, term] : dividend.terms) {
      Term part = term;
      if (term.coefficient % c == 0) {
        part.coefficient /= c;
        AddTerm(whole, key, part);
      } else {
        AddTerm(rest, key, part);
      }
    }
    const Dim remainder = DimBuilder::Make(std::move(rest));
    const Dim quotient = DimBuilder::Make(std::move(whole));
    if (remainder.is_const()) return quotient + Dim(FloorDivInt(remainder.value(), c));
    // floor(floor(x / p) / c) == floor(x / (p * c)) for positive p and c.
    const Expr inner = DimBuilder::Expand(remainder);
    if (inner.constant == 0 && inner.terms.size() == 1) {
      const Term& term = inner.terms.begin()->second;
      if (term.coefficient == 1 && term.atoms.size() == 1 &&
          term.atoms[0].kind == AtomKind::kFloorDiv && term.atoms[0].b.is_const() &&
          term.atoms[0].b.value() > 0) {
        return quotient + FloorDiv(term.atoms[0].a, term.atoms[0].b * b);
      }
    }
    return quotient + Function(AtomKind::kFloorDiv, "floordiv", remainder, b);
  }
  return Function(AtomKind::kFloorDiv, "floordiv", a, b);
}

Dim Dim::CeilDiv(const Dim& a, const Dim& b) { return Dim(0) - FloorDiv(Dim(0) - a, b); }
Dim Dim::Mod(const Dim& a, const Dim& b) { return a - b * FloorDiv(a, b); }

Dim Dim::Max(const Dim& a, const Dim& b) {
  if (a.overflowed() || b.overflowed()) return Overflowed();
  if (a == b) return a;
  if (auto order = CompareAlways(a, b)) return *order > 0 ? a : b;
  return a.ToString() < b.ToString() ? Function(AtomKind::kMax, "max", a, b)
                                     : Function(AtomKind::kMax, "max", b, a);
}

Dim Dim::Min(const Dim& a, const Dim& b) {
  if (a.overflowed() || b.overflowed()) return Overflowed();
  if (a == b) return a;
  if (auto order = CompareAlways(a, b)) return *order > 0 ? b : a;
  return a.ToString() < b.ToString() ? Function(AtomKind::kMin, "min", a, b)
                                     : Function(AtomKind::kMin, "min", b, a);
}

namespace {

Dim Apply(AtomKind kind, const Dim& a, const Dim& b) {
  switch (kind) {
    case AtomKind::kFloorDiv:
      return Dim::FloorDiv(a, b);
    case AtomKind::kMax:
      return Dim::Max(a, b);
    case AtomKind::kMin:
      return Dim::Min(a, b);
    case AtomKind::kSymbol:
      break;
  }
  return Dim::Overflowed();
}

}  // namespace

Dim Dim::Substitute(const std::map<std::string, Dim>& symbols) const {
  if (!expr_ || expr_->overflow) return *this;
  Dim sum(expr_->constant);
  for (const auto& [key, term] : expr_->terms) {
    Dim product(term.coefficient);
    for (const Atom& atom : term.atoms) {
      if (atom.kind == AtomKind::kSymbol) {
        auto it = symbols.find(atom.key);
        product = product * (it == symbols.end() ? Symbol(atom.key) : it->second);
      } else {
        product =
            product * Apply(atom.kind, atom.a.Substitute(symbols), atom.b.Substitute(symbols));
      }
    }
    sum = sum + product;
  }
  return sum;
}

Result<int64_t> Dim::Evaluate(const std::map<std::string, int64_t>& symbols) const {
  if (is_const()) return value_;
  std::map<std::string, Dim> values;
  for (const auto& [name, value] : symbols) values.emplace(name, Dim(value));
  const Dim result = Substitute(values);
  if (result.overflowed()) {
    return Status(Code::kInvalidArgument,
                  StrCat("dimension '", *this, "' overflows or divides by zero"));
  }
  if (!result.is_const()) {
    return Status(Code::kInvalidArgument, StrCat("dimension '", *this, "' needs a value for '",
                                                 result.Symbols().front(), "'"));
  }
  return result.value_;
}

std::string Dim::ToString() const {
  if (!expr_) return std::to_string(value_);
  if (expr_->overflow) return "overflow";
  std::string text;
  for (const auto& [key, term] : expr_->terms) {
    if (!text.empty() && term.coefficient > 0) text += '+';
    if (term.coefficient == -1) {
      text += '-';
    } else if (term.coefficient != 1) {
      text += std::to_string(term.coefficient) + "*";
    }
    text += key;
  }
  if (expr_->constant > 0) text += '+';
  if (expr_->constant != 0) text += std::to_string(expr_->constant);
  return text;
}

std::string DimsToString(const Dims& dims) { return StrCat("[", StrJoin(dims), "]"); }

std::optional<std::vector<int64_t>> ConstDims(const Dims& dims) {
  std::vector<int64_t> values;
  values.reserve(dims.size());
  for (const Dim& dim : dims) {
    if (!dim.is_const()) return std::nullopt;
    values.push_back(dim.value());
  }
  return values;
}

}  // namespace cairn
