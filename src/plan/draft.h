// SPDX-License-Identifier: Apache-2.0
// Draft: a program under construction: tensors that may lie inside each other, tasks, constants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "executable/program.h"
#include "ir/tensor.h"

namespace cairn::plan {

using TensorId = uint32_t;  ///< Index into Draft::tensors; kNoTensor for none.

inline constexpr uint64_t kWeightAlignment = 512;
inline constexpr uint64_t kArenaAlignment = 64;

inline uint64_t AlignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The weights section; equal constants are stored once.
class WeightStore {
 public:
  /// The offset of these bytes, a multiple of kWeightAlignment.
  uint64_t Add(std::span<const std::byte> bytes);
  uint64_t size() const { return bytes_.size(); }
  std::vector<std::byte> Take() { return std::move(bytes_); }
  const std::byte* data() const { return bytes_.data(); }

 private:
  struct Entry {
    uint64_t offset, size;
  };
  std::vector<std::byte> bytes_;
  std::unordered_multimap<uint64_t, Entry> by_hash_;
};

struct DraftTensor {
  ElementType dtype = ElementType::kUndefined;
  Layout layout = Layout::kPlain;
  Shape dims;
  uint64_t bytes = 0;
  Storage storage = Storage::kArena;  ///< Of the root; others inherit it.
  uint32_t io_index = 0;
  TensorId base = kNoTensor;  ///< The tensor it lies inside of.
  uint64_t offset =
      0;  ///< Inside `base`; for a root: in its storage (arena: set by memory planning).
  std::string name;
};

struct DraftTask {
  Task task;  ///< Operands are TensorIds.
  double cycles = 0;
  /// Inputs whose memory the first output may take over when nothing reads them afterwards.
  std::vector<uint32_t> reusable_inputs;
};

/// Where a tensor really lies.
struct Place {
  TensorId root;
  uint64_t offset;
};

struct Draft {
  std::vector<DraftTensor> tensors;
  std::vector<DraftTask> tasks;
  WeightStore weights;
  Storage constants = Storage::kWeights;  ///< Where `weights` will lie.

  TensorId AddTensor(DraftTensor tensor) {
    tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(tensors.size() - 1);
  }
  Place Locate(TensorId id) const;
  Storage StorageOf(TensorId id) const { return tensors[Locate(id).root].storage; }
  /// True when `id` fills its root from the first to the last byte.
  bool FillsRoot(TensorId id) const;
  /// Puts `id`, a root in the arena, inside `base` at `offset` bytes.
  void PlaceInside(TensorId id, TensorId base, uint64_t offset);
};

}  // namespace cairn::plan
