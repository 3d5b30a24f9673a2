// SPDX-License-Identifier: Apache-2.0
// Execution over one set of inputs or over all files of a folder.
#include "msame/runner.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <algorithm>
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

Outcome RunOnce(const Model& model, const Options& options, bool runs_on_device, Dataset& outputs,
                const std::string& folder) {
  std::vector<double> times_ms;
  {
    Dataset inputs;
    PrintInputNames(options.inputs);
    if (!FillInputs(model, options.inputs, GearInput(model, options), inputs) ||
        !SetGear(model, options, inputs))
      return Outcome::kFailed;
    for (int i = 0; i < options.loop; ++i)
      if (!ExecuteOnce(model, inputs, outputs, times_ms)) return Outcome::kFailed;
    if (!WriteOutputs(model, options, outputs, runs_on_device, folder, options.model_stem()))
      return Outcome::kFailed;
    std::printf("Inference average time: %f ms\n", Sum(times_ms) / options.loop);
    if (options.loop > 1)
      std::printf("Inference average time without first time: %f ms\n",
                  (Sum(times_ms) - times_ms[0]) / (options.loop - 1));
  }
  INFO_LOG("destroy model input success");
  return Outcome::kDone;
}

Outcome RunFolders(const Model& model, const Options& options, bool runs_on_device,
                   Dataset& outputs, const std::string& folder) {
  const std::vector<std::string> names = VisibleEntries(options.inputs[0]);
  if (names.empty()) std::printf("[ERROR] No file in the directory[%s]", options.inputs[0].c_str());
  std::vector<double> times_ms;
  for (size_t n = 0; n < names.size(); ++n) {
    std::vector<std::string> paths;
    for (const std::string& input : options.inputs) paths.push_back(input + "/" + names[n]);
    Dataset inputs;
    PrintInputNames(paths);
    if (!FillInputs(model, paths, GearInput(model, options), inputs) ||
        !SetGear(model, options, inputs))
      return Outcome::kFailed;
    if (ExecuteOnce(model, inputs, outputs, times_ms)) {
      const std::string stem = std::filesystem::path(names[n]).stem().string();
      if (!WriteOutputs(model, options, outputs, runs_on_device, folder, stem))
        return Outcome::kFailed;
    } else {
      ERROR_LOG("model execute failed");
      if (n == 1) return Outcome::kFailed;
    }
    INFO_LOG("destroy model input success");
  }
  std::printf("Inference average time : %.2f ms\n", Sum(times_ms) / times_ms.size());
  if (times_ms.size() > 1)
    std::printf("Inference average time without first time: %.2f ms\n",
                (Sum(times_ms) - times_ms[0]) / (times_ms.size() - 1));
  return Outcome::kDone;
}

}  // namespace

Outcome Run(const Options& options, bool runs_on_device) {
  Model model;
  if (!model.Load(options.model)) return Outcome::kFailed;
  if (options.debug) model.PrintDescription();
  if (!CheckGears(model, options)) return Outcome::kFailed;
  Dataset outputs;
  if (!FillOutputs(model, options, outputs)) return Outcome::kFailed;
  const std::string folder = MakeResultFolder(options.output);
  if (!IsAccessible(folder)) {
    ERROR_LOG("current user does not have permission");
    return Outcome::kNoFolder;
  }
  return options.inputs_are_files() ? RunOnce(model, options, runs_on_device, outputs, folder)
                                    : RunFolders(model, options, runs_on_device, outputs, folder);
}

}  // namespace msame
