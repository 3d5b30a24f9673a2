// SPDX-License-Identifier: Apache-2.0
// Writes docs/operators.md: `operator-docs <file>`, or to standard output without an argument.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "ops/docs.h"

int main(int argc, char** argv) {
  const std::string text = cairn::RenderOperatorDocs();
  if (argc < 2) {
    std::cout << text;
    return 0;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    std::fprintf(stderr, "operator-docs: cannot write '%s'\n", argv[1]);
    return 1;
  }
  return 0;
}
