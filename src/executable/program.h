// SPDX-License-Identifier: Apache-2.0
// Program: the compiled form of a model as flat data: tensors, tasks, inputs, outputs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/element_type.h"
#include "base/status.h"

namespace cairn {

/// How the bytes of a tensor lie. Values are part of the file format; append only.
enum class Layout : uint8_t {
  kPlain = 0,     ///< Row-major over the logical dims.
  kBlocked = 1,   ///< [N, ceil(C/c0), spatial..., c0] of logical [N, C, spatial...]; zero lanes.
  kPacked = 2,    ///< Opaque constant in a kernel's own packed form.
};

/// Which memory a tensor lives in. Values are part of the file format; append only.
enum class Storage : uint8_t {
  kArena = 0,    ///< `offset` bytes into the execution context's arena.
  kWeights = 1,  ///< `offset` bytes into the weights section.
  kInput = 2,    ///< The caller's buffer of input `io_index`, at `offset`.
  kOutput = 3,   ///< The caller's buffer of output `io_index`, at `offset`.
  kOwn = 4,      ///< `offset` bytes into the program's own constants.
};

struct ProgramTensor {
  ElementType dtype = ElementType::kUndefined;
  Layout layout = Layout::kPlain;
  Storage storage = Storage::kArena;
  uint32_t io_index = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;                ///< Of this tensor in its layout.
  std::vector<int64_t> dims;         ///< Logical dims.
};

/// Concrete task parameter.
using TaskAttribute =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;
using TaskAttributes = std::map<std::string, TaskAttribute, std::less<>>;

inline constexpr uint32_t kNoTensor = UINT32_MAX;

/// One kernel call.
struct Task {
  std::string kernel;                ///< Name in the kernel list, e.g. "conv2d_f32_winograd4".
  std::string op_type;               ///< Operator type shown in profiles, e.g. "Conv".
  std::string name;                  ///< Provenance: the main origin's node name.
  std::vector<std::string> origins;  ///< All model nodes this task computes.
  std::vector<uint32_t> inputs;      ///< Tensor indices; kNoTensor for an absent optional one.
  std::vector<uint32_t> outputs;
  TaskAttributes attributes;
  uint32_t max_parts = 1;            ///< Most threads worth using; 1: the caller alone.
  double flops = 0;                  ///< Arithmetic of the mathematical definition.
  double traffic_bytes = 0;          ///< Compulsory memory traffic: operands read and written once.

  int64_t GetInt(std::string_view name, int64_t fallback) const;
  double GetDouble(std::string_view name, double fallback) const;
  std::string GetString(std::string_view name, std::string_view fallback) const;
  std::vector<int64_t> GetInts(std::string_view name) const;
};

/// A model input or output as the user sees it (always dense, `layout` as asked for).
struct ProgramIo {
  std::string name;
  ElementType dtype = ElementType::kUndefined;
  std::vector<int64_t> dims;         ///< -1: differs between gears, or is open.
  uint64_t bytes = 0;                ///< The most of any gear or of the range; 0: no limit.
  uint32_t tensor = kNoTensor;       ///< Tensor with storage kInput/kOutput; an input nobody reads has one too. None when the program is not static.
};

/// How the shapes of a model change. Values are part of the file format; append only.
enum class ShapeKind : uint8_t {
  kStatic = 0,
  kBatchGears = 1,  ///< One value: the batch.
  kImageGears = 2,  ///< Two values: height and width.
  kDimsGears = 3,   ///< One value per open dim of the inputs.
  kOpen = 4,        ///< Any shape in a range: planned at run time.
};

/// The input that carries the values of the chosen gear; always the last one.
inline constexpr char kGearInputName[] = "ascend_mbatch_shape_data";

/// One of the shapes that a model was compiled for.
struct ProgramGear {
  std::vector<int64_t> values;
  std::vector<int64_t> input_dims;   ///< Of all data inputs, one after another, in the order of
                                     ///< the option that named them.
  std::vector<int64_t> output_dims;  ///< Of all outputs, one after another.
  uint64_t offset = 0;               ///< Of its program in the bytes that were read.
  uint64_t bytes = 0;
};

/// Versions (policy: docs/om-compatibility.md).
inline constexpr uint32_t kProgramSchemaVersion = 1;   ///< Meaning of the records.
inline constexpr uint32_t kDynamicSchemaVersion = 2;   ///< Of programs that are not static.
inline constexpr uint32_t kPackingVersion = 1;         ///< Packed forms of constants.

struct Program {
  uint32_t schema_version = kProgramSchemaVersion;
  uint32_t packing_version = kPackingVersion;
  std::string compiler_version;
  std::string soc_name;              ///< Target the file was compiled for, as given by the user.
  uint8_t isa = 0;                   ///< kernels::Isa whose kernels and packed forms it needs.
  uint8_t c0 = 8;                    ///< Channel block of kBlocked; that of the instruction set.
  uint32_t planned_cores = 1;
  std::string model_name;
  uint64_t arena_bytes = 0;
  uint64_t weights_bytes = 0;
  std::vector<ProgramTensor> tensors;
  std::vector<Task> tasks;           ///< In execution order.
  std::vector<ProgramIo> inputs;
  std::vector<ProgramIo> outputs;
  /// With gears the program has neither tensors nor tasks of its own: each gear is a static program
  /// over the same weights. `arena_bytes` is the most that any needs.
  ShapeKind shape_kind = ShapeKind::kStatic;
  std::vector<ProgramGear> gears;

  /// Constants of a program that was planned at run time; everything else keeps them in the weights.
  std::vector<std::byte> constants;

  bool has_gears() const { return !gears.empty(); }
  /// Shapes are planned at run time. The program has one task, which holds the model as attributes
  /// and has no operands (specialize/dynamic_model.h).
  bool is_open() const { return shape_kind == ShapeKind::kOpen; }
  bool is_static() const { return shape_kind == ShapeKind::kStatic; }
  /// The gear with the most input elements, the first of several.
  size_t LargestGear() const;
};

/// Serialises deterministically, with a checksum over the records. `gears`: the serialised program
/// of every gear; sizes and offsets in program.gears are taken from these.
Result<std::vector<std::byte>> WriteProgram(const Program& program,
                                            std::span<const std::span<const std::byte>> gears = {});

/// Reads untrusted bytes: verifies structure, versions, checksum, and that every index, offset and
/// byte count stays inside its table, arena, weights or I/O tensor and that bytes == what dtype,
/// layout and dims need. Kernel parameters are checked later, when tasks are bound, and the programs
/// of gears when they are read from their part of `bytes`.
Result<Program> ReadProgram(std::span<const std::byte> bytes);

/// Bytes of a dense tensor in `layout` (kPlain, kBlocked with block c0); fails on overflow or a
/// layout that has no rule (kPacked).
Result<uint64_t> StorageBytes(ElementType dtype, Layout layout, std::span<const int64_t> dims,
                              int c0);

/// Where the parts of a loadable model lie in memory.
struct ProgramImage {
  std::span<const std::byte> program;
  std::span<const std::byte> weights;
};

}  // namespace cairn
