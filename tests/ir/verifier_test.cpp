// SPDX-License-Identifier: Apache-2.0
// The verifier names the broken rule.
#include "ir/verifier.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace cairn {
namespace {

std::unique_ptr<Graph> Parse(std::string_view text) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status().ToString();
  return graph.ok() ? std::move(*graph) : nullptr;
}

void ExpectBroken(const Graph& graph, std::string_view rule) {
  const Status status = VerifyGraph(graph);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find(rule), std::string::npos) << status.message();
}

TEST(Verifier, AcceptsEditedGraphs) {
  auto graph = Parse("graph @g(%x: f32[2]) -> (%c) { %a = Relu(%x) %b = Neg(%a) %c = Abs(%b) }");
  Node* abs = graph->FindNode("c");
  abs->SetInput(0, graph->FindValue("x"));
  graph->EraseNode(graph->FindNode("b"));
  graph->EraseNode(graph->FindNode("a"));
  graph->Rename(abs, "other");
  graph->Rename(abs->output(), "x");
  EXPECT_EQ(abs->output()->name(), "x_1");
  EXPECT_TRUE(VerifyGraph(*graph).ok());
}

TEST(Verifier, FindsAReaderBeforeItsProducer) {
  auto graph = Parse("graph @g(%x: f32[2]) -> (%b) { %a = Relu(%x) %b = Neg(%a) }");
  graph->MoveBefore(graph->FindNode("b"), graph->FindNode("a"));
  ExpectBroken(*graph, "node 'b' (Neg): input 0 ('a') is used before it is made");
  EXPECT_TRUE(graph->Sort().ok());
  EXPECT_TRUE(VerifyGraph(*graph).ok());
}

TEST(Verifier, FindsAValueOfAnotherGraph) {
  auto graph = Parse("graph @g(%x: f32[2]) -> (%a) { %a = Relu(%x) }");
  auto other = Parse("graph @h(%x: f32[2]) -> (%a) { %a = Relu(%x) }");
  graph->FindNode("a")->SetInput(0, other->FindValue("x"));
  ExpectBroken(*graph, "input 0 is not a value of this graph");
}

TEST(Verifier, FindsWrongCountsOfTrailingInputs) {
  auto graph = Parse("graph @g(%x: f32[2]) -> (%a) { %a = Relu(%x) {num_captures = 2} }");
  ExpectBroken(*graph, "2 captures and 0 epilogue operands do not fit 1 inputs");
  graph = Parse("graph @g(%x: f32[2]) -> (%a) { %a = Relu(%x) {num_captures = -1} }");
  ExpectBroken(*graph, "do not fit");
  graph = Parse("graph @g(%x: f32[2]) -> (%a) { %a = Add(%x, %x) {num_epilogue_inputs = 1} }");
  ExpectBroken(*graph, "epilogue operands without an epilogue");
  graph = Parse("graph @g(%x: f32[2]) -> (%a) { %a = Relu(%x, _) {num_captures = 1} }");
  ExpectBroken(*graph, "a capture, is absent");
}

TEST(Verifier, ChecksRegionsAndEpilogues) {
  auto graph = Parse(R"(graph @g(%x: f32[2], %y: f32[2]) -> (%a) {
    %a = MatMul(%x, %x, %y) {num_epilogue_inputs = 1, epilogue = @e(%p: f32[2]) -> (%q) {
      %q = Relu(%p) }} })");
  ExpectBroken(*graph, "the epilogue has 1 inputs, expected 2");
  graph = Parse(R"(graph @g(%x: f32[2]) -> (%a) {
    %a = MatMul(%x, %x) {epilogue = @e(%p: f32[2]) -> () {}} })");
  ExpectBroken(*graph, "the epilogue has 0 outputs, expected 1");
  graph = Parse(R"(graph @g(%c: bool[], %x: f32[2]) -> (%a) {
    %a = If(%c, %x) {num_captures = 1, then_branch = @t() -> () {}} })");
  ExpectBroken(*graph, "fewer than the 1 captures");
  graph = Parse(R"(graph @g(%c: bool[]) -> (%a) {
    %a = If(%c) {then_branch = @t(%x: f32[2]) -> (%v) { %u = Relu(%x) %v = Neg(%u) }} })");
  Graph* region = graph->FindNode("a")->Regions()[0];
  region->MoveBefore(region->FindNode("v"), region->FindNode("u"));
  ExpectBroken(*graph, "region of node 'a': graph 't': node 'v'");
}

}  // namespace
}  // namespace cairn
