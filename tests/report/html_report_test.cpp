// SPDX-License-Identifier: Apache-2.0
// The page holds its data, and nothing but its data and itself.
#include "report/html_report.h"

#include <gtest/gtest.h>

#include "planted_profile.h"
#include "report/report_data.h"
#include "report/text_report.h"
#include "support/copy_model.h"

namespace cairn::report {
namespace {

using cairn::testing::PlantedProfile;

/// The JSON inside the page.
Json DataOf(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(HtmlReport, HoldsTasksTypesAdviceAndComparison) {
  PlantedProfile planted, before;
  planted.AddTask("Conv", 600);
  TaskStats& trans = planted.AddTask("TransData", 400);
  planted.task(trans).attributes["reason"] = std::string("kernel needs </script> it");
  planted.AddRun(0, 1000);
  before.AddTask("Conv", 2000);
  before.AddRun(0, 2000);
  const std::string page = HtmlReport(planted.get(), &before.get());
  const Json data = DataOf(page);
  EXPECT_EQ(data["title"], "Profile of planted");
  ASSERT_EQ(data["tasks"].size(), 2u);
  EXPECT_EQ(data["tasks"][1]["reason"], "kernel needs </script> it");
  EXPECT_NEAR(data["types"][0]["share"].get<double>(), 0.6, 1e-9);
  EXPECT_EQ(data["advice"][0]["rule"], "layout-conversions");
  EXPECT_EQ(data["compare"]["run_us"], 2000.0);
  EXPECT_EQ(data["compare"]["types"][0]["before"], 2000.0);
  EXPECT_NE(TextComparison(planted.get(), before.get()).find("2.00 times as fast"),
            std::string::npos);
}

TEST(HtmlReport, RefersToNothingOutside) {
  const std::string page = kReportPage;
  for (const char* reference : {"http:", "https:", "src=", "@import", "url(", "fetch(",
                                "XMLHttpRequest", "innerHTML", "@@CSS@@", "@@JS@@"})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
}

TEST(HtmlReport, AProgramHasAMemoryPictureAndEdgesWithoutTimes) {
  const Program program =
      cairn::testing::CopyProgram({{"x", "y", ElementType::kF32, {1, 3, 4, 4}}});
  const Profile profile = ProfileOfProgram(program);
  const Json data = DataOf(HtmlReportOfProgram(profile, "Model net"));
  EXPECT_FALSE(data["timed"].get<bool>());
  EXPECT_EQ(data["edges"], Json::parse("[[0,1]]"));
  EXPECT_EQ(data["arena"]["tensors"].size(), 1u);
  EXPECT_EQ(data["arena"]["tensors"][0]["last"], 1);
  const std::string text = TextReportOfProgram(profile, program);
  EXPECT_NE(text.find("Layout conversions\n  none"), std::string::npos) << text;
}

}  // namespace
}  // namespace cairn::report
