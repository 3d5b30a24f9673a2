// SPDX-License-Identifier: Apache-2.0
// Metrics by hand, a planted wrong node, and the search for the culprit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "compare/bisect.h"
#include "compare/comparison.h"
#include "compare/inputs.h"
#include "compare/metrics.h"
#include "compare/result_file.h"
#include "support/plan_runner.h"

namespace cairn::compare {
namespace {

Tensor Floats(const std::vector<float>& values) {
  return Tensor::FromValues<float>(ElementType::kF32, {static_cast<int64_t>(values.size())},
                                   values);
}

TEST(CompareMetrics, AreTheFormulas) {
  const Metrics m = Compare(Floats({1, 2, 4}), Floats({1, 2, 2}));
  EXPECT_NEAR(m.cosine_similarity, 13 / std::sqrt(21.0 * 9), 1e-12);
  EXPECT_DOUBLE_EQ(m.max_absolute_error, 2);
  EXPECT_NEAR(m.mean_absolute_error, 2.0 / 3, 1e-12);
  EXPECT_NEAR(m.accumulated_relative_error, 0.4, 1e-12);
  EXPECT_NEAR(m.relative_euclidean_distance, std::sqrt(4.0 / 9), 1e-12);
  EXPECT_NEAR(m.root_mean_square_error, std::sqrt(4.0 / 3), 1e-12);
  EXPECT_DOUBLE_EQ(m.max_relative_error, 1);
  EXPECT_NEAR(m.mean_relative_error, 1.0 / 3, 1e-12);
  const double e1 = std::exp(1.0), e2 = std::exp(2.0), e4 = std::exp(4.0);
  const double pa[] = {e1 / (e1 + e2 + e4), e2 / (e1 + e2 + e4), e4 / (e1 + e2 + e4)};
  const double pb[] = {e1 / (e1 + 2 * e2), e2 / (e1 + 2 * e2), e2 / (e1 + 2 * e2)};
  double kl = 0;
  for (int i = 0; i < 3; ++i) kl += pb[i] * std::log(pb[i] / pa[i]);
  EXPECT_NEAR(m.kullback_leibler, kl, 1e-12);
  EXPECT_NEAR(m.golden_mean, 5.0 / 3, 1e-12);
  EXPECT_NE(PrecisionError(m).find("cosine similarity"), std::string::npos);
}

TEST(CompareMetrics, EqualZeroAndOverflownTensors) {
  EXPECT_EQ(PrecisionError(Compare(Floats({1, -2}), Floats({1, -2}))), "");
  EXPECT_DOUBLE_EQ(Compare(Floats({0, 0}), Floats({0, 0})).cosine_similarity, 1);
  EXPECT_NE(PrecisionError(Compare(Floats({0, NAN}), Floats({0, 1}))).find("NaN"),
            std::string::npos);
  EXPECT_EQ(PrecisionError(Compare(Floats({1.0005f}), Floats({1}))), "");
}

class ComparedModel : public ::testing::Test {
 protected:
  void SetUp() override {
    graph_ = testing::GraphFromText(R"(
      graph @net(%x: f32[1,8,6,6]) -> (%c as "c") {
        const %axes: i64[1] = dense<[2]>
        %a = Softmax(%x) {axis = 1} name "first" origins ["first"]
        %b = ReduceMax(%a, %axes) {keepdims = 1} name "second" origins ["second"]
        %c = Softmax(%b) {axis = 3} name "third" origins ["third"]
      })");
    ASSERT_NE(graph_, nullptr);
    inputs_ = testing::RandomInputs(*graph_, 3);
    auto compiled = plan::PlanProgram(*graph_, testing::HostTarget(), {});
    ASSERT_TRUE(compiled.ok()) << compiled.status().ToString();
    compiled_ = *std::move(compiled);
  }

  std::unique_ptr<Graph> graph_;
  std::vector<Tensor> inputs_;
  plan::CompiledProgram compiled_;
};

TEST_F(ComparedModel, ARightModelAgreesNodeByNode) {
  const auto comparison = CompareModels(*graph_, compiled_.program, compiled_.weights, inputs_);
  ASSERT_TRUE(comparison.ok()) << comparison.status().ToString();
  EXPECT_TRUE(comparison->outputs_agree);
  EXPECT_FALSE(comparison->first_bad.has_value());
  size_t compared = 0;
  for (const Row& row : comparison->rows) compared += row.reason.empty() && !row.is_model_output;
  EXPECT_GE(compared, 3u);
  const std::string csv = ResultCsv(*comparison);
  EXPECT_EQ(csv.substr(0, 41), "Index,OpType,NPUDump,DataType,Address,Gro");
}

TEST_F(ComparedModel, TheFirstWrongNodeIsNamed) {
  auto wrong = testing::GraphFromText(R"(
      graph @net(%x: f32[1,8,6,6]) -> (%c as "c") {
        const %axes: i64[1] = dense<[2]>
        %a = Softmax(%x) {axis = 1} name "first" origins ["first"]
        %b = ReduceMin(%a, %axes) {keepdims = 1} name "second" origins ["second"]
        %c = Softmax(%b) {axis = 3} name "third" origins ["third"]
      })");
  ASSERT_NE(wrong, nullptr);
  const auto compiled = plan::PlanProgram(*wrong, testing::HostTarget(), {});
  ASSERT_TRUE(compiled.ok());
  const auto comparison = CompareModels(*graph_, compiled->program, compiled->weights, inputs_);
  ASSERT_TRUE(comparison.ok()) << comparison.status().ToString();
  EXPECT_FALSE(comparison->outputs_agree);
  ASSERT_TRUE(comparison->first_bad.has_value());
  EXPECT_EQ(comparison->rows[*comparison->first_bad].task, "second");
}

TEST(CompareBisect, NamesPassFileKernelPrecisionOrImport) {
  const std::vector<std::string> passes{"A", "B", "C"};
  const auto off = [](const Variant& v, const char* pass) {
    return v.switches.count(pass) > 0 && !v.switches.at(pass);
  };
  const auto kind = [&](const std::function<bool(const Variant&)>& judge) {
    return FindCulprit(passes, [&](const Variant& v) -> Result<bool> { return judge(v); });
  };
  using Kind = Culprit::Kind;
  EXPECT_EQ(kind([](const Variant&) { return true; })->kind, Kind::kFile);
  const auto pass = kind([&](const Variant& v) { return off(v, "B"); });
  EXPECT_EQ(pass->kind, Kind::kPass);
  EXPECT_NE(pass->text.find("Pass B makes it wrong"), std::string::npos);
  const auto pair = kind([&](const Variant& v) { return off(v, "A") && off(v, "C"); });
  EXPECT_EQ(pair->kind, Kind::kPassPair);
  EXPECT_NE(pair->text.find("needed to get it right is C"), std::string::npos);
  EXPECT_EQ(kind([](const Variant& v) { return !v.use_kernels; })->kind, Kind::kKernel);
  EXPECT_EQ(kind([](const Variant& v) { return !v.use_kernels || v.high_precision; })->kind,
            Kind::kPrecision);
  EXPECT_EQ(kind([](const Variant&) { return false; })->kind, Kind::kUnknown);
}

TEST_F(ComparedModel, InputsComeFromFilesOrAreTold) {
  const auto folder = std::filesystem::temp_directory_path() / StrCat("cairn_compare_", getpid());
  std::filesystem::create_directories(folder);
  const std::string npy = folder / "x.npy", raw = folder / "x.bin", little = folder / "y.bin";
  ASSERT_TRUE(WriteNpy(npy, inputs_[0]).ok());
  const auto* bytes = reinterpret_cast<const char*>(inputs_[0].bytes());
  std::ofstream(raw, std::ios::binary)
      .write(bytes, static_cast<std::streamsize>(inputs_[0].num_bytes()));
  std::ofstream(little, std::ios::binary).write(bytes, 8);
  for (const std::string& file : {npy, raw}) {
    const auto inputs = MakeInputs(*graph_, {file});
    ASSERT_TRUE(inputs.ok()) << inputs.status().message();
    EXPECT_TRUE((*inputs)[0].Identical(inputs_[0])) << file;
  }
  EXPECT_NE(MakeInputs(*graph_, {little}).status().message().find("holds 8 bytes, input 'x'"),
            std::string::npos);
  EXPECT_FALSE(MakeInputs(*graph_, {raw, raw}).ok());
  EXPECT_FALSE(MakeInputs(*graph_, {folder / "none"}).ok());
  ASSERT_TRUE(WriteNpy(folder / "i.npy", Tensor::FromInts({1, 2})).ok());
  EXPECT_NE(
      MakeInputs(*graph_, {folder / "i.npy"}).status().message().find("expected NumPy type <f4"),
      std::string::npos);
  EXPECT_TRUE(MakeInputs(*graph_, {}).ok());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cairn::compare
