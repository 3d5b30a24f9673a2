// SPDX-License-Identifier: Apache-2.0
// Loading, buffer checks and runs.
#include "runtime/model.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "base/log.h"
#include "profile/usage.h"
#include "runtime/task_failure.h"

namespace cairn::runtime {
namespace {

/// "input 0 'images' (f32 [1,3,224,224], 602112 bytes)".
std::string Describe(const char* kind, size_t index, const ProgramIo& io) {
  return StrCat(kind, " ", index, " '", io.name, "' (", ElementTypeName(io.dtype), " [",
                StrJoin(io.dims), "], ", io.bytes, " bytes)");
}

/// What a wrong size usually means.
std::string LikelyCause(const ProgramIo& io, uint64_t given) {
  const bool is_f32 = io.dtype == ElementType::kF32;
  if (is_f32 && given * 2 == io.bytes)
    return "the data are probably 16-bit floats, or half of the batch is missing";
  if (is_f32 && given * 4 == io.bytes)
    return "the data are probably 8-bit pixels; convert them to f32";
  if (is_f32 && given == io.bytes * 2)
    return "the data are probably 64-bit floats, or of twice the batch";
  if (io.dtype == ElementType::kF16 && given == io.bytes * 2)
    return "the data are probably 32-bit floats";
  if (io.dtype == ElementType::kU8 && given == io.bytes * 4)
    return "the data are probably 32-bit floats; the model takes 8-bit values";
  if (io.dtype == ElementType::kI32 && given == io.bytes * 2)
    return "the data are probably 64-bit integers";
  if (io.dtype == ElementType::kI64 && given * 2 == io.bytes)
    return "the data are probably 32-bit integers";
  if (io.bytes > 0 && given % io.bytes == 0)
    return StrCat("the data hold ", given / io.bytes,
                  " times as many elements, e.g. a larger batch");
  if (given > 0 && io.bytes % given == 0)
    return StrCat("the data hold 1/", io.bytes / given,
                  " of the elements, e.g. a smaller batch or another type");
  return "the data belong to another shape (image size, sequence length) or file";
}

Status WrongInputBytes(size_t index, const ProgramIo& io, uint64_t given) {
  return Status(Code::kInvalidArgument, StrCat(Describe("input", index, io), ": the buffer has ",
                                               given, " bytes; ", LikelyCause(io, given)));
}

Status WrongCount(const char* kind, size_t given, std::span<const ProgramIo> expected) {
  std::vector<std::string> names;
  for (size_t i = 0; i < expected.size(); ++i) names.push_back(Describe(kind, i, expected[i]));
  return Status(Code::kInvalidArgument,
                StrCat("the dataset has ", given, " ", kind, " buffers, the model has ",
                       expected.size(), ": ", StrJoin(names, "; ")));
}

}  // namespace

Status CheckInputBytes(size_t index, const ProgramIo& input, uint64_t given, bool* is_exact) {
  *is_exact = given == input.bytes;
  const bool too_short = given + kInputTolerance < input.bytes || given * 2 <= input.bytes;
  const bool too_long = given >= 2 * input.bytes;
  if (!*is_exact && (too_short || too_long)) return WrongInputBytes(index, input, given);
  return OkStatus();
}

Result<std::shared_ptr<Model>> Model::Load(uint32_t id, int device_id, device::Device& device,
                                           const ModelFile& file, std::span<std::byte> work) {
  const profile::CallScope scope(profile::kAclCalls, profile::CallLevel::kModel, "ModelLoad");
  std::shared_ptr<Model> model(new Model(id, device_id));
  model->file_ = file;
  ASSIGN_OR_RETURN(auto loaded, device.Load(file.image, file.owner));
  const Program& program = loaded->program();
  if (program.is_open()) work = {};  // Its need is not known yet.
  if (!work.empty() && work.size() < program.arena_bytes)
    return Status(Code::kInvalidArgument, StrCat("work memory has ", work.size(),
                                                 " bytes, the model needs ", program.arena_bytes));
  ASSIGN_OR_RETURN(model->main_, MakePlan(std::move(loaded), work, nullptr, id));
  model->input_addresses_.resize(program.inputs.size());
  model->padded_inputs_.resize(program.inputs.size());
  model->output_addresses_.resize(program.outputs.size());
  model->times_.tasks.reserve(program.tasks.size());
  if (program.has_gears()) {
    model->gears_ =
        std::make_unique<GearSet>(device, model->file_, program, *model->main_.instance);
  }
  if (program.is_open()) {
    ASSIGN_OR_RETURN(model->open_, OpenModel::Create(device, model->file_, program,
                                                     *model->main_.instance, id));
  }
  profile::Usage::Get().AddMemory(
      static_cast<int64_t>(program.arena_bytes + program.weights_bytes));
  CAIRN_LOG(kRuntime, kInfo, "model ", id, " (", program.model_name, ") loaded on device ",
            device_id, ": ", program.tasks.size(), " tasks, arena ", program.arena_bytes,
            " bytes, weights ", program.weights_bytes, " bytes, compiled for ", program.soc_name,
            " by version ", program.compiler_version);
  return model;
}

Model::~Model() {
  if (main_.instance != nullptr) {
    profile::Usage::Get().AddMemory(
        -static_cast<int64_t>(program().arena_bytes + program().weights_bytes));
    CAIRN_LOG(kRuntime, kInfo, "model ", id_, " (", program().model_name, ") unloaded after ",
              num_runs_, " runs");
  }
  if (main_.profile != nullptr) ProfileFile::Get().Write();
}

Result<Plan*> Model::ChoosePlan(std::span<const Buffer> inputs) {
  if (inputs.size() != program().inputs.size())
    return WrongCount("input", inputs.size(), program().inputs);
  if (gears_ == nullptr) return &main_;
  ASSIGN_OR_RETURN(const size_t gear, gears_->Read(inputs.back()));
  return gears_->Get(gear, id_);
}

Status Model::BindInputs(const Plan& plan, std::span<const Buffer> inputs) {
  const auto& expected = plan.program().inputs;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (inputs[i].data == nullptr && expected[i].bytes > 0)
      return Status(Code::kInvalidArgument,
                    StrCat(Describe("input", i, expected[i]), ": the buffer's address is NULL"));
    // A buffer for the largest gear holds the data of a smaller one at its start.
    bool is_exact = inputs[i].bytes >= expected[i].bytes &&
                    inputs[i].bytes <= program().inputs[i].bytes;
    if (!is_exact)
      RETURN_IF_ERROR(CheckInputBytes(i, expected[i], inputs[i].bytes, &is_exact));
    input_addresses_[i] = inputs[i].data;
    if (is_exact) continue;
    CAIRN_LOG(kRuntime, kWarning, "model ", id_, " (", program().model_name,
              "): ", Describe("input", i, expected[i]), ": the buffer has ", inputs[i].bytes,
              " bytes; ", LikelyCause(expected[i], inputs[i].bytes));
    if (inputs[i].bytes < expected[i].bytes) {
      padded_inputs_[i].assign(expected[i].bytes, std::byte{0});
      std::memcpy(padded_inputs_[i].data(), inputs[i].data, inputs[i].bytes);
      input_addresses_[i] = padded_inputs_[i].data();
    }
  }
  return OkStatus();
}

Status Model::BindOutputs(const Plan& plan, std::span<const Buffer> outputs) {
  const auto& expected = plan.program().outputs;
  if (outputs.size() != expected.size()) return WrongCount("output", outputs.size(), expected);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].data == nullptr && expected[i].bytes > 0)
      return Status(Code::kInvalidArgument,
                    StrCat(Describe("output", i, expected[i]), ": the buffer's address is NULL"));
    if (outputs[i].bytes < expected[i].bytes)
      return Status(
          Code::kInvalidArgument,
          StrCat(Describe("output", i, expected[i]), ": the buffer has ", outputs[i].bytes,
                 " bytes; aclmdlGetOutputSizeByIndex gives the size to allocate"));
    output_addresses_[i] = outputs[i].data;
  }
  return OkStatus();
}

Status Model::Run(std::span<const Buffer> inputs, std::span<const Buffer> outputs,
                  uint32_t stream_id) {
  const std::lock_guard lock(run_mutex_);
  Plan* plan = nullptr;
  const auto checked = [&]() -> Status {
    ASSIGN_OR_RETURN(plan, ChoosePlan(inputs));
    RETURN_IF_ERROR(BindInputs(*plan, inputs));
    return BindOutputs(*plan, outputs);
  }();
  if (!checked.ok())
    return checked.WithContext(StrCat("model ", id_, " (", program().model_name, ")"));
  return Execute(*plan, input_addresses_, output_addresses_, stream_id);
}

Status Model::RunOpen(std::span<const Buffer> inputs,
                      std::span<const std::optional<std::vector<int64_t>>> dims,
                      std::span<Buffer> outputs, ShapeList& output_dims,
                      const std::function<Result<void*>(uint64_t)>& allocate, uint32_t stream_id) {
  const std::lock_guard lock(run_mutex_);
  OpenRun run;
  run.execute = [&](Plan& plan, std::span<const void* const> in, std::span<void* const> out) {
    return Execute(plan, in, out, stream_id);
  };
  run.allocate = allocate;
  const auto done = [&]() -> Status {
    if (inputs.size() != program().inputs.size())
      return WrongCount("input", inputs.size(), program().inputs);
    if (outputs.size() != program().outputs.size())
      return WrongCount("output", outputs.size(), program().outputs);
    return open_->Run(inputs, dims, outputs, output_dims, run);
  }();
  return done.ok() ? done : done.WithContext(StrCat("model ", id_, " (", program().model_name, ")"));
}

Status Model::Execute(Plan& plan, std::span<const void* const> inputs,
                      std::span<void* const> outputs, uint32_t stream_id) {
  const profile::CallScope scope(profile::kAclCalls, profile::CallLevel::kModel, "ModelExecute");
  const profile::Usage::Run usage;
  const int subscriber = subscriber_;
  const bool recorded = RunRecorder::active();
  const bool timed = recorded || plan.profile != nullptr || subscriber >= 0;
  times_.tasks.clear();
  times_.parts.clear();
  const uint64_t begin_ns = timed ? std::chrono::steady_clock::now().time_since_epoch().count() : 0;
  const Status status =
      plan.instance->Run(inputs, outputs, timed ? &times_ : nullptr);
  const uint32_t run = ++num_runs_;
  if (!status.ok()) {
    ReportTaskFailure({.task_id = run,
                       .stream_id = stream_id,
                       .thread_id = static_cast<uint32_t>(::syscall(SYS_gettid)),
                       .device_id = static_cast<uint32_t>(device_id_),
                       .error_code = static_cast<uint32_t>(status.code())});
    return open_ ? status
                 : status.WithContext(StrCat("model ", id_, " (", program().model_name, ")"));
  }
  CAIRN_LOG(kRuntime, kDebug, "model ", id_, " (", program().model_name, "): run ", run, " done");
  if (recorded) recorder_.Record(plan.program(), times_, begin_ns, stream_id);
  if (plan.profile != nullptr) plan.profile->Add(times_);
  if (subscriber >= 0) SendRecords(subscriber, id_, plan.program(), times_, begin_ns);
  return OkStatus();
}

}  // namespace cairn::runtime
