// SPDX-License-Identifier: Apache-2.0
// The C++ face: models and the batching queue, on a model that copies.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/strings.h"
#include "cairn/model.h"
#include "support/copy_model.h"

namespace cairn::testing {
namespace {

/// Input "x" and output "y", f32 [4,3].
class CppFaceTest : public ::testing::Test {
 protected:
  static constexpr size_t kBatch = 4, kExample = 3;

  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / StrCat("cairn_face_", getpid(), ".om");
    WriteCopyModel(path_, {{"x", "y", ElementType::kF32, {kBatch, kExample}}});
    std::string error;
    model_ = Model::Load(path_, &error);
    ASSERT_NE(model_, nullptr) << error;
  }
  void TearDown() override {
    model_.reset();
    std::filesystem::remove(path_);
  }

  std::filesystem::path path_;
  std::shared_ptr<Model> model_;
};

TEST_F(CppFaceTest, RunsOnViews) {
  EXPECT_EQ(model_->inputs()[0].name, "x");
  EXPECT_EQ(model_->outputs()[0].dims, (std::vector<int64_t>{4, 3}));
  std::vector<float> x(12, 2.5f), y(12), z(12);
  EXPECT_EQ(model_->Run({{x.data(), 48}}, {{y.data(), 48}}), "");
  EXPECT_EQ(y, x);
  EXPECT_EQ(model_->RunAsync({{x.data(), 48}}, {{z.data(), 48}}).get(), "");
  EXPECT_EQ(z, x);
  const std::string problem = model_->Run({{x.data(), 12}}, {{y.data(), 48}});
  EXPECT_NE(problem.find("the buffer has 12 bytes"), std::string::npos) << problem;
}

TEST_F(CppFaceTest, MissingFileIsExplained) {
  std::string error;
  EXPECT_EQ(Model::Load("/no/such.om", &error), nullptr);
  EXPECT_NE(error.find("/no/such.om"), std::string::npos) << error;
}

TEST_F(CppFaceTest, QueueGivesEveryRequestItsOwnResult) {
  std::string error;
  const auto queue = BatchingQueue::New(model_, {}, &error);
  ASSERT_NE(queue, nullptr) << error;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const float value = static_cast<float>(100 * t + i);
        std::vector<float> x(kExample, value), y(kExample);
        const std::string problem = queue->Submit({{x.data(), 12}}, {{y.data(), 12}}).get();
        if (!problem.empty() || y != x) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(CppFaceTest, QueueRunsAfterTheDelayAndAtItsEnd) {
  BatchingQueue::Options options;
  options.max_delay = std::chrono::hours(1);
  std::vector<float> x(kExample, 7), y(kExample);
  std::future<std::string> done;
  {
    const auto queue = BatchingQueue::New(model_, options, nullptr);
    ASSERT_NE(queue, nullptr);
    done = queue->Submit({{x.data(), 12}}, {{y.data(), 12}});
    EXPECT_EQ(done.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  }
  EXPECT_EQ(done.get(), "");
  EXPECT_EQ(y, x);
}

TEST_F(CppFaceTest, QueueRefusesWrongSizes) {
  std::string error;
  BatchingQueue::Options options;
  options.max_batch = 5;
  EXPECT_EQ(BatchingQueue::New(model_, options, &error), nullptr);
  EXPECT_EQ(error, "max_batch is 5, the model's batch is 4");
  const auto queue = BatchingQueue::New(model_, {}, &error);
  std::vector<float> x(12);
  EXPECT_EQ(queue->Submit({{x.data(), 48}}, {{x.data(), 12}}).get(),
            "input 0 'x' has 48 bytes, one example has 12");
}

}  // namespace
}  // namespace cairn::testing
