// SPDX-License-Identifier: Apache-2.0
// Runs the command lines of the two lists beside this file and compares their results.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/strings.h"
#include "tools/atc/build.h"
#include "tools/atc/conduct.h"
#include "tools/atc/inspect.h"
#include "tools/atc/pre_check.h"
#include "tools/atc/raw_options.h"

namespace cairn::atc {
namespace {

namespace fs = std::filesystem;

// Words at blanks; double quotes keep blanks and are dropped.
std::vector<std::string> SplitWords(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false;
  bool in_word = false;
  for (char c : line) {
    if (c == '"') quoted = !quoted;
    const bool blank = c == ' ' && !quoted;
    if (!blank && !in_word) words.emplace_back();
    in_word = !blank;
    if (!blank && c != '"') words.back().push_back(c);
  }
  return words;
}

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// The result of a command line up to reading the model.
std::string ResultOf(const std::vector<std::string>& words) {
  Arguments arguments;
  ErrorReport report;
  std::string complaint;
  if (!ParseArguments(words, arguments, complaint, report)) {
    return complaint.empty() ? report.code() : "stderr";
  }
  std::vector<std::string> raw;
  if (!ReadRawOptions(arguments, raw, report)) return report.code();
  compiler::CompileOptions options;
  std::vector<std::string> notes;
  switch (arguments.GetInt("mode")) {
    case 0:
      MakeCompileOptions(arguments, options, notes, report);
      break;
    case 1:
      RunToJson(arguments, report);
      break;
    case 3:
      RunPreCheck(arguments, report);
      break;
    case 5:
      RunTextToJson(arguments, report);
      break;
    case 6:
      RunDisplay(arguments, report);
      break;
    default:
      CheckSupported(arguments, report);
      break;
  }
  return report.has_error() ? report.code() : "ok";
}

struct SideFile {
  const char *word, *contents;
};

// Files that the lines name, each with contents that fit its option.
constexpr SideFile kSideFiles[] = {{"MODEL", "not a model"},
                                   {"INI", "[ByOpType]\nSoftmaxV2=high_performance\n"},
                                   {"SWITCH", "ALL:on\n"},
                                   {"KEEP", "OpType::Softmax\n"},
                                   {"MIX", R"({"white-list": {"to-add": ["Exp"]}})"},
                                   {"TYPES", "node::InputDtype:float16,OutputDtype:float32\n"},
                                   {"AIPP",
                                    "aipp_op { aipp_mode: static input_format: RGB888_U8\n"
                                    "src_image_size_w: 224 src_image_size_h: 224 }\n"}};

class AtcCommandLines : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("atc_lines_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    for (const SideFile& file : kSideFiles) {
      std::ofstream(folder_ / ToLower(file.word)) << file.contents;
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string ToLower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  void ExpectListedResults(const std::string& path, int at_least) {
    std::ifstream file(path);
    ASSERT_TRUE(file.is_open());
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (line.empty() || line[0] == '#') continue;
      for (const SideFile& side : kSideFiles) {
        ReplaceAll(line, side.word, (folder_ / ToLower(side.word)).string());
      }
      ReplaceAll(line, "NONE", (folder_ / "none").string());
      std::vector<std::string> words = SplitWords(line);
      const std::string expected = words.front();
      words.erase(words.begin());
      const std::string result = ResultOf(words);
      const bool valid = expected == "valid" && (result == "ok" || result == "E10055");
      EXPECT_TRUE(valid || result == expected)
          << "line " << number << ": " << line << "\ngives " << result << ", expected " << expected;
    }
    EXPECT_GE(number, at_least);
  }

  fs::path folder_;
};

TEST_F(AtcCommandLines, OfEveryKind) { ExpectListedResults(CAIRN_COMMAND_LINES, 130); }

TEST_F(AtcCommandLines, OfPublicModelCollections) {
  ExpectListedResults(CAIRN_PUBLIC_COMMAND_LINES, 160);
}

}  // namespace
}  // namespace cairn::atc
