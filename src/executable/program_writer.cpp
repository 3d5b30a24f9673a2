// SPDX-License-Identifier: Apache-2.0
// Serialises a program: pools are filled in record order, so equal programs give equal bytes.
#include <cstring>
#include <map>

#include "base/hash.h"
#include "executable/program.h"
#include "executable/program_file.h"
#include "executable/program_generated.h"

namespace cairn {
namespace {

/// The shared pools and the ranges into them. Equal strings share one range.
class Pools {
 public:
  fb::Range Text(const std::string& value) {
    auto [it, inserted] = text_ranges_by_value_.try_emplace(value);
    if (inserted) it->second = Append(text, value.data(), value.size());
    return it->second;
  }
  fb::Range Texts(const std::vector<std::string>& values) {
    std::vector<fb::Range> ranges;
    for (const std::string& value : values) ranges.push_back(Text(value));
    return Append(text_ranges, ranges.data(), ranges.size());
  }
  fb::Range Ints(const std::vector<int64_t>& values) {
    return Append(ints, values.data(), values.size());
  }
  fb::Range Reals(const std::vector<double>& values) {
    return Append(reals, values.data(), values.size());
  }
  fb::Range Indices(const std::vector<uint32_t>& values) {
    return Append(indices, values.data(), values.size());
  }
  fb::Range Attributes(const TaskAttributes& values) {
    std::vector<fb::AttributeRecord> records;
    for (const auto& [name, value] : values) records.push_back(Attribute(name, value));
    return Append(attributes, records.data(), records.size());
  }

  std::vector<uint8_t> text;
  std::vector<fb::Range> text_ranges;
  std::vector<int64_t> ints;
  std::vector<double> reals;
  std::vector<uint32_t> indices;
  std::vector<fb::AttributeRecord> attributes;

 private:
  template <class T, class U>
  static fb::Range Append(std::vector<T>& pool, const U* values, size_t count) {
    const fb::Range range(static_cast<uint32_t>(pool.size()), static_cast<uint32_t>(count));
    pool.insert(pool.end(), values, values + count);
    return range;
  }

  fb::AttributeRecord Attribute(const std::string& name, const TaskAttribute& value) {
    int64_t integer = 0;
    double real = 0;
    fb::Range range(0, 0);
    if (const auto* v = std::get_if<int64_t>(&value)) integer = *v;
    if (const auto* v = std::get_if<double>(&value)) real = *v;
    if (const auto* v = std::get_if<std::string>(&value)) range = Text(*v);
    if (const auto* v = std::get_if<std::vector<int64_t>>(&value)) range = Ints(*v);
    if (const auto* v = std::get_if<std::vector<double>>(&value)) range = Reals(*v);
    return fb::AttributeRecord(integer, real, Text(name), range,
                               static_cast<uint8_t>(value.index()));
  }

  std::map<std::string, fb::Range> text_ranges_by_value_;
};

std::vector<fb::IoRecord> IoRecords(Pools& pools, const std::vector<ProgramIo>& list) {
  std::vector<fb::IoRecord> records;
  for (const ProgramIo& io : list) {
    records.emplace_back(io.bytes, pools.Text(io.name), pools.Ints(io.dims), io.tensor,
                         static_cast<uint8_t>(io.dtype));
  }
  return records;
}

std::vector<std::byte> Frame(const flatbuffers::FlatBufferBuilder& builder) {
  const std::span<const std::byte> data(
      reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize());
  ProgramFrame frame{};
  std::memcpy(frame.magic, kProgramMagic, sizeof(frame.magic));
  frame.frame_version = 1;
  frame.data_bytes = data.size();
  frame.checksum = HashBytes(data);
  std::vector<std::byte> bytes(sizeof(frame) + data.size());
  std::memcpy(bytes.data(), &frame, sizeof(frame));
  std::memcpy(bytes.data() + sizeof(frame), data.data(), data.size());
  return bytes;
}

uint64_t AlignUp(uint64_t value) {
  return (value + kGearAlignment - 1) / kGearAlignment * kGearAlignment;
}

std::vector<fb::GearRecord> GearRecords(Pools& pools, const std::vector<ProgramGear>& gears,
                                        std::span<const std::span<const std::byte>> programs) {
  std::vector<fb::GearRecord> records;
  uint64_t offset = 0;
  for (size_t i = 0; i < gears.size(); ++i) {
    records.emplace_back(offset, programs[i].size(), pools.Ints(gears[i].values),
                         pools.Ints(gears[i].input_dims), pools.Ints(gears[i].output_dims));
    offset = AlignUp(offset + programs[i].size());
  }
  return records;
}

/// Each at a multiple of kGearAlignment, the last one not padded.
void AppendGears(std::span<const std::span<const std::byte>> programs,
                 std::vector<std::byte>& bytes) {
  for (const auto& program : programs) {
    bytes.resize(AlignUp(bytes.size()));
    bytes.insert(bytes.end(), program.begin(), program.end());
  }
}

}  // namespace

Result<std::vector<std::byte>> WriteProgram(const Program& program,
                                            std::span<const std::span<const std::byte>> gears) {
  if (gears.size() != program.gears.size()) {
    return Status(Code::kInvalidArgument, StrCat(gears.size(), " serialised programs for ",
                                                 program.gears.size(), " gears"));
  }
  Pools pools;
  std::vector<fb::TensorRecord> tensors;
  for (const ProgramTensor& t : program.tensors) {
    tensors.emplace_back(t.offset, t.bytes, pools.Ints(t.dims), t.io_index,
                         static_cast<uint8_t>(t.dtype), static_cast<uint8_t>(t.layout),
                         static_cast<uint8_t>(t.storage));
  }
  std::vector<fb::TaskRecord> tasks;
  for (const Task& t : program.tasks) {
    tasks.emplace_back(t.flops, t.traffic_bytes, pools.Text(t.kernel), pools.Text(t.op_type),
                       pools.Text(t.name), pools.Texts(t.origins), pools.Indices(t.inputs),
                       pools.Indices(t.outputs), pools.Attributes(t.attributes), t.max_parts);
  }
  const auto inputs = IoRecords(pools, program.inputs);
  const auto outputs = IoRecords(pools, program.outputs);
  const auto gear_records = GearRecords(pools, program.gears, gears);
  const fb::Range compiler = pools.Text(program.compiler_version);
  const fb::Range soc = pools.Text(program.soc_name);
  const fb::Range model = pools.Text(program.model_name);
  constexpr size_t kMaxPoolBytes = size_t{1} << 30;
  if (pools.text.size() + 8 * (pools.ints.size() + pools.reals.size()) > kMaxPoolBytes) {
    return Status(Code::kUnsupported, "the program's tables exceed 1 GiB");
  }
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  const auto root = fb::CreateProgramFile(
      builder, program.schema_version, program.packing_version, program.isa, program.c0,
      program.planned_cores, program.arena_bytes, program.weights_bytes, &compiler, &soc, &model,
      builder.CreateVector(pools.text), builder.CreateVectorOfStructs(pools.text_ranges),
      builder.CreateVector(pools.ints), builder.CreateVector(pools.reals),
      builder.CreateVector(pools.indices), builder.CreateVectorOfStructs(tensors),
      builder.CreateVectorOfStructs(pools.attributes), builder.CreateVectorOfStructs(tasks),
      builder.CreateVectorOfStructs(inputs), builder.CreateVectorOfStructs(outputs),
      static_cast<uint8_t>(program.shape_kind),
      program.gears.empty() ? 0 : builder.CreateVectorOfStructs(gear_records),
      program.constants.empty()
          ? 0
          : builder.CreateVector(reinterpret_cast<const uint8_t*>(program.constants.data()),
                                 program.constants.size()));
  fb::FinishProgramFileBuffer(builder, root);
  std::vector<std::byte> bytes = Frame(builder);
  AppendGears(gears, bytes);
  return bytes;
}

}  // namespace cairn
