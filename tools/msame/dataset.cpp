// SPDX-License-Identifier: Apache-2.0
// Input and output buffers of an execution.
#include "msame/dataset.h"

#include <filesystem>
#include <fstream>

#include "msame/console.h"

namespace msame {
namespace {

/// The whole file, or nothing after a printed failure.
std::optional<std::vector<char>> ReadFile(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    ERROR_LOG("open file %s failed, it is a folder", path.c_str());
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    ERROR_LOG("open file %s failed", path.c_str());
    return std::nullopt;
  }
  const std::streamoff size = file.tellg();
  if (size <= 0) {
    ERROR_LOG("binfile is empty, filename is %s", path.c_str());
    return std::nullopt;
  }
  std::vector<char> bytes(static_cast<size_t>(size));
  file.seekg(0);
  if (!file.read(bytes.data(), size)) {
    ERROR_LOG("open file %s failed", path.c_str());
    return std::nullopt;
  }
  return bytes;
}

/// Tells about a file whose size is not the input's; the library decides whether it will do.
void WarnAboutSize(const Model& model, size_t index, const std::string& path, size_t bytes) {
  const size_t expected = aclmdlGetInputSizeByIndex(model.desc(), index);
  aclmdlIODimsRange range{};
  if (aclmdlGetInputDimsRange(model.desc(), index, &range) == ACL_SUCCESS && range.rangeCount > 0)
    return;  // Of open shape.
  if (bytes == expected || index >= model.num_inputs()) return;
  WARN_LOG("input %zu (%s) takes %zu bytes, %s has %zu", index,
           aclmdlGetInputNameByIndex(model.desc(), index), expected, path.c_str(), bytes);
}

}  // namespace

Dataset::~Dataset() {
  ReleaseAllocated();
  for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset_); ++i)
    aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset_, i));
  if (dataset_ != nullptr) aclmdlDestroyDataset(dataset_);
  for (void* memory : memory_) aclrtFree(memory);
}

bool Dataset::Append(void* memory, size_t bytes) {
  aclDataBuffer* buffer = aclCreateDataBuffer(memory, bytes);
  if (buffer == nullptr || aclmdlAddDatasetBuffer(dataset_, buffer) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("add dataset buffer failed");
    return false;
  }
  return true;
}

bool Dataset::AppendMemory(size_t bytes, bool clear) {
  void* memory = nullptr;
  if (aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("malloc device buffer failed, size is %zu", bytes);
    return false;
  }
  memory_.push_back(memory);
  if (clear && aclrtMemset(memory, bytes, 0, bytes) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("memory set failed");
    return false;
  }
  return Append(memory, bytes);
}

bool Dataset::AppendEmpty() {
  if (!Append(nullptr, 0)) return false;
  empty_.push_back(aclmdlGetDatasetBuffer(dataset_, aclmdlGetDatasetNumBuffers(dataset_) - 1));
  return true;
}

void Dataset::ReleaseAllocated() {
  for (aclDataBuffer* buffer : empty_) {
    void* memory = aclGetDataBufferAddr(buffer);
    if (memory == nullptr) continue;
    aclrtFree(memory);
    aclUpdateDataBuffer(buffer, nullptr, 0);
  }
}

bool Dataset::AppendFile(const std::string& path) {
  const auto bytes = ReadFile(path);
  if (!bytes) return false;
  if (!AppendMemory(bytes->size(), false)) return false;
  if (aclrtMemcpy(memory_.back(), bytes->size(), bytes->data(), bytes->size(),
                  ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("memory copy failed");
    return false;
  }
  return true;
}

bool FillInputs(const Model& model, const std::vector<std::string>& files,
                std::optional<size_t> gear_input, Dataset& dataset) {
  const size_t count = files.empty() ? model.num_inputs() : files.size() + gear_input.has_value();
  size_t file = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool is_gear = gear_input && i == *gear_input;
    const size_t bytes = aclmdlGetInputSizeByIndex(model.desc(), i);
    const bool done = is_gear         ? dataset.AppendMemory(bytes, false)
                      : files.empty() ? dataset.AppendMemory(bytes, true)
                                      : dataset.AppendFile(files[file++]);
    if (done && !is_gear && !files.empty() && !gear_input)
      WarnAboutSize(model, i, files[i],
                    aclGetDataBufferSizeV2(aclmdlGetDatasetBuffer(dataset.get(), i)));
    if (!done) {
      ERROR_LOG("get pic device buffer failed,index is %zu", i);
      return false;
    }
  }
  return true;
}

bool FillOutputs(const Model& model, const Options& options, Dataset& dataset) {
  const auto& sizes = options.output_sizes;
  if (!sizes.empty() && sizes.size() != model.num_outputs()) {
    ERROR_LOG("om has %zu output, but outputSize parametet give %zu", model.num_outputs(),
              sizes.size());
    return false;
  }
  for (size_t i = 0; i < model.num_outputs(); ++i) {
    const size_t bytes = sizes.empty() ? aclmdlGetOutputSizeByIndex(model.desc(), i) : sizes[i];
    // The size of an output of open shape is known after the execution only.
    const bool is_open = bytes == 0 && !options.shapes.empty();
    if (!(is_open ? dataset.AppendEmpty() : dataset.AppendMemory(bytes, false))) {
      ERROR_LOG("can't create output buffer %zu of %zu bytes", i, bytes);
      return false;
    }
  }
  INFO_LOG("create model output success");
  return true;
}

}  // namespace msame
