// SPDX-License-Identifier: Apache-2.0
// Times of a model's nodes, through the subscription functions of acl_prof.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_prof.h"
#include "ocr/acl_model.h"

namespace ocr {

struct NodeTime {
  std::string model;
  std::string name;
  std::string type;
  double total_us = 0;
  int runs = 0;
};

/// Listens to a model's executions from its creation to Finish().
class NodeTimes {
 public:
  static Result<std::unique_ptr<NodeTimes>> Subscribe(const std::string& label,
                                                      const AclModel& model);
  ~NodeTimes();
  NodeTimes(const NodeTimes&) = delete;
  NodeTimes& operator=(const NodeTimes&) = delete;

  /// Ends the subscription and returns one entry per node that ran, in order of execution.
  std::vector<NodeTime> Finish();

 private:
  NodeTimes(std::string label, uint32_t model) : label_(std::move(label)), model_(model) {}
  void ReadRecords();
  void Add(const char* records, size_t bytes);
  void Stop();

  const std::string label_;
  const uint32_t model_;
  int read_end_ = -1, write_end_ = -1;
  aclprofSubscribeConfig* config_ = nullptr;
  std::thread reader_;
  std::vector<NodeTime> nodes_;
  std::map<std::string, size_t> index_;  // Name and type to the entry.
};

}  // namespace ocr
