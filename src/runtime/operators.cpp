// SPDX-License-Identifier: Apache-2.0
// Compilation through the compiler library, and the cache.
#include "runtime/operators.h"

#include <cstdlib>
#include <cstring>

#include "runtime/compiler_library.h"

namespace cairn::runtime {
namespace {

/// More kinds than programs use; beyond it the cache starts anew.
constexpr size_t kMaxOperators = 1024;

void Append(std::string& key, const std::vector<int64_t>& values) {
  key += StrCat("[", StrJoin(values, ","), "]");
}

void Append(std::string& key, const OperatorAttribute& attribute) {
  key += StrCat("#", attribute.index(), ":");
  if (const auto* i = std::get_if<int64_t>(&attribute)) {
    key += StrCat(*i);
  } else if (const auto* f = std::get_if<double>(&attribute)) {
    key.append(reinterpret_cast<const char*>(f), sizeof(*f));
  } else if (const auto* s = std::get_if<std::string>(&attribute)) {
    key += StrCat(s->size(), ":", *s);
  } else if (const auto* ints = std::get_if<std::vector<int64_t>>(&attribute)) {
    Append(key, *ints);
  } else {
    for (const double value : std::get<std::vector<double>>(attribute))
      key.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
}

std::string KeyOf(const OperatorSpec& spec, int device_id) {
  std::string key = StrCat(device_id, "|", spec.type);
  for (const OperatorInput& input : spec.inputs) {
    key += StrCat("|i", static_cast<int>(input.dtype));
    Append(key, input.dims);
    if (input.constant) key += StrCat("=", input.constant->size(), ":", *input.constant);
  }
  for (const OperatorOutput& output : spec.outputs) {
    key += StrCat("|o", static_cast<int>(output.dtype));
    if (output.dims) Append(key, *output.dims);
  }
  for (const auto& [name, attribute] : spec.attributes) {
    key += StrCat("|", name.size(), ":", name);
    Append(key, attribute);
  }
  return key;
}

/// The spec in the form of the plain C interface; refers to the spec's memory.
class AbiOperator {
 public:
  explicit AbiOperator(const OperatorSpec& spec) {
    for (const OperatorInput& input : spec.inputs)
      inputs_.push_back({static_cast<int32_t>(input.dtype), static_cast<int32_t>(input.dims.size()),
                         input.dims.data(), input.constant ? input.constant->data() : nullptr,
                         input.constant ? input.constant->size() : 0});
    for (const OperatorOutput& output : spec.outputs)
      outputs_.push_back({static_cast<int32_t>(output.dtype),
                          output.dims ? static_cast<int32_t>(output.dims->size()) : -1,
                          output.dims ? output.dims->data() : nullptr, nullptr, 0});
    for (const auto& [name, attribute] : spec.attributes) Add(name, attribute);
    op_ = {spec.type.c_str(), inputs_.data(),     inputs_.size(),    outputs_.data(),
           outputs_.size(),   attributes_.data(), attributes_.size()};
  }
  const CairnAbiOperator* get() const { return &op_; }

 private:
  void Add(const std::string& name, const OperatorAttribute& attribute) {
    CairnAbiAttribute abi{};
    abi.name = name.c_str();
    abi.kind = static_cast<int32_t>(attribute.index());  // The alternatives are in enum order.
    if (const auto* i = std::get_if<int64_t>(&attribute)) abi.i = *i;
    if (const auto* f = std::get_if<double>(&attribute)) abi.f = *f;
    if (const auto* s = std::get_if<std::string>(&attribute)) abi.s = s->c_str();
    if (const auto* ints = std::get_if<std::vector<int64_t>>(&attribute)) {
      abi.ints = ints->data();
      abi.count = ints->size();
    }
    if (const auto* floats = std::get_if<std::vector<double>>(&attribute)) {
      abi.floats = floats->data();
      abi.count = floats->size();
    }
    attributes_.push_back(abi);
  }

  std::vector<CairnAbiOperand> inputs_, outputs_;
  std::vector<CairnAbiAttribute> attributes_;
  CairnAbiOperator op_{};
};

/// A compiled program in memory of its own; weights aligned as in files.
struct Image {
  static constexpr size_t kAlignment = 512;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::vector<std::byte> program;
  std::unique_ptr<std::byte, Free> weights;
  size_t weights_bytes = 0;
};

void Store(void* context, const void* program, uint64_t program_bytes, const void* weights,
           uint64_t weights_bytes) {
  Image& image = *static_cast<Image*>(context);
  const auto* bytes = static_cast<const std::byte*>(program);
  image.program.assign(bytes, bytes + program_bytes);
  if (weights_bytes == 0) return;
  const size_t rounded = (weights_bytes + Image::kAlignment - 1) / Image::kAlignment *
                         Image::kAlignment;
  image.weights.reset(static_cast<std::byte*>(std::aligned_alloc(Image::kAlignment, rounded)));
  if (image.weights == nullptr) return;
  image.weights_bytes = weights_bytes;
  std::memcpy(image.weights.get(), weights, weights_bytes);
}

Status FailureOf(int32_t result, const char* text) {
  switch (result) {
    case kCairnAbiUnknownOperator:
      return Status(Code::kNotFound, text);
    case kCairnAbiInvalidOperator:
      return Status(Code::kInvalidArgument, text);
    case kCairnAbiNeedsConstant:
      return Status(Code::kFailedPrecondition, text);
    default:
      return Status(Code::kInternal, text);
  }
}

}  // namespace

Operators& Operators::Get() {
  static auto* operators = new Operators;
  return *operators;
}

Result<std::shared_ptr<Model>> Operators::Find(const OperatorSpec& spec, int device_id,
                                               device::Device& device) {
  const std::string key = KeyOf(spec, device_id);
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(key);
  if (found != models_.end()) return found->second;
  ASSIGN_OR_RETURN(std::shared_ptr<Model> model, Compile(spec, device_id, device));
  if (models_.size() >= kMaxOperators) models_.clear();
  models_[key] = model;
  return model;
}

void Operators::Clear() {
  const std::lock_guard lock(mutex_);
  models_.clear();
}

Result<std::shared_ptr<Model>> Operators::Compile(const OperatorSpec& spec, int device_id,
                                                  device::Device& device) {
  ASSIGN_OR_RETURN(const CairnCompilerApi* api, CompilerLibrary());
  const auto image = std::make_shared<Image>();
  char error[2048] = "";
  const AbiOperator abi(spec);
  const int32_t result = api->compile_operator(abi.get(), device.num_cores(), Store, image.get(),
                                               error, sizeof(error));
  if (result != kCairnAbiCompiled) return FailureOf(result, error);
  ModelFile file;
  file.image.program = image->program;
  file.image.weights = {image->weights.get(), image->weights_bytes};
  file.owner = image;
  return Model::Load(0, device_id, device, file, {});
}

}  // namespace cairn::runtime
