// SPDX-License-Identifier: Apache-2.0
// Text and binary result files.
#include "msame/output_writer.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "msame/console.h"
#include "msame/gears.h"

namespace msame {
namespace {

/// Host access to a device buffer: a copy, or the buffer itself when the program runs on the
/// device.
class HostView {
 public:
  HostView(void* device, size_t bytes, bool runs_on_device) : data_(device) {
    if (runs_on_device || bytes == 0) return;
    data_ = nullptr;
    if (aclrtMallocHost(&copy_, bytes) != ACL_SUCCESS ||
        aclrtMemcpy(copy_, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS) {
      PrintAclMessage();
      ERROR_LOG("copy output to host failed, size is %zu", bytes);
      return;
    }
    data_ = copy_;
  }
  ~HostView() {
    if (copy_ != nullptr) aclrtFreeHost(copy_);
  }
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;
  const void* data() const { return data_; }

 private:
  void* data_;
  void* copy_ = nullptr;
};

/// Values behind one another with a blank after each, a new line after every `row` values (0:
/// none).
template <class T, class Print>
void WriteValues(std::ofstream& file, const void* data, size_t bytes, size_t row, Print print) {
  const T* values = static_cast<const T*>(data);
  const size_t count = bytes / sizeof(T);
  for (size_t i = 0; i < count; ++i) {
    print(values[i]);
    file << ' ';
    if (row > 0 && (i + 1) % row == 0) file << '\n';
  }
}

/// Streams values as their own type: 8-bit integers appear as characters.
template <class T>
void StreamValues(std::ofstream& file, const void* data, size_t bytes, size_t row) {
  WriteValues<T>(file, data, bytes, row, [&](T value) { file << value; });
}

bool WriteText(std::ofstream& file, aclDataType type, const void* data, size_t bytes, size_t row) {
  switch (type) {
    case ACL_FLOAT:
      StreamValues<float>(file, data, bytes, row);
      return true;
    case ACL_DOUBLE:
      StreamValues<double>(file, data, bytes, row);
      return true;
    case ACL_INT8:
      StreamValues<int8_t>(file, data, bytes, row);
      return true;
    case ACL_UINT8:
      StreamValues<uint8_t>(file, data, bytes, row);
      return true;
    case ACL_INT16:
      StreamValues<int16_t>(file, data, bytes, row);
      return true;
    case ACL_UINT16:
      StreamValues<uint16_t>(file, data, bytes, row);
      return true;
    case ACL_INT32:
      StreamValues<int32_t>(file, data, bytes, row);
      return true;
    case ACL_UINT32:
      StreamValues<uint32_t>(file, data, bytes, row);
      return true;
    case ACL_INT64:
      StreamValues<int64_t>(file, data, bytes, row);
      return true;
    case ACL_UINT64:
      StreamValues<uint64_t>(file, data, bytes, row);
      return true;
    case ACL_BOOL:
      WriteValues<uint8_t>(file, data, bytes, row, [&](uint8_t v) { file << (v != 0 ? 1 : 0); });
      return true;
    case ACL_FLOAT16:
      WriteValues<aclFloat16>(file, data, bytes, row,
                              [&](aclFloat16 v) { file << aclFloat16ToFloat(v); });
      return true;
    default:
      return false;
  }
}

/// Values per text line: the innermost dim of outputs of rank 2 and more, else 0 (a single line).
size_t ValuesPerLine(const Model& model, size_t index) {
  aclmdlIODims dims;
  const aclError result = aclmdlGetCurOutputDims(model.desc(), index, &dims);
  if (result != ACL_SUCCESS) {
    aclGetRecentErrMsg();  // Reported by the next line.
    WARN_LOG("aclmdlGetCurOutputDims failed ret[%d], maybe the modle has dynamic shape", result);
    return 0;
  }
  if (dims.dimCount < 2 || dims.dims[dims.dimCount - 1] <= 0) return 0;
  return static_cast<size_t>(dims.dims[dims.dimCount - 1]);
}

/// Bytes of the output that belong to the chosen batch or shape.
size_t ResultBytes(const Options& options, uint64_t max_batch, const Dataset& outputs,
                   size_t index) {
  const size_t bytes = aclGetDataBufferSizeV2(aclmdlGetDatasetBuffer(outputs.get(), index));
  if (!options.shapes.empty()) {
    const aclTensorDesc* desc = aclmdlGetDatasetTensorDesc(outputs.get(), index);
    if (desc != nullptr) return std::min(bytes, aclGetTensorDescSize(desc));
  }
  if (options.has_batch && options.batch > 0 && max_batch >= options.batch)
    return bytes / (max_batch / options.batch);
  return bytes;
}

}  // namespace

bool WriteOutputs(const Model& model, const Options& options, const Dataset& outputs,
                  bool runs_on_device, const std::string& folder, const std::string& stem) {
  const uint64_t max_batch = MaxBatch(model);
  INFO_LOG("get max dynamic batch size success");
  for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(outputs.get()); ++i) {
    void* device = aclGetDataBufferAddr(aclmdlGetDatasetBuffer(outputs.get(), i));
    const size_t bytes = ResultBytes(options, max_batch, outputs, i);
    const std::string path = folder + "/" + stem + "_output_" + std::to_string(i) +
                             (options.text_output ? ".txt" : ".bin");
    std::ofstream file(path, std::ios::binary);
    if (!file) {
      ERROR_LOG("create file %s failed", path.c_str());
      return false;
    }
    const HostView view(device, bytes, runs_on_device);
    if (view.data() == nullptr && bytes > 0) return false;
    if (!options.text_output) {
      file.write(static_cast<const char*>(view.data()), static_cast<std::streamsize>(bytes));
    } else if (!WriteText(file, aclmdlGetOutputDataType(model.desc(), i), view.data(), bytes,
                          ValuesPerLine(model, i))) {
      std::printf("undefined data type!\n");
    }
    if (!file.flush()) {
      ERROR_LOG("write file %s failed", path.c_str());
      file.close();
      std::remove(path.c_str());  // Half a result is none.
      return false;
    }
  }
  INFO_LOG("output data success");
  return true;
}

}  // namespace msame
