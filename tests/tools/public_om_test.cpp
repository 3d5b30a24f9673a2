// SPDX-License-Identifier: Apache-2.0
// Reads offline models of the original tool chain; scripts/fetch_public_om.sh gets them.
#include "atc_command.h"

namespace cairn {
namespace {

using Json = nlohmann::json;

class PublicOm : public AtcCommand {
 protected:
  void SetUp() override {
    AtcCommand::SetUp();
    if (!fs::exists(FileOf("flow_model"))) GTEST_SKIP() << "run scripts/fetch_public_om.sh first";
  }
  static std::string FileOf(const std::string& name) {
    return StrCat(CAIRN_PUBLIC_OM_DIR, "/", name, ".om");
  }
  Json JsonOf(const std::string& name) {
    const Outcome outcome = Run({"--mode=1", "--om=" + FileOf(name), "--json=o.json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    return Json::parse(ReadFile(Path("o.json")), nullptr, false);
  }
};

// Names of attributes that are kept as numbers begin with a zero byte.
void ExpectPlainKeys(const Json& json) {
  if (json.is_object() && json.contains("key")) {
    const auto key = json["key"].get<std::string>();
    EXPECT_TRUE(key.empty() || key[0] != '\0') << json.dump();
  }
  for (const Json& inner : json) {
    if (inner.is_structured()) ExpectPlainKeys(inner);
  }
}

TEST_F(PublicOm, GraphsAreShown) {
  for (const char* name : {"root_model", "dynamic_and_static_graph_without_unfold", "flow_model"}) {
    const Json json = JsonOf(name);
    ASSERT_TRUE(json.contains("graph")) << name;
    EXPECT_GT(json["graph"][0]["op"].size(), 0u) << name;
    ExpectPlainKeys(json);
    EXPECT_EQ(json.dump().find("attr_name_enum"), std::string::npos) << name;
  }
}

TEST_F(PublicOm, SummariesAreShown) {
  for (const char* name : {"root_model", "dynamic_and_static_graph_without_unfold", "flow_model"}) {
    const Outcome outcome = Run({"--mode=6", "--om=" + FileOf(name)});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    EXPECT_NE(outcome.out.find("============ Display Model Info end   ============"),
              std::string::npos);
  }
}

TEST_F(PublicOm, NothingRunsThem) {
  auto om = OmFile::Map(FileOf("root_model"));
  ASSERT_TRUE(om.ok());
  EXPECT_EQ(om->Image().status().code(), Code::kIncompatible);
}

}  // namespace
}  // namespace cairn
