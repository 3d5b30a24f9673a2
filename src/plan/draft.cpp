// SPDX-License-Identifier: Apache-2.0
// Tensors inside tensors, and the store of constants.
#include "plan/draft.h"

#include <cstring>

#include "base/check.h"
#include "base/hash.h"

namespace cairn::plan {

uint64_t WeightStore::Add(std::span<const std::byte> bytes) {
  const uint64_t hash = HashBytes(bytes);
  auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (it->second.size == bytes.size() &&
        std::memcmp(bytes_.data() + it->second.offset, bytes.data(), bytes.size()) == 0) {
      return it->second.offset;
    }
  }
  const uint64_t offset = AlignUp(bytes_.size(), kWeightAlignment);
  bytes_.resize(offset);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  by_hash_.emplace(hash, Entry{offset, bytes.size()});
  return offset;
}

Place Draft::Locate(TensorId id) const {
  uint64_t offset = 0;
  while (tensors[id].base != kNoTensor) {
    offset += tensors[id].offset;
    id = tensors[id].base;
  }
  return {id, offset};
}

bool Draft::FillsRoot(TensorId id) const {
  const Place place = Locate(id);
  return place.offset == 0 && tensors[id].bytes == tensors[place.root].bytes;
}

void Draft::PlaceInside(TensorId id, TensorId base, uint64_t offset) {
  CAIRN_CHECK(tensors[id].base == kNoTensor && tensors[id].storage == Storage::kArena,
              "only a root in the arena can move into another tensor");
  CAIRN_CHECK(offset + tensors[id].bytes <= tensors[base].bytes, "the inner tensor must fit");
  CAIRN_CHECK(Locate(base).root != id, "a tensor cannot lie inside itself");
  tensors[id].base = base;
  tensors[id].offset = offset;
}

}  // namespace cairn::plan
