// SPDX-License-Identifier: Apache-2.0
// NumPy and raw files, random values.
#include "compare/inputs.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "base/atomic_file.h"

namespace cairn::compare {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// The type as NumPy writes it; empty when it has none.
std::string NpyType(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return "<f4";
    case ElementType::kF16:
      return "<f2";
    case ElementType::kF64:
      return "<f8";
    case ElementType::kI8:
      return "|i1";
    case ElementType::kU8:
      return "|u1";
    case ElementType::kI16:
      return "<i2";
    case ElementType::kU16:
      return "<u2";
    case ElementType::kI32:
      return "<i4";
    case ElementType::kU32:
      return "<u4";
    case ElementType::kI64:
      return "<i8";
    case ElementType::kU64:
      return "<u8";
    case ElementType::kBool:
      return "|b1";
    default:
      return "";
  }
}

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return Status(Code::kNotFound, StrCat("input file ", path, " cannot be read"));
  return bytes;
}

/// The data of a file; a .npy file's type must be `type`.
Result<std::string> DataOf(const std::string& path, ElementType type) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  if (bytes.size() < 10 || bytes.compare(0, kNpyMagic.size(), kNpyMagic) != 0) return bytes;
  const auto byte = [&](size_t i) {
    return static_cast<size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const size_t prefix = bytes[6] == 1 ? 10 : 12;
  const size_t length = byte(8) | byte(9) << 8;
  if (bytes.size() < prefix + length)
    return Status(Code::kInvalidArgument, StrCat(path, ": is cut short inside its header"));
  const std::string header = bytes.substr(prefix, length);
  if (header.find(StrCat("'", NpyType(type), "'")) == std::string::npos)
    return Status(Code::kInvalidArgument, StrCat(path, ": expected NumPy type ", NpyType(type),
                                                 ", found the header ", header));
  if (header.find("'fortran_order': False") == std::string::npos)
    return Status(Code::kInvalidArgument,
                  StrCat(path, ": is in Fortran order; save numpy.ascontiguousarray(x)"));
  return bytes.substr(prefix + length);
}

void FillRandom(Tensor& tensor, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    if (IsFloat(tensor.dtype()))
      tensor.SetDouble(i, uniform(random));
    else
      tensor.SetInt(i, static_cast<int64_t>(random() % 2));
  }
}

}  // namespace

Result<std::vector<Tensor>> MakeInputs(const Graph& graph, const std::vector<std::string>& files) {
  if (!files.empty() && files.size() != graph.inputs().size())
    return Status(Code::kInvalidArgument,
                  StrCat(files.size(), " input files are given, the model has ",
                         graph.inputs().size(), " inputs"));
  std::mt19937_64 random(1);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < graph.inputs().size(); ++i) {
    const Value& value = *graph.inputs()[i];
    const auto dims = value.type().dims ? ConstDims(*value.type().dims) : std::nullopt;
    if (!dims)
      return Status(Code::kInvalidArgument, StrCat("input '", value.name(), "' (", value.type(),
                                                   ") has no fixed shape; give --input-shape"));
    ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(value.type().dtype, *dims));
    if (files.empty()) {
      FillRandom(tensor, random);
    } else {
      ASSIGN_OR_RETURN(const std::string data, DataOf(files[i], tensor.dtype()));
      if (data.size() != tensor.num_bytes())
        return Status(Code::kInvalidArgument,
                      StrCat(files[i], ": holds ", data.size(), " bytes, input '", value.name(),
                             "' (", value.type(), ") takes ", tensor.num_bytes()));
      std::memcpy(tensor.mutable_bytes(), data.data(), data.size());
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

Status WriteNpy(const std::string& path, const Tensor& tensor) {
  const std::string type = NpyType(tensor.dtype());
  if (type.empty()) return OkStatus();
  std::string header = StrCat("{'descr': '", type, "', 'fortran_order': False, 'shape': (",
                              StrJoin(tensor.shape(), ", "), tensor.rank() == 1 ? "," : "", "), }");
  // Magic, version, length and header fill a multiple of 64 bytes.
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string prefix(kNpyMagic);
  prefix +=
      {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(prefix + header));
  RETURN_IF_ERROR(file.Write(std::span(tensor.bytes(), tensor.num_bytes())));
  return file.Commit();
}

}  // namespace cairn::compare
