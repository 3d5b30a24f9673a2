// SPDX-License-Identifier: Apache-2.0
// Stage by stage through a model of open shapes.
#include "runtime/open_model.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/log.h"
#include "runtime/open_shapes.h"
#include "schedule/on_demand_library.h"

namespace cairn::runtime {
namespace {

constexpr size_t kErrorBytes = 1024;
constexpr char kLibrary[] = "libcairn_specializer.so";

Result<const CairnSpecializerApi*> LoadApi() {
  ASSIGN_OR_RETURN(void* address,
                   schedule::FindInLibrary(kLibrary, "cairn_specializer_api",
                                           "the model has shapes that are planned at run time"));
  using Entry = const CairnSpecializerApi* (*)();
  const CairnSpecializerApi* api = reinterpret_cast<Entry>(address)();
  if (api->version == CAIRN_SPECIALIZER_API_VERSION) return api;
  return Status(Code::kIncompatible, StrCat("'", kLibrary, "' is of another version"));
}

uint64_t Setting(const char* name, uint64_t fallback) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return fallback;
  char* end = nullptr;
  const uint64_t value = std::strtoull(text, &end, 10);
  return *end == '\0' && value > 0 ? value : fallback;
}

/// Receives the results of an evaluated node.
struct ResultSink {
  std::function<Result<void*>(uint32_t, ElementType, std::span<const int64_t>)> place;
  Status status;
};

void* PlaceResult(void* context, uint32_t value, const CairnAbiTensor* type) {
  auto& sink = *static_cast<ResultSink*>(context);
  auto memory = sink.place(value, static_cast<ElementType>(type->dtype),
                           {type->dims, static_cast<size_t>(type->rank)});
  if (memory.ok()) return *memory;
  sink.status = memory.status();
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<OpenModel>> OpenModel::Create(device::Device& device, const ModelFile& file,
                                                     const Program& program,
                                                     device::Instance& lender, uint32_t model_id) {
  std::unique_ptr<OpenModel> model(new OpenModel(device, file, program, lender, model_id));
  ASSIGN_OR_RETURN(model->api_, LoadApi());
  char error[kErrorBytes];
  if (model->api_->create(file.image.program.data(), file.image.program.size(),
                          file.image.weights.data(), file.image.weights.size(), &model->handle_,
                          error, sizeof(error)) != 0) {
    return Status(Code::kDataCorrupt, error);
  }
  uint32_t num_values = 0;
  model->api_->counts(model->handle_, &num_values, &model->num_nodes_);
  for (int outputs : {0, 1}) {
    const uint32_t* values = nullptr;
    size_t count = 0;
    model->api_->model_values(model->handle_, outputs, &values, &count);
    (outputs ? model->output_values_ : model->input_values_).assign(values, values + count);
  }
  model->ranges_ = program.tasks[0].GetInts(kRangesAttribute);
  size_t num_dims = 0;
  for (const ProgramIo& input : program.inputs) num_dims += input.dims.size();
  if (model->input_values_.size() != program.inputs.size() ||
      model->output_values_.size() != program.outputs.size() ||
      model->ranges_.size() != 2 * num_dims) {
    return Status(Code::kDataCorrupt, "the model in the program has other inputs and outputs");
  }
  model->entries_.resize(num_values);
  model->memory_.resize(num_values);
  model->max_plans_ = Setting("CAIRN_SHAPE_PLANS", 64);
  model->max_plan_bytes_ = Setting("CAIRN_SHAPE_PLAN_BYTES", uint64_t{256} << 20);
  return model;
}

OpenModel::~OpenModel() {
  if (handle_ == nullptr) return;
  CAIRN_LOG(kRuntime, kInfo, "model ", model_id_, " (", program_.model_name, "): ",
            stages_.size(), " shape plans, ", plan_bytes_, " bytes");
  api_->destroy(handle_);
}

Status OpenModel::CheckDims(size_t index, const std::vector<int64_t>& dims) const {
  size_t first = 0;
  for (size_t i = 0; i < index; ++i) first += 2 * program_.inputs[i].dims.size();
  const size_t count = 2 * program_.inputs[index].dims.size();
  return CheckOpenDims(index, program_.inputs[index], std::span(ranges_).subspan(first, count),
                       dims);
}

Status OpenModel::BindInputs(std::span<const Buffer> inputs,
                             std::span<const std::optional<std::vector<int64_t>>> dims) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ProgramIo& io = program_.inputs[i];
    const bool is_open = std::ranges::find(io.dims, -1) != io.dims.end();
    if (is_open && !dims[i]) return MissingShape(i, io);
    Entry& entry = entries_[input_values_[i]];
    entry.known = true;
    entry.dtype = io.dtype;
    entry.dims = dims[i] ? *dims[i] : io.dims;
    RETURN_IF_ERROR(CheckDims(i, entry.dims));
    ASSIGN_OR_RETURN(entry.bytes, StorageBytes(io.dtype, Layout::kPlain, entry.dims, 1));
    if (inputs[i].bytes < entry.bytes || (inputs[i].data == nullptr && entry.bytes > 0))
      return SmallBuffer("input", i, io, entry.dims, entry.bytes, inputs[i].bytes);
    entry.data = inputs[i].data;
  }
  return OkStatus();
}

std::vector<CairnAbiTensor> OpenModel::AbiValues() const {
  std::vector<CairnAbiTensor> values;
  values.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    values.push_back({static_cast<int32_t>(entry.dtype),
                      entry.known ? static_cast<int32_t>(entry.dims.size()) : -1,
                      entry.dims.data(), entry.data, entry.bytes});
  }
  return values;
}

Result<OpenModel::Stage> OpenModel::PlanStage(uint32_t node) {
  const std::vector<CairnAbiTensor> values = AbiValues();
  const CairnStage* made = nullptr;
  char error[kErrorBytes];
  if (api_->plan(handle_, node, values.data(), &made, error, sizeof(error)) != 0)
    return Status(Code::kInvalidArgument, error);
  Stage stage;
  stage.inputs.assign(made->inputs, made->inputs + made->num_inputs);
  stage.outputs.assign(made->outputs, made->outputs + made->num_outputs);
  stage.end = made->end;
  stage.bytes = 4 * made->program_bytes + 4096;  // Records, bound tasks and addresses.
  Status status;
  if (made->program_bytes > 0) {
    const ProgramImage image{{static_cast<const std::byte*>(made->program), made->program_bytes},
                             file_.image.weights};
    auto plan = [&]() -> Result<Plan> {
      ASSIGN_OR_RETURN(auto loaded, device_.Load(image, file_.owner));
      return MakePlan(std::move(loaded), {}, &lender_, model_id_);
    }();
    status = plan.status();
    if (plan.ok()) stage.plan = std::move(*plan);
  }
  api_->release(handle_, made);
  RETURN_IF_ERROR(status);
  return stage;
}

void OpenModel::Evict(uint64_t bytes) {
  while (!stages_.empty() &&
         (stages_.size() >= max_plans_ || plan_bytes_ + bytes > max_plan_bytes_)) {
    const auto oldest = std::ranges::min_element(
        stages_, {}, [](const auto& stage) { return stage.second.last_use; });
    plan_bytes_ -= oldest->second.bytes;
    stages_.erase(oldest);
  }
}

Result<OpenModel::Stage*> OpenModel::FindStage(uint32_t node) {
  key_.assign(1, node);
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].known) continue;
    key_.push_back(static_cast<int64_t>(i));
    key_.insert(key_.end(), entries_[i].dims.begin(), entries_[i].dims.end());
  }
  auto found = stages_.find(key_);
  if (found == stages_.end()) {
    ASSIGN_OR_RETURN(Stage stage, PlanStage(node));
    Evict(stage.bytes);
    plan_bytes_ += stage.bytes;
    found = stages_.emplace(key_, std::move(stage)).first;
  }
  found->second.last_use = ++clock_;
  return &found->second;
}

Result<void*> OpenModel::PlaceOutput(size_t index, const Entry& entry, const OpenRun& run) {
  Buffer& buffer = outputs_[index];
  if (buffer.data == nullptr && buffer.bytes == 0 && entry.bytes > 0 && run.allocate) {
    ASSIGN_OR_RETURN(buffer.data, run.allocate(entry.bytes));
    buffer.bytes = entry.bytes;
  }
  if (buffer.bytes < entry.bytes || (buffer.data == nullptr && entry.bytes > 0)) {
    return SmallBuffer("output", index, program_.outputs[index], entry.dims, entry.bytes,
                       buffer.bytes);
  }
  return buffer.data;
}

Result<void*> OpenModel::Place(uint32_t value, ElementType dtype, std::span<const int64_t> dims,
                               const OpenRun& run) {
  Entry& entry = entries_[value];
  entry.known = true;
  entry.dtype = dtype;
  entry.dims.assign(dims.begin(), dims.end());
  ASSIGN_OR_RETURN(entry.bytes, StorageBytes(dtype, Layout::kPlain, dims, 1));
  const auto output = std::ranges::find(output_values_, value);
  if (output != output_values_.end()) {
    ASSIGN_OR_RETURN(entry.data,
                     PlaceOutput(static_cast<size_t>(output - output_values_.begin()), entry, run));
  } else {
    if (memory_[value].size() < entry.bytes) memory_[value].resize(entry.bytes);
    entry.data = memory_[value].data();
  }
  return entry.data;
}

Status OpenModel::RunStage(Stage& stage, const OpenRun& run) {
  if (!stage.plan) return OkStatus();
  const Program& program = stage.plan->program();
  input_addresses_.clear();
  output_addresses_.clear();
  for (uint32_t value : stage.inputs) input_addresses_.push_back(entries_[value].data);
  for (size_t i = 0; i < stage.outputs.size(); ++i) {
    const ProgramIo& io = program.outputs[i];
    ASSIGN_OR_RETURN(void* memory, Place(stage.outputs[i], io.dtype, io.dims, run));
    output_addresses_.push_back(memory);
  }
  return run.execute(*stage.plan, input_addresses_, output_addresses_);
}

Status OpenModel::EvaluateNode(uint32_t node, const OpenRun& run) {
  const std::vector<CairnAbiTensor> values = AbiValues();
  ResultSink sink;
  sink.place = [&](uint32_t value, ElementType dtype, std::span<const int64_t> dims) {
    return Place(value, dtype, dims, run);
  };
  char error[kErrorBytes];
  if (api_->evaluate(handle_, node, values.data(), PlaceResult, &sink, error, sizeof(error)) == 0)
    return OkStatus();
  RETURN_IF_ERROR(sink.status);
  return Status(Code::kInvalidArgument, error);
}

Status OpenModel::CopyOutputs(ShapeList& output_dims, const OpenRun& run) {
  output_dims.resize(output_values_.size());
  for (size_t i = 0; i < output_values_.size(); ++i) {
    const Entry& entry = entries_[output_values_[i]];
    output_dims[i] = entry.dims;
    ASSIGN_OR_RETURN(void* memory, PlaceOutput(i, entry, run));
    if (memory != entry.data && entry.bytes > 0) std::memcpy(memory, entry.data, entry.bytes);
  }
  return OkStatus();
}

Status OpenModel::Run(std::span<const Buffer> inputs,
                      std::span<const std::optional<std::vector<int64_t>>> dims,
                      std::span<Buffer> outputs, ShapeList& output_dims, const OpenRun& run) {
  for (Entry& entry : entries_) entry.known = false;
  outputs_ = outputs;
  RETURN_IF_ERROR(BindInputs(inputs, dims));
  for (uint32_t node = 0;; ++node) {
    ASSIGN_OR_RETURN(Stage * stage, FindStage(node));
    RETURN_IF_ERROR(RunStage(*stage, run));
    node = stage->end;
    if (node >= num_nodes_) break;
    RETURN_IF_ERROR(EvaluateNode(node, run));
  }
  return CopyOutputs(output_dims, run);
}

}  // namespace cairn::runtime
