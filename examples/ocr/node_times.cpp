// SPDX-License-Identifier: Apache-2.0
// A thread reads the records that the runtime writes into a pipe.
#include "ocr/node_times.h"

#include <unistd.h>

namespace ocr {

Result<std::unique_ptr<NodeTimes>> NodeTimes::Subscribe(const std::string& label,
                                                        const AclModel& model) {
  std::unique_ptr<NodeTimes> times(new NodeTimes(label, model.id()));
  int ends[2];
  if (pipe(ends) != 0) return Status(Code::kInternal, "no pipe for the node times");
  times->read_end_ = ends[0];
  times->write_end_ = ends[1];
  times->config_ = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &times->write_end_);
  if (times->config_ == nullptr || aclprofModelSubscribe(model.id(), times->config_) != ACL_SUCCESS)
    return AclFailure("aclprofModelSubscribe");
  times->reader_ = std::thread([raw = times.get()] { raw->ReadRecords(); });
  return times;
}

NodeTimes::~NodeTimes() { Stop(); }

void NodeTimes::Stop() {
  if (config_ != nullptr) {
    aclprofModelUnSubscribe(model_);
    aclprofDestroySubscribeConfig(config_);
    config_ = nullptr;
  }
  if (write_end_ >= 0) close(write_end_);  // The reader sees the end.
  write_end_ = -1;
  if (reader_.joinable()) reader_.join();
  if (read_end_ >= 0) close(read_end_);
  read_end_ = -1;
}

std::vector<NodeTime> NodeTimes::Finish() {
  Stop();
  return nodes_;
}

void NodeTimes::ReadRecords() {
  size_t record_bytes = 0;
  if (aclprofGetOpDescSize(&record_bytes) != ACL_SUCCESS) return;
  std::vector<char> buffer(record_bytes * 64);
  size_t filled = 0;
  for (ssize_t got; (got = read(read_end_, buffer.data() + filled, buffer.size() - filled)) > 0;) {
    filled += static_cast<size_t>(got);
    const size_t whole = filled / record_bytes * record_bytes;
    Add(buffer.data(), whole);
    std::copy(buffer.begin() + static_cast<ptrdiff_t>(whole),
              buffer.begin() + static_cast<ptrdiff_t>(filled), buffer.begin());
    filled -= whole;
  }
}

void NodeTimes::Add(const char* records, size_t bytes) {
  uint32_t count = 0;
  if (aclprofGetOpNum(records, bytes, &count) != ACL_SUCCESS) return;
  for (uint32_t i = 0; i < count; ++i) {
    char name[ACL_PROF_MAX_OP_NAME_LEN] = "", type[ACL_PROF_MAX_OP_TYPE_LEN] = "";
    aclprofGetOpName(records, bytes, i, name, sizeof(name));
    aclprofGetOpType(records, bytes, i, type, sizeof(type));
    const auto [entry, is_new] = index_.try_emplace(StrCat(name, " ", type), nodes_.size());
    if (is_new) nodes_.push_back({label_, name, type, 0, 0});
    NodeTime& node = nodes_[entry->second];
    node.total_us += static_cast<double>(aclprofGetOpDuration(records, bytes, i)) / 1000.0;
    ++node.runs;
  }
}

}  // namespace ocr
