// SPDX-License-Identifier: Apache-2.0
// Canonical form and arithmetic of symbolic dimensions.
#include "base/dim.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

Dim D(std::string_view text) {
  auto dim = Dim::Parse(text);
  EXPECT_TRUE(dim.ok()) << dim.status().ToString();
  return dim.ok() ? *dim : Dim(-1);
}

TEST(Dim, EqualExpressionsHaveOneForm) {
  EXPECT_EQ(D("2*T+T"), D("3*T"));
  EXPECT_EQ(D("(H+1)*(W+2)"), D("H*W+2*H+W+2"));
  EXPECT_EQ(D("N-N"), Dim(0));
  EXPECT_EQ(D("(4*N+2)/2"), D("2*N+1"));
  EXPECT_EQ(D("H/4/8"), D("H/32"));
  EXPECT_EQ(D("(32*H+5)/32"), D("H"));
  EXPECT_EQ(D("max(N,2*N)"), D("2*N"));
  EXPECT_EQ(D("max(A,B)"), D("max(B,A)"));
  EXPECT_FALSE(D("N+1") == D("N"));
}

TEST(Dim, TextFormReadsBack) {
  for (const char* text : {"N", "2*T+1", "H/32", "ceildiv(W,3)*2-1", "mod(N,4)", "max(A,B/2)", "-N"}) {
    const Dim dim = D(text);
    EXPECT_EQ(D(dim.ToString()), dim) << text << " became " << dim;
  }
}

TEST(Dim, EvaluatesLikeIntegers) {
  const std::map<std::string, int64_t> at = {{"H", 67}, {"W", 5}};
  EXPECT_EQ(*D("H/32").Evaluate(at), 2);
  EXPECT_EQ(*D("ceildiv(H,32)").Evaluate(at), 3);
  EXPECT_EQ(*D("mod(H,32)*W").Evaluate(at), 15);
  EXPECT_EQ(*D("(0-H)/32").Evaluate(at), -3);
  EXPECT_EQ(*D("min(H,W)").Evaluate(at), 5);
  EXPECT_FALSE(D("K").Evaluate(at).ok());
  EXPECT_FALSE(D("H/(W-5)").Evaluate(at).ok());
}

TEST(Dim, ExactDivisionCancelsProducts) {
  EXPECT_EQ(*Dim::ExactDiv(D("N*C*H"), D("C*H")), D("N"));
  EXPECT_EQ(*Dim::ExactDiv(D("6*N*T"), D("3*T")), D("2*N"));
  EXPECT_FALSE(Dim::ExactDiv(D("N+1"), D("2")).has_value());
}

TEST(Dim, OverflowIsContagiousAndEqualsNothing) {
  const Dim big = Dim(INT64_MAX) * Dim(2);
  EXPECT_TRUE(big.overflowed());
  EXPECT_TRUE((big + Dim(1)).overflowed());
  EXPECT_FALSE(big == big);
  EXPECT_TRUE(Dim::FloorDiv(D("N"), Dim(0)).overflowed());
}

TEST(Dim, DividesSumsWithTheLeastInteger) {
  const Dim quotient = Dim::FloorDiv(D("N") + Dim(INT64_MIN), Dim(3));
  EXPECT_EQ(*quotient.Evaluate({{"N", 4}}), INT64_MIN / 3);  // floor((4 - 2^63) / 3)
}

TEST(Dim, RejectsBadText) {
  for (const char* text : {"", "N+", "(N", "foo(N,2)", "max(N)", "99999999999999999999", "N N"}) {
    EXPECT_FALSE(Dim::Parse(text).ok()) << text;
  }
}

TEST(Dim, ExpressionsThatGrowWithoutBoundAreRefused) {
  Dim remainder = Dim::Symbol("a");
  for (const char* symbol : {"b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"})
    remainder = Dim::Mod(remainder, Dim::Symbol(symbol));
  EXPECT_TRUE(remainder.overflowed());
  EXPECT_FALSE(Dim::Parse("a%b%c%d%e%f%g%h%i%j%k%l%m%n%o%p%q%r%s%t").ok());
  EXPECT_TRUE(Dim::Parse("floordiv(floordiv(floordiv(H+1,2)+1,2)+1,2)*W").ok());
}

}  // namespace
}  // namespace cairn
