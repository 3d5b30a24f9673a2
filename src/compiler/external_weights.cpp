// SPDX-License-Identifier: Apache-2.0
// Cuts the weights section into pieces and writes them.
#include "compiler/external_weights.h"

#include <filesystem>
#include <map>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/sha256.h"

namespace cairn::compiler {
namespace {

constexpr const char* kFolder = "weight";

/// Disjoint ranges (offset to end) that the program's constants occupy.
std::map<uint64_t, uint64_t> Pieces(const Program& program) {
  std::map<uint64_t, uint64_t> sorted, pieces;
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.storage != Storage::kWeights || tensor.bytes == 0) continue;
    uint64_t& end = sorted[tensor.offset];
    end = std::max(end, tensor.offset + tensor.bytes);
  }
  for (const auto& [begin, end] : sorted) {
    if (!pieces.empty() && begin < pieces.rbegin()->second) {
      pieces.rbegin()->second = std::max(pieces.rbegin()->second, end);
    } else {
      pieces[begin] = end;
    }
  }
  // The section may end in padding, which counts.
  if (!pieces.empty()) pieces.rbegin()->second = program.weights_bytes;
  return pieces;
}

Status WriteFile(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path.string()));
  RETURN_IF_ERROR(file.Write(bytes));
  return file.Commit();
}

}  // namespace

Result<std::vector<WeightFile>> WriteExternalWeights(const plan::CompiledProgram& compiled,
                                                     const std::string& output_path,
                                                     WeightPlace place) {
  std::vector<WeightFile> files;
  const std::filesystem::path output(output_path);
  const std::filesystem::path folder = output.parent_path();
  const auto write = [&](const std::string& name, uint64_t begin, uint64_t end) {
    const auto bytes = std::span(compiled.weights).subspan(begin, end - begin);
    files.push_back({StrCat(kFolder, "/", name), begin, 0, end - begin, HashBytes(bytes)});
    return WriteFile(folder / kFolder / name, bytes);
  };
  if (compiled.weights.empty()) return files;
  if (place == WeightPlace::kCombined) {
    const std::string name = output.stem().string() + "_weight_combined";
    RETURN_IF_ERROR(write(name, 0, compiled.weights.size()));
    return files;
  }
  for (const auto& [begin, end] : Pieces(compiled.program)) {
    const auto bytes = std::span(compiled.weights).subspan(begin, end - begin);
    RETURN_IF_ERROR(write("weight_" + Sha256Hex(bytes), begin, end));
  }
  return files;
}

}  // namespace cairn::compiler
