// SPDX-License-Identifier: Apache-2.0
// Requests collected into batches by one thread.
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "cairn/model.h"

namespace cairn {
namespace {

struct Request {
  std::vector<ConstView> inputs;
  std::vector<View> outputs;
  std::promise<std::string> done;
  std::chrono::steady_clock::time_point arrived;
};

/// The first dimension that all tensors have; 0 when they differ or one has none.
size_t BatchOf(const Model& model) {
  size_t batch = 0;
  for (const auto* tensors : {&model.inputs(), &model.outputs()}) {
    for (const TensorInfo& tensor : *tensors) {
      if (tensor.dims.empty() || tensor.dims[0] <= 0) return 0;
      const auto first = static_cast<size_t>(tensor.dims[0]);
      if (batch != 0 && first != batch) return 0;
      batch = first;
    }
  }
  return batch;
}

/// Whether the views are one example of each tensor; otherwise says which is not.
template <class SomeView>
std::string CheckViews(const char* kind, const std::vector<SomeView>& views,
                       const std::vector<TensorInfo>& tensors, size_t batch) {
  if (views.size() != tensors.size())
    return std::string(kind) + "s: " + std::to_string(views.size()) + " are given, the model has " +
           std::to_string(tensors.size());
  for (size_t i = 0; i < views.size(); ++i) {
    const size_t expected = tensors[i].bytes / batch;
    if (views[i].bytes != expected || views[i].data == nullptr)
      return std::string(kind) + " " + std::to_string(i) + " '" + tensors[i].name + "' has " +
             std::to_string(views[i].bytes) + " bytes, one example has " + std::to_string(expected);
  }
  return "";
}

}  // namespace

struct BatchingQueue::Impl {
  std::shared_ptr<Model> model;
  size_t batch = 0, max_batch = 0;
  std::chrono::microseconds max_delay{0};
  std::vector<std::vector<char>> inputs, outputs;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Request> queue;
  bool stop = false;
  std::thread thread;

  ~Impl() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      stop = true;
    }
    changed.notify_all();
    if (thread.joinable()) thread.join();
  }

  /// Up to max_batch requests, as soon as there are so many or the first has waited long enough.
  std::vector<Request> Take() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return stop || !queue.empty(); });
    if (queue.empty()) return {};
    const auto deadline = queue.front().arrived + max_delay;
    changed.wait_until(lock, deadline, [&] { return stop || queue.size() >= max_batch; });
    std::vector<Request> taken;
    while (!queue.empty() && taken.size() < max_batch) {
      taken.push_back(std::move(queue.front()));
      queue.pop_front();
    }
    return taken;
  }

  std::string RunBatch(const std::vector<Request>& requests) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const size_t bytes = inputs[i].size() / batch;
      for (size_t k = 0; k < requests.size(); ++k)
        std::memcpy(inputs[i].data() + k * bytes, requests[k].inputs[i].data, bytes);
      std::memset(inputs[i].data() + requests.size() * bytes, 0,
                  (batch - requests.size()) * bytes);
    }
    std::vector<ConstView> from;
    std::vector<View> to;
    for (const auto& input : inputs) from.push_back({input.data(), input.size()});
    for (auto& output : outputs) to.push_back({output.data(), output.size()});
    const std::string error = model->Run(from, to);
    if (!error.empty()) return error;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const size_t bytes = outputs[i].size() / batch;
      for (size_t k = 0; k < requests.size(); ++k)
        std::memcpy(requests[k].outputs[i].data, outputs[i].data() + k * bytes, bytes);
    }
    return "";
  }

  void Loop() {
    while (true) {
      std::vector<Request> requests = Take();
      if (requests.empty()) return;
      const std::string error = RunBatch(requests);
      for (Request& request : requests) request.done.set_value(error);
    }
  }
};

BatchingQueue::BatchingQueue(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BatchingQueue::~BatchingQueue() = default;

std::unique_ptr<BatchingQueue> BatchingQueue::New(std::shared_ptr<Model> model,
                                                  const Options& options, std::string* error) {
  const auto fail = [&](const std::string& reason) {
    if (error != nullptr) *error = reason;
    return nullptr;
  };
  if (model == nullptr) return fail("there is no model");
  const size_t batch = BatchOf(*model);
  if (batch == 0) return fail("inputs and outputs have no common first dimension");
  if (options.max_batch > batch)
    return fail("max_batch is " + std::to_string(options.max_batch) + ", the model's batch is " +
                std::to_string(batch));
  std::unique_ptr<Impl> impl(new Impl);
  impl->batch = batch;
  impl->max_batch = options.max_batch == 0 ? batch : options.max_batch;
  impl->max_delay = options.max_delay;
  for (const TensorInfo& tensor : model->inputs()) impl->inputs.emplace_back(tensor.bytes);
  for (const TensorInfo& tensor : model->outputs()) impl->outputs.emplace_back(tensor.bytes);
  impl->model = std::move(model);
  Impl* self = impl.get();
  impl->thread = std::thread([self] { self->Loop(); });
  return std::unique_ptr<BatchingQueue>(new BatchingQueue(std::move(impl)));
}

std::future<std::string> BatchingQueue::Submit(std::vector<ConstView> inputs,
                                               std::vector<View> outputs) {
  Request request;
  std::future<std::string> future = request.done.get_future();
  std::string problem = CheckViews("input", inputs, impl_->model->inputs(), impl_->batch);
  if (problem.empty())
    problem = CheckViews("output", outputs, impl_->model->outputs(), impl_->batch);
  if (!problem.empty()) {
    request.done.set_value(problem);
    return future;
  }
  request.inputs = std::move(inputs);
  request.outputs = std::move(outputs);
  request.arrived = std::chrono::steady_clock::now();
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->queue.push_back(std::move(request));
  }
  impl_->changed.notify_one();
  return future;
}

}  // namespace cairn
