// SPDX-License-Identifier: Apache-2.0
// Entry point of atc.
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "command.h"

int main(int argc, char** argv) {
  // A reader that closes the pipe must not end a compilation half way.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const std::vector<std::string> words(argv, argv + argc);
    return cairn::atc::RunCommand(words);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "ERROR: memory is exhausted\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ERROR: %s\n", error.what());
  }
  std::printf(
      "ATC run failed, Please check the detail log, Try 'atc --help' for more information\n");
  return 255;
}
