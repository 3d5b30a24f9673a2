// SPDX-License-Identifier: Apache-2.0
// Reads and verifies an untrusted serialised program.
#include <cstring>

#include "base/hash.h"
#include "executable/program.h"
#include "executable/program_checks.h"
#include "executable/program_file.h"
#include "executable/program_generated.h"

namespace cairn {
namespace {

Status Corrupt(const std::string& what) { return CorruptProgram(what); }

/// Resolves ranges into the pools; remembers the first range that leaves its pool.
class PoolReader {
 public:
  explicit PoolReader(const fb::ProgramFile& file) : file_(file) {}
  bool ok() const { return ok_; }

  std::string Text(const fb::Range& range) {
    if (!Fits(range, file_.text()) || range.count() == 0) return {};
    const auto* data = reinterpret_cast<const char*>(file_.text()->data());
    return std::string(data + range.begin(), range.count());
  }
  std::string Text(const fb::Range* range) { return range ? Text(*range) : std::string(); }
  std::vector<std::string> Texts(const fb::Range& range) {
    std::vector<std::string> values;
    if (!Fits(range, file_.text_ranges())) return values;
    for (uint32_t i = 0; i < range.count() && ok_; ++i) {
      values.push_back(Text(*file_.text_ranges()->Get(range.begin() + i)));
    }
    return values;
  }
  std::vector<int64_t> Ints(const fb::Range& r) { return Scalars<int64_t>(r, file_.ints()); }
  std::vector<double> Reals(const fb::Range& r) { return Scalars<double>(r, file_.reals()); }
  std::vector<uint32_t> Indices(const fb::Range& r) {
    return Scalars<uint32_t>(r, file_.indices());
  }
  TaskAttributes Attributes(const fb::Range& range) {
    TaskAttributes attributes;
    if (!Fits(range, file_.attributes())) return attributes;
    for (uint32_t i = 0; i < range.count() && ok_; ++i) {
      const fb::AttributeRecord& record = *file_.attributes()->Get(range.begin() + i);
      attributes[Text(record.name())] = Value(record);
    }
    return attributes;
  }

 private:
  template <class Vector>
  bool Fits(const fb::Range& range, const Vector* pool) {
    const uint64_t size = pool ? pool->size() : 0;
    ok_ = ok_ && uint64_t{range.begin()} + range.count() <= size;
    return ok_;
  }
  template <class T, class Vector>
  std::vector<T> Scalars(const fb::Range& range, const Vector* pool) {
    std::vector<T> values;
    if (!Fits(range, pool)) return values;
    values.reserve(range.count());
    for (uint32_t i = 0; i < range.count(); ++i) values.push_back(pool->Get(range.begin() + i));
    return values;
  }
  TaskAttribute Value(const fb::AttributeRecord& record) {
    switch (record.kind()) {
      case 0:
        return record.integer();
      case 1:
        return record.real();
      case 2:
        return Text(record.range());
      case 3:
        return Ints(record.range());
      case 4:
        return Reals(record.range());
      default:
        ok_ = false;
        return int64_t{0};
    }
  }

  const fb::ProgramFile& file_;
  bool ok_ = true;
};

std::vector<ProgramIo> ReadIo(const flatbuffers::Vector<const fb::IoRecord*>* records,
                              PoolReader& pools) {
  std::vector<ProgramIo> list;
  for (uint32_t i = 0; records && i < records->size(); ++i) {
    const fb::IoRecord& record = *records->Get(i);
    list.push_back({pools.Text(record.name()), static_cast<ElementType>(record.dtype()),
                    pools.Ints(record.dims()), record.bytes(), record.tensor()});
  }
  return list;
}

void ReadRecords(const fb::ProgramFile& file, PoolReader& pools, Program& program) {
  if (file.tensors()) program.tensors.reserve(file.tensors()->size());
  for (uint32_t i = 0; file.tensors() && i < file.tensors()->size(); ++i) {
    const fb::TensorRecord& r = *file.tensors()->Get(i);
    program.tensors.push_back({static_cast<ElementType>(r.dtype()), static_cast<Layout>(r.layout()),
                               static_cast<Storage>(r.storage()), r.io_index(), r.offset(),
                               r.bytes(), pools.Ints(r.dims())});
  }
  if (file.tasks()) program.tasks.reserve(file.tasks()->size());
  for (uint32_t i = 0; file.tasks() && i < file.tasks()->size(); ++i) {
    const fb::TaskRecord& r = *file.tasks()->Get(i);
    program.tasks.push_back({pools.Text(r.kernel()), pools.Text(r.op_type()), pools.Text(r.name()),
                             pools.Texts(r.origins()), pools.Indices(r.inputs()),
                             pools.Indices(r.outputs()), pools.Attributes(r.attributes()),
                             r.max_parts(), r.flops(), r.traffic_bytes()});
  }
  program.inputs = ReadIo(file.inputs(), pools);
  program.outputs = ReadIo(file.outputs(), pools);
}

/// Offsets in the file count from the first aligned byte after `own_end`.
void ReadGears(const fb::ProgramFile& file, uint64_t own_end, uint64_t bytes, PoolReader& pools,
               Program& program) {
  program.shape_kind = static_cast<ShapeKind>(file.shape_kind());
  const uint64_t base = (own_end + kGearAlignment - 1) / kGearAlignment * kGearAlignment;
  for (uint32_t i = 0; file.gears() && i < file.gears()->size(); ++i) {
    const fb::GearRecord& r = *file.gears()->Get(i);
    // An offset that wraps is far outside the file.
    const uint64_t offset = r.offset() > bytes ? UINT64_MAX : base + r.offset();
    program.gears.push_back({pools.Ints(r.values()), pools.Ints(r.input_dims()),
                             pools.Ints(r.output_dims()), offset, r.bytes()});
  }
}

/// FlatBuffers verifies bounds of vectors, not the alignment of 8-byte elements.
template <class Vector>
bool Aligned(const Vector* vector) {
  return !vector || vector->size() == 0 ||
         reinterpret_cast<uintptr_t>(vector->Data()) % alignof(uint64_t) == 0;
}

bool AllAligned(const fb::ProgramFile& file) {
  return Aligned(file.ints()) && Aligned(file.reals()) && Aligned(file.tensors()) &&
         Aligned(file.attributes()) && Aligned(file.tasks()) && Aligned(file.inputs()) &&
         Aligned(file.outputs()) && Aligned(file.gears());
}

/// Strips and checks the frame; the data is copied so that it is aligned.
Result<std::vector<uint64_t>> ReadFrame(std::span<const std::byte> bytes, size_t* data_bytes) {
  ProgramFrame frame;
  if (bytes.size() < sizeof(frame)) return Corrupt("it is shorter than its header");
  std::memcpy(&frame, bytes.data(), sizeof(frame));
  if (std::memcmp(frame.magic, kProgramMagic, sizeof(frame.magic)) != 0) {
    return Status(Code::kIncompatible, "the file holds no Cairn program");
  }
  if (frame.frame_version != 1) {
    return Status(Code::kIncompatible,
                  StrCat("the program has frame version ", frame.frame_version,
                         ", this build reads version 1; rebuild the model with atc"));
  }
  auto data = bytes.subspan(sizeof(frame));
  if (frame.data_bytes > data.size()) {
    return Corrupt(StrCat("it has ", data.size(), " bytes, its header says ", frame.data_bytes));
  }
  data = data.first(frame.data_bytes);
  if (frame.reserved != 0 || HashBytes(data) != frame.checksum)
    return Corrupt("the checksum differs");
  std::vector<uint64_t> aligned(data.size() / 8 + 1);
  std::memcpy(aligned.data(), data.data(), data.size());
  *data_bytes = data.size();
  return aligned;
}

}  // namespace

Result<Program> ReadProgram(std::span<const std::byte> bytes) {
  size_t size = 0;
  ASSIGN_OR_RETURN(const std::vector<uint64_t> data, ReadFrame(bytes, &size));
  const auto* begin = reinterpret_cast<const uint8_t*>(data.data());
  flatbuffers::Verifier verifier(begin, size);
  if (!fb::VerifyProgramFileBuffer(verifier)) return Corrupt("its tables are malformed");
  const fb::ProgramFile& file = *fb::GetProgramFile(begin);
  if (!AllAligned(file)) return Corrupt("a table is misaligned");
  const uint32_t schema = file.shape_kind() == 0 ? kProgramSchemaVersion : kDynamicSchemaVersion;
  if (file.schema_version() != schema || file.packing_version() != kPackingVersion) {
    return Status(
        Code::kIncompatible,
        StrCat("the model has schema ", file.schema_version(), " and packing ",
               file.packing_version(), ", this build reads schema ", schema, " and packing ", kPackingVersion, "; rebuild the model with atc"));
  }
  Program program;
  program.isa = file.isa();
  program.c0 = file.c0();
  program.planned_cores = file.planned_cores();
  program.arena_bytes = file.arena_bytes();
  program.weights_bytes = file.weights_bytes();
  PoolReader pools(file);
  program.compiler_version = pools.Text(file.compiler_version());
  program.soc_name = pools.Text(file.soc_name());
  program.model_name = pools.Text(file.model_name());
  ReadRecords(file, pools, program);
  const uint64_t own_end = sizeof(ProgramFrame) + size;
  if (file.constants()) {
    const auto* constants = reinterpret_cast<const std::byte*>(file.constants()->data());
    program.constants.assign(constants, constants + file.constants()->size());
  }
  ReadGears(file, own_end, bytes.size(), pools, program);
  if (!pools.ok()) return Corrupt("an index range leaves its table");
  RETURN_IF_ERROR(CheckProgram(program, own_end, bytes.size()));
  return program;
}

}  // namespace cairn
