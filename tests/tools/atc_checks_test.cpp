// SPDX-License-Identifier: Apache-2.0
// Codes and texts of atc's checks before the model is read: files, combinations, shapes, profiles.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/strings.h"
#include "tools/atc/checks.h"
#include "tools/atc/conduct.h"
#include "tools/atc/input_shape.h"

namespace cairn::atc {
namespace {

namespace fs = std::filesystem;

class AtcChecks : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "atc_checks";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "m.onnx") << "x";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // Checks a complete command line with `extra` words added; returns the report.
  ErrorReport Check(const std::vector<std::string>& extra) {
    std::vector<std::string> words = {"--model=" + Path("m.onnx"), "--framework=5",
                                      "--output=" + Path("out"), "--soc_version=Cairn-x86-64-v3"};
    words.insert(words.end(), extra.begin(), extra.end());
    ErrorReport report;
    Arguments arguments;
    std::string complaint;
    shapes_.clear();
    EXPECT_TRUE(ParseArguments(words, arguments, complaint, report)) << complaint << report.Text();
    gears_ = {};
    if (CheckBuildArguments(arguments, shapes_, gears_, report)) CheckSupported(arguments, report);
    notes_ = NotesOnOptions(arguments);
    return report;
  }
  std::string CodeOf(const std::vector<std::string>& extra) { return Check(extra).code(); }

  fs::path folder_;
  std::vector<InputShape> shapes_;
  compiler::GearOptions gears_;
  std::vector<std::string> notes_;
};

TEST_F(AtcChecks, AcceptsTheUsualCommandLine) {
  const ErrorReport report =
      Check({"--input_shape=input:1,3,224,224", "--log=info", "--input_format=NCHW"});
  EXPECT_FALSE(report.has_error()) << report.Text();
  ASSERT_EQ(shapes_.size(), 1u);
  EXPECT_EQ(shapes_[0].name, "input");
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_NE(notes_[0].find("--input_format=NCHW accepted without effect"), std::string::npos);
}

TEST_F(AtcChecks, MissingRequiredOptions) {
  EXPECT_EQ(CodeOf({"--model="}), "E10054");
  EXPECT_EQ(CodeOf({"--output="}), "E10054");
  EXPECT_EQ(CodeOf({"--soc_version="}), "E10054");
  EXPECT_NE(Check({"--soc_version="}).Text().find("[--soc_version]"), std::string::npos);
  EXPECT_EQ(CodeOf({"--framework=0"}), "E10008");
}

TEST_F(AtcChecks, UnknownSocVersionListsValidNames) {
  const ErrorReport report = Check({"--soc_version=Ascend999"});
  EXPECT_EQ(report.code(), "E10001");
  EXPECT_NE(report.Text().find("Cairn-x86-64-v4"), std::string::npos);
  EXPECT_NE(report.Text().find("Ascend310P3"), std::string::npos);
}

TEST_F(AtcChecks, Files) {
  EXPECT_EQ(CodeOf({"--model=" + Path("none.onnx")}), "E13026");
  EXPECT_EQ(CodeOf({"--model=" + folder_.string()}), "E13026");
  EXPECT_EQ(CodeOf({"--output=" + folder_.string() + "/"}), "E10022");
  EXPECT_EQ(CodeOf({"--output=" + Path("m.onnx") + "/x"}), "E13000");
  EXPECT_EQ(CodeOf({"--output=" + std::string(5000, 'a')}), "E13002");
  EXPECT_EQ(CodeOf({"--output=" + Path("new/folder/x")}), "");
  EXPECT_EQ(CodeOf({"--keep_dtype=" + Path("none")}), "E10410");
  EXPECT_EQ(CodeOf({"--fusion_switch_file=" + Path("none")}), "E21001");
  EXPECT_EQ(CodeOf({"--insert_op_conf=" + Path("none")}), "E13026");
  EXPECT_EQ(CodeOf({"--op_precision_mode=" + Path("none")}), "E13026");
}

TEST_F(AtcChecks, Combinations) {
  EXPECT_EQ(CodeOf({"--precision_mode=force_fp16", "--precision_mode_v2=fp16"}), "E10056");
  EXPECT_EQ(CodeOf({"--modify_mixlist=" + Path("m.onnx")}), "E10001");
  EXPECT_EQ(CodeOf({"--modify_mixlist=" + Path("m.onnx"), "--precision_mode=allow_mix_precision"}),
            "");
  EXPECT_EQ(CodeOf({"--optypelist_for_implmode=Gelu"}), "E10001");
  EXPECT_EQ(CodeOf({"--optypelist_for_implmode=Gelu", "--op_select_implmode=high_performance"}),
            "");
  EXPECT_EQ(CodeOf({"--enable_single_stream", "--multi_stream_parallel_mode=cv"}), "E10056");
  EXPECT_EQ(CodeOf({"--multi_stream_parallel_mode=LoadBalance:65"}), "E10001");
  EXPECT_EQ(CodeOf({"--multi_stream_parallel_mode=LoadBalance:2"}), "");
  EXPECT_EQ(CodeOf({"--auto_tune_mode=RL,GA"}), "E10001");
  EXPECT_EQ(CodeOf({"--input_format=NHWC"}), "E10001");
  EXPECT_EQ(CodeOf({"--singleop=" + Path("m.onnx")}), "E10001");
}

TEST_F(AtcChecks, Numbers) {
  for (const char* good : {"1", "8|", "8|7"}) {
    EXPECT_EQ(CodeOf({StrCat("--aicore_num=", good)}), "") << good;
  }
  for (const char* bad : {"0", "x", "-1", "2.5", "99999"}) {
    EXPECT_EQ(CodeOf({StrCat("--aicore_num=", bad)}), "E10001") << bad;
  }
  EXPECT_EQ(CodeOf({"--weight_budget=1.0"}), "");
  for (const char* bad : {"0.5", "nan", "2,5", ""}) {
    EXPECT_EQ(CodeOf({StrCat("--weight_budget=", bad)}), "E10001") << bad;
  }
}

TEST_F(AtcChecks, UnsupportedOptionsEndInOneError) {
  const ErrorReport report = Check({"--framework=3"});
  EXPECT_EQ(report.code(), "E10055");
  EXPECT_NE(report.Text().find("--framework is not supported yet"), std::string::npos);
  EXPECT_EQ(report.details().size(), 1u);
}

struct ShapeCase {
  const char* text;
  const char* code;
};

TEST_F(AtcChecks, InputShapeErrors) {
  const ShapeCase cases[] = {{"1,3,224,224", "E10002"},
                             {":1,3", "E10002"},
                             {"a:1,3.5", "E10002"},
                             {"a:1,,3", "E10002"},
                             {"a:1,3,", "E10002"},
                             {"a:[1,3", "E10002"},
                             {"a:1;;b:2", "E10002"},
                             {"a:1;a:2", "E10002"},
                             {"a:0,3", "E10011"},
                             {"a:-2,3", "E10011"},
                             {"a:1,x", "E10014"},
                             {"a:1,3 224", "E10014"},
                             {"a:99999999999999999999", "E10013"},
                             {"a:5~2", "E10011"},
                             {"a:1~x", "E10014"},
                             {"a:${bs},3", "E10014"}};
  for (const ShapeCase& c : cases) {
    EXPECT_EQ(CodeOf({StrCat("--input_shape=", c.text)}), c.code) << c.text;
  }
}

TEST_F(AtcChecks, InputShapeForms) {
  ErrorReport report;
  std::vector<InputShape> shapes;
  ASSERT_TRUE(
      ParseInputShapes(" onnx::Reshape_0 : 1, 12 ; b:; c:[1~8,-1,3] ;d:2~-1;", shapes, report));
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[0].name, "onnx::Reshape_0");
  EXPECT_EQ(shapes[0].dims.size(), 2u);
  EXPECT_TRUE(shapes[1].dims.empty());
  EXPECT_TRUE(shapes[2].dims[0].is_range());
  EXPECT_TRUE(shapes[2].dims[1].is_any());
  EXPECT_TRUE(shapes[2].dims[2].is_fixed());
  EXPECT_TRUE(shapes[3].dims[0].is_any());
}

TEST_F(AtcChecks, ProfileRules) {
  const std::string any_batch = "--input_shape=a:-1,3";
  const std::string any_image = "--input_shape=a:1,3,-1,-1";
  const auto code = [&](const std::string& shape, std::vector<std::string> extra) {
    if (!shape.empty()) extra.push_back(shape);
    return CodeOf(extra);
  };
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=1,2", "--dynamic_dims=1;2"}), "E10009");
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=1,2", "--input_shape_range=a:[1~2,3]"}),
            "E10009");
  EXPECT_EQ(code("", {"--dynamic_batch_size=1,2"}), "E10004");
  EXPECT_EQ(code("--input_shape=a:1~4,3", {"--dynamic_batch_size=1,2"}), "E10040");
  EXPECT_EQ(code("--input_shape=a:1,3", {"--dynamic_batch_size=1,2"}), "E10031");
  EXPECT_EQ(code("--input_shape=a:1,3", {"--dynamic_dims=1;2"}), "E10040");
  EXPECT_EQ(code("--input_shape=a:1,3", {"--dynamic_image_size=1,2;3,4"}), "E10019");
  EXPECT_EQ(code("--input_shape=a:-1,-1", {"--dynamic_batch_size=1,2"}), "E10018");
  EXPECT_EQ(code("--input_shape=a:-1;b:", {"--dynamic_batch_size=1,2"}), "E10012");
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=1;2"}), "E10003");
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=1"}), "E10035");
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=0,1"}), "E10038");
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=2,2"}), "E10039");
  EXPECT_EQ(code("--input_shape=a:-1,3,-1,-1", {"--dynamic_image_size=1,2;3,4"}), "E10019");
  EXPECT_EQ(code(any_image, {"--dynamic_image_size=1,2;3"}), "E10020");
  EXPECT_EQ(code(any_image, {"--dynamic_image_size=1,2;1,2"}), "E10039");
  EXPECT_EQ(code(any_image, {"--dynamic_image_size=1,2;3,4", "--input_format=ND"}), "E10001");
  EXPECT_EQ(code(any_image, {"--dynamic_dims=1;2"}), "E10045");
  EXPECT_EQ(code(any_image, {"--dynamic_dims=1,2,3;4,5,6"}), "E10046");
  EXPECT_EQ(code(any_image, {"--dynamic_dims=1,2;3"}), "E10037");
  EXPECT_EQ(code(any_image, {"--dynamic_dims=1,2;3,4", "--insert_op_conf=" + Path("m.onnx")}),
            "E10001");
  std::string many = "1";
  for (int i = 2; i <= 100; ++i) many += "," + std::to_string(i);
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=" + many}), "");
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=" + many + ",101"}), "E10036");
  EXPECT_EQ(code(any_batch, {"--dynamic_batch_size=1,2,"}), "");
  ASSERT_EQ(gears_.gears.size(), 2u);
  EXPECT_EQ(gears_.gears[1].values, std::vector<int64_t>{2});
  EXPECT_EQ(code("--input_shape=a:-1,3;b:2,-1", {"--dynamic_dims=1,5;2,6"}), "");
  EXPECT_EQ(gears_.gears[1].input_shapes["b"], (Dims{2, 6}));
  EXPECT_EQ(gears_.open_shapes[1].second, (std::vector<int64_t>{2, -1}));
}

}  // namespace
}  // namespace cairn::atc
