// SPDX-License-Identifier: Apache-2.0
// Selection of stages and writing of dump files.
#include "modeldef/graph_dump.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/atomic_file.h"
#include "base/log.h"
#include "ir/text.h"
#include "modeldef/model_def.h"

namespace cairn::modeldef {
namespace {

std::string Lookup(const GraphDumper::EnvironmentLookup& lookup, const char* name) {
  const char* text = lookup(name);
  return text == nullptr ? std::string() : std::string(text);
}

std::string Folder(const GraphDumper::EnvironmentLookup& lookup) {
  for (const char* name : {"ASCEND_DUMP_PATH", "DUMP_GRAPH_PATH", "ASCEND_WORK_PATH"}) {
    const std::string path = Lookup(lookup, name);
    if (!path.empty()) return StrCat(path, "/pid_", getpid(), "_deviceid_0");
  }
  return ".";
}

// Stage names become part of a file name.
std::string FileStage(std::string_view stage) {
  std::string name(stage);
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == ' ' || c == '\0'; }, '_');
  return name;
}

bool AnyPartIn(std::string_view parts, std::string_view stage) {
  while (!parts.empty()) {
    const std::string_view part = parts.substr(0, parts.find('|'));
    if (!part.empty() && stage.find(part) != std::string_view::npos) return true;
    parts.remove_prefix(std::min(part.size() + 1, parts.size()));
  }
  return false;
}

}  // namespace

GraphDumper::GraphDumper(const EnvironmentLookup& lookup) {
  const std::string content = Lookup(lookup, "DUMP_GE_GRAPH");
  if (content.empty() || content == "0") return;
  if (content == "1") content_ = Content::kFull;
  if (content == "2") content_ = Content::kNoWeights;
  if (content == "3") content_ = Content::kTopology;
  if (!enabled()) {
    warnings_.push_back(StrCat("DUMP_GE_GRAPH is '", content,
                               "', expected 1 (with weights), 2 (without) or 3 (topology)"));
  }
  level_ = Lookup(lookup, "DUMP_GRAPH_LEVEL");
  if (level_.empty()) level_ = "2";
  const std::string format = Lookup(lookup, "DUMP_GRAPH_FORMAT");
  if (!format.empty()) ReadFormat(format);
  folder_ = Folder(lookup);
}

void GraphDumper::ReadFormat(std::string_view format) {
  proto_ = readable_ = false;
  while (!format.empty()) {
    const std::string_view name = format.substr(0, format.find('|'));
    format.remove_prefix(std::min(name.size() + 1, format.size()));
    if (name == "ge_proto") {
      proto_ = true;
    } else if (name == "readable") {
      readable_ = true;
    } else {
      warnings_.push_back(
          StrCat("DUMP_GRAPH_FORMAT: '", name, "' is not written; ge_proto and readable are"));
    }
  }
}

bool GraphDumper::IsSelected(std::string_view stage) const {
  if (level_ == "1") return true;
  if (level_ == "2") {
    return stage == kStageImported || stage == kStageOptimized || stage == kStageFinal;
  }
  if (level_ == "3") return stage == kStageFinal;
  if (level_ == "4") return stage == kStageImported;
  return AnyPartIn(level_, stage);
}

void GraphDumper::Dump(const Graph& graph, std::string_view stage) {
  if (!enabled() || !IsSelected(stage)) return;
  if (proto_) Write("ge_proto", stage, GraphAsProtoText(graph, content_ == Content::kFull));
  if (readable_ && enabled()) {
    PrintOptions options;
    options.types = content_ != Content::kTopology;
    options.origins = content_ != Content::kTopology;
    if (content_ == Content::kFull) options.max_constant_elements = -1;
    Write("ge_readable", stage, PrintGraph(graph, options));
  }
  ++counter_;
}

void GraphDumper::Write(std::string_view kind, std::string_view stage, const std::string& text) {
  char number[16];
  std::snprintf(number, sizeof(number), "%08d", counter_);
  const std::string path = StrCat(folder_, "/", kind, "_", number, "_", FileStage(stage), ".txt");
  auto file = AtomicFile::Create(path);
  Status status = file.status();
  if (file.ok()) status = file->Write(text);
  if (status.ok()) status = file->Commit();
  if (status.ok()) return;
  CAIRN_LOG(kGe, kWarning, "graph dump: ", status.ToString());
  warnings_.push_back(StrCat("graph dumps end: ", status.message()));
  content_ = Content::kNone;
}

}  // namespace cairn::modeldef
