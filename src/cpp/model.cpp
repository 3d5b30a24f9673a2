// SPDX-License-Identifier: Apache-2.0
// Models of the C++ face, on the C interface.
#include "cairn/model.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "acl/acl.h"

namespace cairn {
namespace {

/// The text of the last failure, or the code.
std::string Reason(aclError code) {
  const char* text = aclGetRecentErrMsg();
  return text != nullptr ? text : "error " + std::to_string(code);
}

/// A dataset over memory of the caller.
class Dataset {
 public:
  Dataset() : dataset_(aclmdlCreateDataset()) {}
  ~Dataset() {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset_); ++i)
      aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset_, i));
    if (dataset_ != nullptr) aclmdlDestroyDataset(dataset_);
  }
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  void Add(void* data, size_t bytes) {
    aclmdlAddDatasetBuffer(dataset_, aclCreateDataBuffer(data, bytes));
  }
  aclmdlDataset* get() const { return dataset_; }

 private:
  aclmdlDataset* dataset_;
};

using ReadDims = aclError (*)(const aclmdlDesc*, size_t, aclmdlIODims*);

TensorInfo Info(const aclmdlDesc* desc, size_t index, const char* name, int type, size_t bytes,
                ReadDims read) {
  TensorInfo info{name, type, {}, bytes};
  aclmdlIODims dims;
  if (read(desc, index, &dims) == ACL_SUCCESS) info.dims.assign(dims.dims, dims.dims + dims.dimCount);
  return info;
}

/// The process is initialised once; a program that uses the C interface too may have done it.
std::string Start(int device) {
  static const aclError initialized = aclInit(nullptr);
  if (initialized != ACL_SUCCESS && initialized != ACL_ERROR_REPEAT_INITIALIZE)
    return Reason(initialized);
  const aclError set = aclrtSetDevice(device);
  return set == ACL_SUCCESS ? "" : Reason(set);
}

}  // namespace

struct Model::Impl {
  int device = 0;
  uint32_t id = 0;
  aclrtContext context = nullptr;
  std::vector<TensorInfo> inputs, outputs;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool stop = false;
  std::thread thread;

  ~Impl() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      stop = true;
    }
    changed.notify_all();
    if (thread.joinable()) thread.join();
    aclrtSetCurrentContext(context);
    aclmdlUnload(id);
  }

  std::string Describe() {
    aclmdlDesc* desc = aclmdlCreateDesc();
    const aclError code = aclmdlGetDesc(desc, id);
    if (code != ACL_SUCCESS) {
      aclmdlDestroyDesc(desc);
      return Reason(code);
    }
    for (size_t i = 0; i < aclmdlGetNumInputs(desc); ++i)
      inputs.push_back(Info(desc, i, aclmdlGetInputNameByIndex(desc, i),
                            aclmdlGetInputDataType(desc, i), aclmdlGetInputSizeByIndex(desc, i),
                            aclmdlGetInputDims));
    for (size_t i = 0; i < aclmdlGetNumOutputs(desc); ++i)
      outputs.push_back(Info(desc, i, aclmdlGetOutputNameByIndex(desc, i),
                             aclmdlGetOutputDataType(desc, i), aclmdlGetOutputSizeByIndex(desc, i),
                             aclmdlGetOutputDims));
    aclmdlDestroyDesc(desc);
    return "";
  }

  std::string Run(const std::vector<ConstView>& in, const std::vector<View>& out) {
    const aclError current = aclrtSetCurrentContext(context);
    if (current != ACL_SUCCESS) return Reason(current);
    Dataset from, to;
    for (const ConstView& view : in) from.Add(const_cast<void*>(view.data), view.bytes);
    for (const View& view : out) to.Add(view.data, view.bytes);
    const aclError code = aclmdlExecute(id, from.get(), to.get());
    return code == ACL_SUCCESS ? "" : Reason(code);
  }

  void Loop() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return stop || !work.empty(); });
      if (work.empty()) return;
      const std::function<void()> next = std::move(work.front());
      work.pop_front();
      lock.unlock();
      next();
      lock.lock();
    }
  }
};

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;

std::unique_ptr<Model> Model::Load(const std::string& path, const Options& options,
                                   std::string* error) {
  const auto fail = [&](std::string reason) {
    if (error != nullptr) *error = std::move(reason);
    return nullptr;
  };
  std::string problem = Start(options.device);
  if (!problem.empty()) return fail(std::move(problem));
  uint32_t id = 0;
  const aclError code = aclmdlLoadFromFile(path.c_str(), &id);
  if (code != ACL_SUCCESS) return fail(Reason(code));
  std::unique_ptr<Impl> impl(new Impl);
  impl->device = options.device;
  impl->id = id;
  aclrtGetCurrentContext(&impl->context);
  problem = impl->Describe();
  if (!problem.empty()) return fail(std::move(problem));
  return std::unique_ptr<Model>(new Model(std::move(impl)));
}

const std::vector<TensorInfo>& Model::inputs() const { return impl_->inputs; }
const std::vector<TensorInfo>& Model::outputs() const { return impl_->outputs; }

std::string Model::Run(const std::vector<ConstView>& inputs, const std::vector<View>& outputs) {
  return impl_->Run(inputs, outputs);
}

std::future<std::string> Model::RunAsync(std::vector<ConstView> inputs, std::vector<View> outputs) {
  auto promise = std::make_shared<std::promise<std::string>>();
  std::future<std::string> future = promise->get_future();
  Impl* impl = impl_.get();
  {
    const std::lock_guard<std::mutex> lock(impl->mutex);
    impl->work.push_back([impl, promise, in = std::move(inputs), out = std::move(outputs)] {
      promise->set_value(impl->Run(in, out));
    });
    if (!impl->thread.joinable()) impl->thread = std::thread([impl] { impl->Loop(); });
  }
  impl->changed.notify_one();
  return future;
}

}  // namespace cairn
