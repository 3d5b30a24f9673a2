// SPDX-License-Identifier: Apache-2.0
// Requests of several threads, run together by a batching queue: batching MODEL.om [requests]
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "cairn/model.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s MODEL.om [requests]\n", argv[0]);
    return 2;
  }
  const int requests = argc > 2 ? std::atoi(argv[2]) : 100;
  std::string error;
  std::shared_ptr<cairn::Model> model = cairn::Model::Load(argv[1], &error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  cairn::BatchingQueue::Options options;
  options.max_delay = std::chrono::milliseconds(2);
  const auto queue = cairn::BatchingQueue::New(model, options, &error);
  if (queue == nullptr) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  const auto batch = static_cast<size_t>(model->inputs()[0].dims[0]);
  constexpr int kThreads = 4;
  int failed[kThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; i < requests; i += kThreads) {
        std::vector<std::vector<char>> in, out;
        for (const auto& tensor : model->inputs()) in.emplace_back(tensor.bytes / batch);
        for (const auto& tensor : model->outputs()) out.emplace_back(tensor.bytes / batch);
        std::vector<cairn::ConstView> from;
        std::vector<cairn::View> to;
        for (const auto& buffer : in) from.push_back({buffer.data(), buffer.size()});
        for (auto& buffer : out) to.push_back({buffer.data(), buffer.size()});
        if (!queue->Submit(from, to).get().empty()) ++failed[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (const int count : failed) sum += count;
  std::printf("%d requests, %d failed\n", requests, sum);
  return sum == 0 ? 0 : 1;
}
