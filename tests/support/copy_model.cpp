// SPDX-License-Identifier: Apache-2.0
// Builds the copying model.
#include "support/copy_model.h"

#include <functional>
#include <numeric>

#include "executable/om_writer.h"
#include "kernels/isa.h"

namespace cairn::testing {
namespace {

constexpr uint64_t kAlignment = 64;

uint64_t BytesOf(const CopyPair& pair) {
  const int64_t count =
      std::accumulate(pair.dims.begin(), pair.dims.end(), int64_t{1}, std::multiplies<>());
  return ElementBytes(pair.dtype, static_cast<size_t>(count));
}

Task CopyTask(const std::string& name, uint32_t from, uint32_t to) {
  Task task;
  task.kernel = "copy";
  task.op_type = "Identity";
  task.name = name;
  task.origins = {name};
  task.inputs = {from};
  task.outputs = {to};
  return task;
}

}  // namespace

Program CopyProgram(const std::vector<CopyPair>& pairs) {
  Program program;
  program.compiler_version = "test";
  program.soc_name = "native";
  program.isa = static_cast<uint8_t>(kernels::Isa::kAvx2);
  program.model_name = "copy";
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    const CopyPair& pair = pairs[i];
    const uint64_t bytes = BytesOf(pair);
    const auto first = static_cast<uint32_t>(program.tensors.size());
    const auto add = [&](Storage storage, uint64_t offset) {
      program.tensors.push_back({pair.dtype, Layout::kPlain, storage,
                                 storage == Storage::kArena ? 0 : i, offset, bytes, pair.dims});
    };
    add(Storage::kInput, 0);
    add(Storage::kArena, program.arena_bytes);
    add(Storage::kOutput, 0);
    program.arena_bytes += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    program.inputs.push_back({pair.input, pair.dtype, pair.dims, bytes, first});
    program.outputs.push_back({pair.output, pair.dtype, pair.dims, bytes, first + 2});
    program.tasks.push_back(CopyTask(pair.input + "_in", first, first + 1));
    program.tasks.push_back(CopyTask(pair.output + "_out", first + 1, first + 2));
  }
  return program;
}

void WriteCopyModel(const std::string& path, const std::vector<CopyPair>& pairs) {
  WriteProgramModel(path, CopyProgram(pairs));
}

void WriteProgramModel(const std::string& path, const Program& program) {
  Result<std::vector<std::byte>> bytes = WriteProgram(program);
  CAIRN_CHECK(bytes.ok(), "the test program is valid");
  OmContents contents;
  contents.model_name = program.model_name;
  contents.platform_version = "test";
  contents.task_info = *bytes;
  const std::vector<std::byte> model_def(OmModelDefPadding(contents, 0), std::byte{0});
  contents.model_def = model_def;
  const Status written = WriteOmFile(path, contents);
  CAIRN_CHECK(written.ok(), "the test model can be written");
}

}  // namespace cairn::testing
