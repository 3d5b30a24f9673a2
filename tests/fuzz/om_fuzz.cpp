// SPDX-License-Identifier: Apache-2.0
// Fuzz target: the reader of the `.om` container, and of the program inside it.
#include <memory>
#include <span>
#include <vector>

#include "executable/om_reader.h"
#include "executable/program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto file = cairn::OmFile::FromMemory(std::as_bytes(std::span(data, size)));
  if (!file.ok()) return 0;
  auto image = file->Image();
  if (image.ok()) (void)cairn::ReadProgram(image->program).ok();
  return 0;
}
