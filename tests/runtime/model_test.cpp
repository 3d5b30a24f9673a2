// SPDX-License-Identifier: Apache-2.0
// Runs of a model on a device that fails or records what it was given.
#include "runtime/model.h"

#include <gtest/gtest.h>

#include <cstring>

#include "fake_device.h"
#include "runtime/task_failure.h"
#include "support/copy_model.h"

namespace cairn::runtime {
namespace {

class ModelRun : public ::testing::Test {
 protected:
  void SetUp() override {
    const Result<std::vector<std::byte>> program =
        WriteProgram(testing::CopyProgram({{"x", "y", ElementType::kF32, {4, 25}}}));  // 400 bytes.
    ASSERT_TRUE(program.ok());
    program_ = *program;
    ModelFile file;
    file.image.program = program_;
    Result<std::shared_ptr<Model>> model = Model::Load(5, 3, device_, file, {});
    ASSERT_TRUE(model.ok()) << model.status().message();
    model_ = *model;
  }

  Status Run(uint64_t input_bytes, uint64_t output_bytes = 400) {
    const Buffer input{input_.data(), input_bytes}, output{output_.data(), output_bytes};
    return model_->Run({&input, 1}, {&output, 1}, 9);
  }

  testing::FakeDevice device_;
  std::vector<std::byte> program_;
  std::shared_ptr<Model> model_;
  std::vector<char> input_ = std::vector<char>(1000, 'i');
  std::vector<char> output_ = std::vector<char>(400);
};

TEST_F(ModelRun, UsesTheBuffersOfTheCaller) {
  const void* input = nullptr;
  void* output = nullptr;
  device_.run = [&](auto inputs, auto outputs) {
    input = inputs[0];
    output = outputs[0];
    return OkStatus();
  };
  ASSERT_TRUE(Run(400).ok());
  EXPECT_EQ(input, input_.data());
  EXPECT_EQ(output, output_.data());
}

TEST_F(ModelRun, ShortInputIsCopiedAndPadded) {
  std::string seen;
  device_.run = [&](auto inputs, auto) {
    seen.assign(static_cast<const char*>(inputs[0]), 400);
    return OkStatus();
  };
  ASSERT_TRUE(Run(336).ok());
  EXPECT_EQ(seen, std::string(336, 'i') + std::string(64, '\0'));
  EXPECT_FALSE(Run(335).ok());
}

TEST_F(ModelRun, LongerInputIsUsedUpToTwiceTheSize) {
  EXPECT_TRUE(Run(799).ok());
  const Status status = Run(800);
  EXPECT_EQ(status.message(),
            "model 5 (copy): input 0 'x' (f32 [4,25], 400 bytes): the buffer has 800 bytes; the "
            "data are probably 64-bit floats, or of twice the batch");
}

TEST_F(ModelRun, FailuresReachTheCallback) {
  static TaskFailure seen;
  seen = {};
  SetTaskFailureCallback([](void*, const TaskFailure& failure) { seen = failure; }, nullptr);
  device_.run = [](auto, auto) { return Status(Code::kInternal, "task 'conv' went wrong"); };
  const Status status = Run(400);
  EXPECT_EQ(status.message(), "model 5 (copy): task 'conv' went wrong");
  EXPECT_EQ(seen.stream_id, 9u);
  EXPECT_EQ(seen.device_id, 3u);
  EXPECT_EQ(seen.task_id, 1u);
  EXPECT_NE(seen.thread_id, 0u);
  SetTaskFailureCallback(nullptr, nullptr);
  EXPECT_FALSE(Run(400).ok());
  EXPECT_EQ(seen.task_id, 1u);
}

TEST(InputSize, LikelyCausesAreNamed) {
  const auto text = [](ElementType type, uint64_t expected, uint64_t given) {
    ProgramIo io;
    io.name = "x";
    io.dtype = type;
    io.dims = {1};
    io.bytes = expected;
    bool exact = false;
    return CheckInputBytes(0, io, given, &exact).message();
  };
  EXPECT_NE(text(ElementType::kF16, 1000, 2000).find("32-bit floats"), std::string::npos);
  EXPECT_NE(text(ElementType::kU8, 1000, 4000).find("32-bit floats; the model takes 8-bit"),
            std::string::npos);
  EXPECT_NE(text(ElementType::kI64, 1000, 500).find("32-bit integers"), std::string::npos);
  EXPECT_NE(text(ElementType::kI8, 1000, 3000).find("3 times as many elements"), std::string::npos);
  EXPECT_NE(text(ElementType::kI8, 1000, 501).find("another shape"), std::string::npos);
}

}  // namespace
}  // namespace cairn::runtime
