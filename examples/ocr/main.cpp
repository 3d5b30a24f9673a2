// SPDX-License-Identifier: Apache-2.0
// cairn-ocr: reads the text of a picture, or of a line that it draws itself.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "ocr/detector.h"
#include "ocr/draw_text.h"
#include "ocr/node_times.h"
#include "ocr/recognizer.h"

namespace ocr {
namespace {

struct Arguments {
  std::string detection, classifier, characters;
  std::vector<std::string> recognition;
  std::string picture;
  std::string text = "Cairn reads: 42 apples";
  std::string font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  int pixels = 40;
  int repeat = 5;
  int nodes = 10;
};

void DeclareOptions(CLI::App& app, Arguments& args) {
  app.add_option("--det", args.detection, "text detection model (.om)")->required();
  app.add_option("--rec", args.recognition, "text recognition models (.om), of one or more widths")
      ->required()
      ->delimiter(',');
  app.add_option("--keys", args.characters, "characters of the recognition model, one per line")
      ->required();
  app.add_option("--cls", args.classifier, "text direction model (.om)");
  app.add_option("--image", args.picture, "JPEG, PNG or PNM picture to read");
  app.add_option("--text", args.text, "text to draw and read without --image")
      ->capture_default_str();
  app.add_option("--font", args.font, "TrueType font")->capture_default_str();
  app.add_option("--pixels", args.pixels, "size of the drawn text")
      ->check(CLI::Range(8, 200))
      ->capture_default_str();
  app.add_option("--repeat", args.repeat, "timed executions of each model")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--nodes", args.nodes, "most expensive nodes to list, 0: none")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
}

Result<cairn::image::Image> GetPicture(const Arguments& args) {
  if (!args.picture.empty()) return cairn::image::ReadImage(args.picture);
  return DrawText(args.text, args.font, args.pixels);
}

struct Models {
  std::unique_ptr<AclModel> detection;
  std::unique_ptr<AclModel> classifier;  // Null without --cls.
  Recognizer recognizer;
};

Result<Models> LoadModels(const Arguments& args) {
  Models models;
  ASSIGN_OR_RETURN(models.detection, AclModel::Load(args.detection));
  if (!args.classifier.empty()) {
    ASSIGN_OR_RETURN(models.classifier, AclModel::Load(args.classifier));
  }
  ASSIGN_OR_RETURN(models.recognizer, Recognizer::Load(args.recognition, args.characters));
  return models;
}

/// What one pass over the picture found, and how long the models ran.
struct Pass {
  std::vector<TextRegion> regions;
  std::vector<Line> lines;
  double detection_ms = 0;
  double recognition_ms = 0;  ///< Of all lines.
};

Result<Pass> ReadPicture(Models& models, const cairn::image::Image& picture) {
  Pass pass;
  ASSIGN_OR_RETURN(pass.regions, DetectText(*models.detection, picture));
  pass.detection_ms = models.detection->last_ms();
  for (TextRegion& region : pass.regions) {
    if (models.classifier != nullptr) {
      ASSIGN_OR_RETURN(const bool turned, IsUpsideDown(*models.classifier, picture, region.box));
      const Point direction = region.box.direction;
      if (turned) region.box.direction = {-direction.x, -direction.y};
    }
    ASSIGN_OR_RETURN(Line line, models.recognizer.Read(picture, region.box));
    pass.recognition_ms += models.recognizer.last_ms();
    pass.lines.push_back(std::move(line));
  }
  return pass;
}

void PrintLines(const Pass& pass) {
  if (pass.lines.empty()) std::printf("no text found\n");
  for (size_t i = 0; i < pass.lines.size(); ++i) {
    const auto corners = pass.regions[i].box.corners();
    std::printf("text: %s\n      confidence %.3f, found with %.3f at (%.0f,%.0f)-(%.0f,%.0f)\n",
                pass.lines[i].text.c_str(), pass.lines[i].confidence, pass.regions[i].score,
                corners[0].x, corners[0].y, corners[2].x, corners[2].y);
  }
}

/// Median of the passes after the first.
double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void PrintNodes(std::vector<NodeTime> nodes, size_t count) {
  double total_us = 0;
  for (const NodeTime& node : nodes) total_us += node.total_us;
  std::sort(nodes.begin(), nodes.end(),
            [](const NodeTime& a, const NodeTime& b) { return a.total_us > b.total_us; });
  std::printf("most expensive nodes:\n      share  mean us  model        operator          name\n");
  for (size_t i = 0; i < std::min(count, nodes.size()); ++i) {
    const NodeTime& node = nodes[i];
    std::printf("     %5.1f%% %8.1f  %-12s %-17s %s\n", 100 * node.total_us / total_us,
                node.total_us / node.runs, node.model.c_str(), node.type.c_str(),
                node.name.c_str());
  }
}

/// One listener per model.
Result<std::vector<std::unique_ptr<NodeTimes>>> ListenToNodes(const Models& models) {
  std::vector<std::unique_ptr<NodeTimes>> listeners;
  const auto listen = [&](const std::string& label, const AclModel& model) -> Status {
    ASSIGN_OR_RETURN(auto listener, NodeTimes::Subscribe(label, model));
    listeners.push_back(std::move(listener));
    return cairn::OkStatus();
  };
  RETURN_IF_ERROR(listen("detection", *models.detection));
  for (const auto& model : models.recognizer.models())
    RETURN_IF_ERROR(listen("recognition", *model));
  return listeners;
}

Status Run(const Arguments& args) {
  ASSIGN_OR_RETURN(const cairn::image::Image picture, GetPicture(args));
  ASSIGN_OR_RETURN(const auto process, AclProcess::Open());
  ASSIGN_OR_RETURN(Models models, LoadModels(args));
  if (args.picture.empty())
    std::printf("drawn: %s (%d x %d pixels)\n", args.text.c_str(), picture.width, picture.height);
  ASSIGN_OR_RETURN(const Pass first, ReadPicture(models, picture));
  PrintLines(first);

  std::vector<double> detection_ms, recognition_ms;
  for (int i = 0; i < args.repeat; ++i) {
    ASSIGN_OR_RETURN(const Pass pass, ReadPicture(models, picture));
    detection_ms.push_back(pass.detection_ms);
    recognition_ms.push_back(pass.recognition_ms);
  }
  std::printf(
      "times: detection %.2f ms, recognition %.2f ms (%zu lines); first run %.2f + %.2f ms\n",
      Median(detection_ms), Median(recognition_ms), first.lines.size(), first.detection_ms,
      first.recognition_ms);
  if (args.nodes == 0) return cairn::OkStatus();

  ASSIGN_OR_RETURN(auto listeners, ListenToNodes(models));
  for (int i = 0; i < args.repeat; ++i) RETURN_IF_ERROR(ReadPicture(models, picture).status());
  std::vector<NodeTime> nodes;
  for (const auto& listener : listeners)
    for (NodeTime& node : listener->Finish()) nodes.push_back(std::move(node));
  PrintNodes(std::move(nodes), static_cast<size_t>(args.nodes));
  return cairn::OkStatus();
}

}  // namespace
}  // namespace ocr

int main(int argc, char** argv) {
  CLI::App app("Reads the text of a picture with AscendCL.", "cairn-ocr");
  ocr::Arguments args;
  ocr::DeclareOptions(app, args);
  CLI11_PARSE(app, argc, argv);
  const cairn::Status status = ocr::Run(args);
  if (status.ok()) return 0;
  std::fprintf(stderr, "cairn-ocr: %s\n", status.message().c_str());
  return 1;
}
