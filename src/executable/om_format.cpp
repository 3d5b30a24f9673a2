// SPDX-License-Identifier: Apache-2.0
// Public data type numbers, the input/output records, the header checksum.
#include "executable/om_format.h"

#include <cstring>

#include "base/hash.h"

namespace cairn {
namespace {

enum class InoutTag : uint32_t {
  kInputs = 0,
  kOutputs = 1,
  kBatchGears = 2,
  kImageGears = 3,
  kDimsGears = 4,
};

// Record in front of name, dims, dims after preprocessing (equal to dims here).
struct InoutRecord {
  uint64_t bytes;
  int32_t format;
  int32_t dtype;
  uint32_t name_bytes;
  uint32_t dims_bytes;
  uint32_t dims_v2_bytes;
  uint32_t range_bytes;
};
static_assert(sizeof(InoutRecord) == 32);

void Append(std::vector<std::byte>& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void AppendU32(std::vector<std::byte>& out, uint32_t value) { Append(out, &value, sizeof(value)); }

void AppendTagged(InoutTag tag, const std::vector<std::byte>& block, std::vector<std::byte>& out) {
  AppendU32(out, static_cast<uint32_t>(tag));
  AppendU32(out, static_cast<uint32_t>(block.size()));
  Append(out, block.data(), block.size());
}

void AppendBlock(InoutTag tag, std::span<const OmTensorInfo> tensors, std::vector<std::byte>& out) {
  if (tensors.empty()) return;
  std::vector<std::byte> block;
  AppendU32(block, static_cast<uint32_t>(tensors.size()));
  for (const OmTensorInfo& tensor : tensors) {
    InoutRecord record{};
    record.bytes = tensor.bytes;
    record.format = tensor.format;
    record.dtype = PublicDataType(tensor.dtype);
    record.name_bytes = static_cast<uint32_t>(tensor.name.size());
    record.dims_bytes = static_cast<uint32_t>(tensor.dims.size() * sizeof(int64_t));
    record.dims_v2_bytes = record.dims_bytes;
    Append(block, &record, sizeof(record));
    Append(block, tensor.name.data(), record.name_bytes);
    Append(block, tensor.dims.data(), record.dims_bytes);
    Append(block, tensor.dims.data(), record.dims_v2_bytes);
  }
  AppendTagged(tag, block, out);
}

InoutTag TagOf(ShapeKind kind) {
  if (kind == ShapeKind::kBatchGears) return InoutTag::kBatchGears;
  return kind == ShapeKind::kImageGears ? InoutTag::kImageGears : InoutTag::kDimsGears;
}

// Count, the lengths of all but batch gears, values.
void AppendGears(ShapeKind kind, std::span<const ProgramGear> gears, std::vector<std::byte>& out) {
  if (gears.empty()) return;
  std::vector<std::byte> block;
  AppendU32(block, static_cast<uint32_t>(gears.size()));
  if (kind != ShapeKind::kBatchGears) {
    for (const ProgramGear& gear : gears)
      AppendU32(block, static_cast<uint32_t>(gear.values.size()));
  }
  for (const ProgramGear& gear : gears)
    Append(block, gear.values.data(), gear.values.size() * sizeof(int64_t));
  AppendTagged(TagOf(kind), block, out);
}

}  // namespace

int32_t PublicDataType(ElementType dtype) {
  switch (dtype) {
    case ElementType::kF32:
      return 0;
    case ElementType::kF16:
      return 1;
    case ElementType::kI8:
      return 2;
    case ElementType::kI32:
      return 3;
    case ElementType::kU8:
      return 4;
    case ElementType::kI16:
      return 6;
    case ElementType::kU16:
      return 7;
    case ElementType::kU32:
      return 8;
    case ElementType::kI64:
      return 9;
    case ElementType::kU64:
      return 10;
    case ElementType::kF64:
      return 11;
    case ElementType::kBool:
      return 12;
    case ElementType::kString:
      return 13;
    case ElementType::kC64:
      return 16;
    case ElementType::kC128:
      return 17;
    case ElementType::kBf16:
      return 27;
    case ElementType::kI4:
      return 29;
    default:
      return 28;
  }
}

std::vector<std::byte> WriteInoutInfo(std::span<const OmTensorInfo> inputs,
                                      std::span<const OmTensorInfo> outputs, ShapeKind kind,
                                      std::span<const ProgramGear> gears) {
  std::vector<std::byte> bytes;
  AppendBlock(InoutTag::kInputs, inputs, bytes);
  AppendBlock(InoutTag::kOutputs, outputs, bytes);
  AppendGears(kind, gears, bytes);
  return bytes;
}

uint64_t OmChecksum(const OmHeader& header, std::span<const std::byte> table,
                    std::span<const std::byte> inout_info) {
  const auto head = std::as_bytes(std::span(&header, 1)).first(offsetof(OmHeader, cairn_checksum));
  return HashBytes(inout_info, HashBytes(table, HashBytes(head)));
}

}  // namespace cairn
