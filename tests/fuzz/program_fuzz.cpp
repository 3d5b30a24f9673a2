// SPDX-License-Identifier: Apache-2.0
// Fuzz target: the reader of programs. The frame's checksum is repaired first, so that mutations reach
// the tables behind it; what is accepted must survive a write-read round trip.
#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "executable/program.h"
#include "executable/program_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  (void)cairn::ReadProgram(bytes).ok();
  if (size < sizeof(cairn::ProgramFrame)) return 0;
  cairn::ProgramFrame frame{};
  std::memcpy(frame.magic, cairn::kProgramMagic, sizeof(frame.magic));
  frame.frame_version = 1;
  frame.data_bytes = size - sizeof(frame);
  frame.checksum = cairn::HashBytes(std::span(bytes).subspan(sizeof(frame)));
  std::memcpy(bytes.data(), &frame, sizeof(frame));
  auto program = cairn::ReadProgram(bytes);
  if (!program.ok()) return 0;
  std::vector<std::span<const std::byte>> gears;
  for (const cairn::ProgramGear& gear : program->gears)
    gears.push_back(std::span<const std::byte>(bytes).subspan(gear.offset, gear.bytes));
  auto written = cairn::WriteProgram(*program, gears);
  CAIRN_CHECK(written.ok() && cairn::ReadProgram(*written).ok(), "an accepted program reads back");
  return 0;
}
