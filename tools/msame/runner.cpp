// SPDX-License-Identifier: Apache-2.0
// Execution over one set of inputs or over all files of a folder.
#include "msame/runner.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "msame/console.h"
#include "msame/dataset.h"
#include "msame/gears.h"
#include "msame/model.h"
#include "msame/output_writer.h"

namespace msame {
namespace {

/// Registered before every execution; prints which operator of which task failed.
void ReportTaskFailure(aclrtExceptionInfo* info) {
  const uint32_t device = aclrtGetDeviceIdFromExceptionInfo(info);
  const uint32_t stream = aclrtGetStreamIdFromExceptionInfo(info);
  const uint32_t task = aclrtGetTaskIdFromExceptionInfo(info);
  char name[256] = "";
  aclTensorDesc* inputs = nullptr;
  aclTensorDesc* outputs = nullptr;
  size_t num_inputs = 0, num_outputs = 0;
  if (aclmdlCreateAndGetOpDesc(device, stream, task, name, sizeof(name), &inputs, &num_inputs,
                               &outputs, &num_outputs) != ACL_SUCCESS)
    return;
  ERROR_LOG("task %u on stream %u of device %u failed, operator is %s", task, stream, device, name);
  aclDestroyTensorDesc(inputs);
  aclDestroyTensorDesc(outputs);
}

/// Year, month, day, `_`, hour ... microseconds of the local time, without padding.
std::string TimeName() {
  timeval now{};
  gettimeofday(&now, nullptr);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  const auto part = [](long value) { return std::to_string(value); };
  return part(local.tm_year + 1900) + part(local.tm_mon + 1) + part(local.tm_mday) + "_" +
         part(local.tm_hour) + "_" + part(local.tm_min) + "_" + part(local.tm_sec) + "_" +
         part(now.tv_usec);
}

/// Makes and announces the folder of this run.
std::string MakeResultFolder(const std::string& output) {
  if (!output.empty()) mkdir(output.c_str(), 0775);
  const std::string folder = output + "/" + TimeName();
  mkdir(folder.c_str(), 0775);
  std::printf("%s\n", folder.c_str());
  return folder;
}

bool IsAccessible(const std::string& folder) {
  DIR* directory = opendir(folder.c_str());
  if (directory == nullptr) return false;
  closedir(directory);
  return true;
}

/// Names of the entries that do not start with a dot, sorted.
std::vector<std::string> VisibleEntries(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (name[0] != '.') names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

double MillisecondsSince(const timeval& start) {
  timeval now{};
  gettimeofday(&now, nullptr);
  return (now.tv_sec - start.tv_sec) * 1000.0 + (now.tv_usec - start.tv_usec) / 1000.0;
}

/// Executes once and prints the time, also of a failed execution.
bool ExecuteOnce(const Model& model, const Dataset& inputs, Dataset& outputs,
                 std::vector<double>& times_ms) {
  outputs.ReleaseAllocated();
  aclrtSetExceptionInfoCallback(ReportTaskFailure);
  timeval start{};
  gettimeofday(&start, nullptr);
  const aclError result = aclmdlExecute(model.id(), inputs.get(), outputs.get());
  times_ms.push_back(MillisecondsSince(start));
  if (result != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("execute model failed, modelId is %u", model.id());
  } else {
    INFO_LOG("model execute success");
  }
  std::printf("Inference time: %gms\n", times_ms.back());
  if (result != ACL_SUCCESS) ERROR_LOG("model execute failed");
  return result == ACL_SUCCESS;
}

double Sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

std::optional<size_t> GearInput(const Model& model, const Options& options) {
  const bool wants_gear = options.has_batch || options.has_image_size || !options.dims.empty();
  return wants_gear || options.inputs.empty() ? model.FindGearInput() : std::nullopt;
}

void PrintInputNames(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) INFO_LOG("start to process file:%s", path.c_str());
}

/// The input buffers of the current execution. Declared before the model, so that after a failure
/// they go, with their line, after it.
class Inputs {
 public:
  ~Inputs() { Release(); }

  Dataset& New() {
    Release();
    dataset_.emplace();
    return *dataset_;
  }
  void Release() {
    if (!dataset_) return;
    dataset_.reset();
    INFO_LOG("destroy model input success");
  }

 private:
  std::optional<Dataset> dataset_;
};

/// What every execution of one invocation shares.
struct Job {
  const Options& options;
  const Model& model;
  bool runs_on_device;
  Dataset& outputs;
  Inputs& inputs;
  std::string folder;
  std::vector<double> times_ms;
};

/// Fills the inputs from `paths` and sets the gear; null after a printed failure.
Dataset* Prepare(Job& job, const std::vector<std::string>& paths) {
  Dataset& inputs = job.inputs.New();
  PrintInputNames(paths);
  const bool ready = FillInputs(job.model, paths, GearInput(job.model, job.options), inputs) &&
                     SetGear(job.model, job.options, inputs);
  return ready ? &inputs : nullptr;
}

bool Write(const Job& job, const std::string& stem) {
  return WriteOutputs(job.model, job.options, job.outputs, job.runs_on_device, job.folder, stem);
}

bool RunOnce(Job& job) {
  const Options& options = job.options;
  const Dataset* inputs = Prepare(job, options.inputs);
  if (inputs == nullptr) return false;
  for (int i = 0; i < options.loop; ++i)
    if (!ExecuteOnce(job.model, *inputs, job.outputs, job.times_ms)) return false;
  if (!Write(job, options.model_stem())) return false;
  const double sum = Sum(job.times_ms);
  std::printf("Inference average time: %f ms\n", sum / options.loop);
  if (options.loop > 1)
    std::printf("Inference average time without first time: %f ms\n",
                (sum - job.times_ms[0]) / (options.loop - 1));
  job.inputs.Release();
  return true;
}

bool RunFolders(Job& job) {
  const auto& folders = job.options.inputs;
  const std::vector<std::string> names = VisibleEntries(folders[0]);
  if (names.empty()) std::printf("[ERROR] No file in the directory[%s]", folders[0].c_str());
  for (size_t n = 0; n < names.size(); ++n) {
    std::vector<std::string> paths;
    for (const std::string& folder : folders) paths.push_back(folder + "/" + names[n]);
    const Dataset* inputs = Prepare(job, paths);
    if (inputs == nullptr) return false;
    if (ExecuteOnce(job.model, *inputs, job.outputs, job.times_ms)) {
      if (!Write(job, std::filesystem::path(names[n]).stem().string())) return false;
    } else if (n == 1) {
      return false;
    }
    job.inputs.Release();
  }
  const double sum = Sum(job.times_ms), count = static_cast<double>(job.times_ms.size());
  std::printf("Inference average time : %.2f ms\n", sum / count);
  if (names.size() > 1)
    std::printf("Inference average time without first time: %.2f ms\n",
                (sum - job.times_ms[0]) / (count - 1));
  return true;
}

/// Ends the process with status 0 and without the closing lines.
[[noreturn]] void StopSilently() {
  std::fflush(stdout);
  std::_Exit(0);
}

/// Ends the process when the inputs are folders that do not exist.
void CheckFolders(const Options& options) {
  for (const std::string& folder : options.inputs) {
    std::error_code error;
    const auto status = std::filesystem::status(folder, error);
    if (!std::filesystem::exists(status)) {
      ERROR_LOG("%s doesn't exist", options.inputs[0].c_str());
      StopSilently();
    }
    if (std::filesystem::is_regular_file(status)) {
      ERROR_LOG("input parameter must be folder or file ending in '.bin'");
      StopSilently();
    }
  }
}

}  // namespace

bool Run(const Options& options, AclConfig& config, bool runs_on_device) {
  Inputs inputs;
  Model model;
  if (!model.Load(options.model)) return false;
  if (!CheckGears(model, options)) return false;
  Dataset outputs;
  if (!FillOutputs(model, options, outputs)) return false;
  Job job{options, model, runs_on_device, outputs, inputs, MakeResultFolder(options.output), {}};
  if (!IsAccessible(job.folder)) {
    ERROR_LOG("current user does not have permission");
    StopSilently();
  }
  if (!options.inputs_are_files()) CheckFolders(options);
  const bool done = options.inputs_are_files() ? RunOnce(job) : RunFolders(job);
  if (done) config.Remove();
  return done;
}

}  // namespace msame
