// SPDX-License-Identifier: Apache-2.0
// Runs the command lines of atc_command_lines.txt and compares their results.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/strings.h"
#include "tools/atc/build.h"
#include "tools/atc/conduct.h"
#include "tools/atc/inspect.h"

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
  compiler::CompileOptions options;
  std::vector<std::string> notes;
  switch (arguments.GetInt("mode")) {
    case 0:
      MakeCompileOptions(arguments, options, notes, report);
      break;
    case 1:
      RunToJson(arguments, report);
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

TEST(AtcCommandLines, HaveTheListedResults) {
  const fs::path folder = fs::path(testing::TempDir()) / ("atc_lines_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "model") << "not a model";
  std::ifstream file(CAIRN_COMMAND_LINES);
  ASSERT_TRUE(file.is_open());
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    ReplaceAll(line, "MODEL", (folder / "model").string());
    ReplaceAll(line, "NONE", (folder / "none").string());
    std::vector<std::string> words = SplitWords(line);
    const std::string expected = words.front();
    words.erase(words.begin());
    EXPECT_EQ(ResultOf(words), expected) << "line " << number << ": " << line;
  }
  EXPECT_GT(number, 80);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace cairn::atc
