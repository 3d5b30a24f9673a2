// SPDX-License-Identifier: Apache-2.0
// A small C++ face of the runtime: load a model, run it, batch requests of many threads.
#ifndef CAIRN_MODEL_H_
#define CAIRN_MODEL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace cairn {

/// An input or output of a model.
struct TensorInfo {
  std::string name;
  int type = 0;  ///< An aclDataType: 0 float, 1 float16, 3 int32, 4 uint8, 9 int64, ...
  std::vector<int64_t> dims;
  size_t bytes = 0;
};

/// Memory of the caller.
struct ConstView {
  const void* data = nullptr;
  size_t bytes = 0;
};
struct View {
  void* data = nullptr;
  size_t bytes = 0;
};

/// A loaded model. All functions may be called from any thread at any time.
class __attribute__((visibility("default"))) Model {
 public:
  struct Options {
    int device = 0;
  };

  /// Null on failure; the reason is in `*error` when that is not null.
  static std::unique_ptr<Model> Load(const std::string& path, const Options& options,
                                     std::string* error);
  static std::unique_ptr<Model> Load(const std::string& path, std::string* error) {
    return Load(path, Options(), error);
  }
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const std::vector<TensorInfo>& inputs() const;
  const std::vector<TensorInfo>& outputs() const;

  /// Runs on the calling thread, on the memory of the views. Empty on success, else the reason.
  std::string Run(const std::vector<ConstView>& inputs, const std::vector<View>& outputs);

  /// Runs on a thread of the model, in the order of the calls; the memory must live until the future
  /// is ready.
  std::future<std::string> RunAsync(std::vector<ConstView> inputs, std::vector<View> outputs);

 private:
  struct Impl;
  explicit Model(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Collects requests for single examples and runs them together on a model whose inputs and outputs
/// have the batch as their first dimension. Unused places of a batch are zeros.
class __attribute__((visibility("default"))) BatchingQueue {
 public:
  struct Options {
    size_t max_batch = 0;  ///< At most the model's batch, which 0 stands for.
    std::chrono::microseconds max_delay{1000};  ///< How long the first request waits for others.
  };

  /// Null on failure, with the reason in `*error`.
  static std::unique_ptr<BatchingQueue> New(std::shared_ptr<Model> model, const Options& options,
                                            std::string* error);
  /// Runs what is queued, then ends.
  ~BatchingQueue();
  BatchingQueue(const BatchingQueue&) = delete;
  BatchingQueue& operator=(const BatchingQueue&) = delete;

  /// One example: views of bytes / batch each. The memory must live until the future is ready; its
  /// value is empty on success, else the reason.
  std::future<std::string> Submit(std::vector<ConstView> inputs, std::vector<View> outputs);

 private:
  struct Impl;
  explicit BatchingQueue(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn

#endif  // CAIRN_MODEL_H_
