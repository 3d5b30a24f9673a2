// SPDX-License-Identifier: Apache-2.0
// The text form of graphs: round trips, positions of errors, resistance to damaged text.
#include "ir/text.h"

#include <gtest/gtest.h>

#include <random>

#include "ir/verifier.h"

namespace cairn {
namespace {

PrintOptions Everything() {
  PrintOptions options;
  options.max_constant_elements = -1;
  return options;
}

constexpr const char* kExample =
    R"(graph @main(%x: f32[N,3,8,8], %"odd name": i64[2]) -> (%y as "out", %s) metadata {"producer" = "torch"} {
  const %w: f32[4,3,1,1] = dense<0.5>
  const %b: f32[4] = dense<[0.1, -0, inf, 1e-30]>
  const %nan: f32[2] = hex<"0100c07f0000803f">
  const %words: string[2] = dense<["a\"b", "\x0a"]>
  const %half: f16[3] = dense<[1, 0.5, -65504]>
  const %big: u64[2] = dense<[18446744073709551615, 7]>
  const %nibbles: i4[3] = dense<[-8, 7, 0]>
  const %z: c64[1] = hex<"0000803f00000040">
  %c: f32[N,4,8,8], _, %d = Conv(%x, %w, _, %b) {strides = [1, 1], group = 1, alpha = 1.0, mode = "NOTSET", none = ints[], f = [0.5, 2.0], t = tensor f32[2] dense<[1, 2]>, ty = type f32[N,max(A,B)]} name "conv 1" origins ["conv1", "bn1"]
  %y: f32[N,4,8,8] = Relu(%c)
  %s: seq(f32[*]) = If(%d, %y) {num_captures = 1, then_branch = @then(%p: f32[N,4,8,8]) -> (%q) {
      %q = Neg(%p)
    }, list = [@a(%p: f32[1]) -> () {
    }, @b(%p: f32[1]) -> (%p) {
    }]}
}
)";

TEST(GraphText, RoundTripKeepsEverything) {
  auto graph = ParseGraph(kExample);
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  EXPECT_TRUE(VerifyGraph(**graph).ok());
  const std::string once = PrintGraph(**graph, Everything());
  auto again = ParseGraph(once);
  ASSERT_TRUE(again.ok()) << again.status().ToString() << "\n" << once;
  EXPECT_EQ(PrintGraph(**again, Everything()), once);

  const Node* conv = (*again)->FindNode("conv 1");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->input(2), nullptr);
  EXPECT_EQ(conv->output(1), nullptr);
  EXPECT_EQ(conv->GetFloat("alpha", 0), 1.0f);
  EXPECT_EQ(conv->GetInt("group", 0), 1);
  EXPECT_EQ(conv->origins(), (std::vector<std::string>{"conv1", "bn1"}));
  EXPECT_EQ((*conv->Get<TensorType>("ty")->dims)[1], *Dim::Parse("max(B,A)"));
  EXPECT_TRUE(std::signbit((*again)->FindValue("b")->constant().GetDouble(1)));
  EXPECT_EQ((*again)->FindValue("nan")->constant().data<uint32_t>()[0], 0x7fc00001u);
  EXPECT_EQ((*again)->FindValue("words")->constant().strings()[1], "\n");
  EXPECT_EQ((*again)->FindValue("big")->constant().data<uint64_t>()[0], UINT64_MAX);
  EXPECT_EQ((*again)->FindValue("nibbles")->constant().GetInt(0), -8);
  EXPECT_EQ((*again)->output_name(0), "out");
  EXPECT_EQ((*again)->metadata.at("producer"), "torch");
}

TEST(GraphText, FloatsSurviveExactly) {
  Graph graph("floats");
  std::mt19937 random(7);
  std::vector<float> values(500);
  for (float& value : values) {
    do {
      value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    } while (std::isnan(value));
  }
  graph.AddConstant("c", Tensor::FromValues<float>(ElementType::kF32, {500}, values));
  auto again = ParseGraph(PrintGraph(graph, Everything()));
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_TRUE((*again)->FindValue("c")->constant().Identical(graph.FindValue("c")->constant()));
}

TEST(GraphText, LargeConstantsAreLeftOutAndThenRefused) {
  auto graph = ParseGraph("graph @g() -> (%c) { const %c: f32[100] = random<1> }");
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  const std::string text = PrintGraph(**graph);
  EXPECT_NE(text.find("dense<...>"), std::string::npos);
  EXPECT_FALSE(ParseGraph(text).ok());
}

TEST(GraphText, WithoutNamesEqualGraphsPrintAlike) {
  PrintOptions options;
  options.names = false;
  auto a = ParseGraph(R"(graph @g(%x: f32[2]) -> (%z) {
    const %u: f32[1] = dense<[1]>
    const %k: f32[1] = dense<[2]>
    %y = Mul(%x, %k)  %z = Add(%y, %u) })");
  auto b = ParseGraph(R"(graph @g(%in: f32[2]) -> (%out as "z") {
    const %two: f32[1] = dense<[2]>
    %t = Mul(%in, %two) name "n"
    const %one: f32[1] = dense<[1]>
    %out = Add(%t, %one) })");
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(PrintGraph(**a, options), PrintGraph(**b, options));
}

TEST(GraphText, NewSymbolsDoNotMeetThoseOfTheText) {
  auto graph = ParseGraph("graph @g(%x: f32[?4,?5*2]) -> (%x) {}");
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  EXPECT_EQ((*graph)->NewSymbol(), "?6");
}

TEST(GraphText, ErrorsCarryThePosition) {
  const auto error = [](std::string_view text) {
    auto graph = ParseGraph(text);
    return graph.ok() ? std::string("parsed") : graph.status().message();
  };
  EXPECT_EQ(error("graph @g() -> (%y) {\n  %y = Relu(%x)\n}"),
            "line 2, column 15: %x is not defined before its use");
  EXPECT_EQ(error("graph @g(%x: f33[2]) -> () {}"),
            "line 1, column 17: unknown element type 'f33'");
  EXPECT_NE(error("graph @g() -> () { const %c: f32[3] = dense<[1, 2]> }").find("needs 3 elements"),
            std::string::npos);
  EXPECT_NE(error("graph @g(%x: f32[1], %x: f32[1]) -> () {}").find("defined twice"),
            std::string::npos);
  EXPECT_NE(error("graph @g() -> (%y) {}").find("output %y is not defined"), std::string::npos);
  EXPECT_NE(
      error("graph @g(%x: f32[1]) -> () { %y = Relu(%x) {a = 1, a = 2} }").find("given twice"),
      std::string::npos);
}

TEST(GraphText, SizeAndDepthAreLimited) {
  EXPECT_FALSE(ParseGraph("graph @g() -> () { const %c: f32[1000000,1000000] = dense<0> }").ok());
  EXPECT_FALSE(
      ParseGraph("graph @g() -> () { const %c: f32[4611686018427387904,8] = dense<[]> }").ok());
  EXPECT_FALSE(
      ParseGraph("graph @g() -> () { const %c: f32[9000000000000000000] = hex<\"00\"> }").ok());
  std::string deep = "graph @g() -> () { ";
  for (int i = 0; i < 10000; ++i) deep += "%y = If() {body = @b() -> () { ";
  EXPECT_FALSE(ParseGraph(deep).ok());
  EXPECT_FALSE(ParseGraph("graph @g(%x: f32[" + std::string(10000, '(') + "]) -> () {}").ok());
  EXPECT_FALSE(ParseGraph("graph @g(%x: " +
                          [] {
                            std::string nested;
                            for (int i = 0; i < 10000; ++i) nested += "seq(";
                            return nested;
                          }() +
                          ") -> () {}")
                   .ok());
}

TEST(GraphText, DamagedTextNeverCrashes) {
  const std::string text = kExample;
  for (size_t i = 0; i <= text.size(); ++i) (void)ParseGraph(std::string_view(text).substr(0, i));
  std::mt19937 random(1);
  int parsed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = text;
    for (unsigned n = random() % 4 + 1; n-- > 0;) {
      const size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged.erase(at, random() % 8);
          break;
        default:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 40));
      }
    }
    auto graph = ParseGraph(damaged);
    if (!graph.ok()) continue;
    ++parsed;
    (void)VerifyGraph(**graph);
    (void)PrintGraph(**graph, Everything());
  }
  EXPECT_GT(parsed, 0);
}

}  // namespace
}  // namespace cairn
