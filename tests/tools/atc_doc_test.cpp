// SPDX-License-Identifier: Apache-2.0
// Fails when the option tables of docs/atc.md differ from atc's own; `--update` rewrites them.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "tools/atc/option.h"

int main(int argc, char** argv) {
  const std::string path = CAIRN_ATC_DOC;
  std::ostringstream stream;
  stream << std::ifstream(path).rdbuf();
  const std::string text = stream.str();
  const std::string begin = "<!-- options: begin -->\n";
  const size_t from = text.find(begin);
  const size_t to = text.find("<!-- options: end -->");
  if (from == std::string::npos || to == std::string::npos) {
    std::fprintf(stderr, "%s: the markers of the option tables are missing\n", path.c_str());
    return 1;
  }
  const std::string wanted =
      text.substr(0, from) + begin + cairn::atc::OptionTableMarkdown() + "\n" + text.substr(to);
  if (wanted == text) return 0;
  if (argc > 1 && std::string_view(argv[1]) == "--update") {
    std::ofstream(path) << wanted;
    return 0;
  }
  std::fprintf(stderr, "%s: the option tables are out of date; run %s --update\n", path.c_str(),
               argv[0]);
  return 1;
}
