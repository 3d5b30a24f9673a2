// SPDX-License-Identifier: Apache-2.0
// Fuzz target: atc's command line, its shape grammar and its rules on profiles. One word a line.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "arguments.h"
#include "conduct.h"
#include "input_shape.h"
#include "profiles.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn::atc;
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::string> words;
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  Arguments arguments;
  cairn::ErrorReport report;
  std::string complaint;
  if (!ParseArguments(words, arguments, complaint, report)) return 0;
  std::vector<InputShape> shapes;
  if (ParseInputShapes(arguments.Get("input_shape"), shapes, report)) {
    cairn::compiler::GearOptions gears;
    CheckProfiles(arguments, shapes, gears, report);
  }
  CheckSupported(arguments, report);
  (void)NotesOnOptions(arguments);
  (void)report.Text();
  return 0;
}
