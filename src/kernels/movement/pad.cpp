// SPDX-License-Identifier: Apache-2.0
// Maps every output row to a source row or to the constant; copies the inside of rows at once.
#include "kernels/movement/pad.h"

#include <cstring>

namespace cairn::kernels {
namespace {

// The source index for `index` (relative to the source's start), or -1 for the constant.
int64_t MapIndex(PadMode mode, int64_t index, int64_t size) {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case PadMode::kConstant:
      return -1;
    case PadMode::kEdge:
      return index < 0 ? 0 : size - 1;
    case PadMode::kWrap:
      return (index % size + size) % size;
    case PadMode::kReflect: {
      if (size == 1) return 0;
      const int64_t period = 2 * (size - 1), at = (index % period + period) % period;
      return at < size ? at : period - at;
    }
  }
  return -1;
}

class Padder {
 public:
  Padder(const PadParams& params, const PadBuffers& buffers) : p_(params), b_(buffers) {
    // Inner dimensions without padding form one unit that is copied as a whole.
    last_ = p_.rank - 1;
    unit_ = p_.element_bytes;
    while (last_ > 0 && p_.begin[last_] == 0 && p_.src_dims[last_] == p_.dst_dims[last_]) {
      unit_ *= p_.src_dims[last_--];
    }
    std::memset(value_, 0, sizeof value_);
    if (b_.value != nullptr) std::memcpy(value_, b_.value, p_.element_bytes);
  }

  void Run(Part part) const {
    if (p_.rank == 0) {
      if (part.index == 0) std::memcpy(b_.dst, b_.src, p_.element_bytes);
      return;
    }
    int64_t rows = 1;
    for (int i = 0; i < last_; ++i) rows *= p_.dst_dims[i];
    const Range range = PartRange(rows, 1, part);
    for (int64_t row = range.begin; row < range.end; ++row) Row(row);
  }

 private:
  void Row(int64_t row) const {
    char* dst = static_cast<char*>(b_.dst) + row * p_.dst_dims[last_] * unit_;
    int64_t src_row = 0, scale = 1;
    bool constant = false;
    for (int i = last_ - 1; i >= 0; --i) {
      const int64_t at = MapIndex(p_.mode, row % p_.dst_dims[i] - p_.begin[i], p_.src_dims[i]);
      row /= p_.dst_dims[i];
      constant = constant || at < 0;
      src_row += at * scale;
      scale *= p_.src_dims[i];
    }
    const int64_t size = p_.src_dims[last_], width = p_.dst_dims[last_], begin = p_.begin[last_];
    const char* src = static_cast<const char*>(b_.src) + src_row * size * unit_;
    const int64_t inside0 = std::clamp<int64_t>(begin, 0, width);
    const int64_t inside1 = constant ? inside0 : std::clamp(begin + size, inside0, width);
    for (int64_t i = 0; i < inside0; ++i) Outside(src, constant, i, dst);
    if (inside1 > inside0) {
      std::memcpy(dst + inside0 * unit_, src + (inside0 - begin) * unit_,
                  (inside1 - inside0) * unit_);
    }
    for (int64_t i = inside1; i < width; ++i) Outside(src, constant, i, dst);
  }

  void Outside(const char* src, bool constant, int64_t i, char* dst) const {
    const int64_t at = constant ? -1 : MapIndex(p_.mode, i - p_.begin[last_], p_.src_dims[last_]);
    if (at >= 0) {
      std::memcpy(dst + i * unit_, src + at * unit_, unit_);
      return;
    }
    for (int64_t k = 0; k < unit_; k += p_.element_bytes) {
      std::memcpy(dst + i * unit_ + k, value_, p_.element_bytes);
    }
  }

  const PadParams& p_;
  const PadBuffers& b_;
  int last_;
  int64_t unit_;  // Bytes.
  char value_[16];
};

}  // namespace

void RunPad(const PadParams& params, const PadBuffers& buffers, int /*phase*/, Part part) {
  for (int i = 0; i < params.rank; ++i) {
    if (params.dst_dims[i] == 0) return;
  }
  Padder(params, buffers).Run(part);
}

}  // namespace cairn::kernels
