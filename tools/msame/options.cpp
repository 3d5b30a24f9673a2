// SPDX-License-Identifier: Apache-2.0
// Parsing and checking of the command line; messages and exit codes are those scripts know.
#include "msame/options.h"

#include <getopt.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "msame/console.h"

namespace msame {
namespace {

constexpr char kUsage[] =
    R"(usage: msame --model=FILE --output=DIR [options]

  --model FILE        offline model (.om)
  --input LIST        comma list: one .bin file per model input, or one folder per model input;
                      without it every input is zero
  --output DIR        folder for the results; a folder named by the time is made in it
  --outfmt BIN|TXT    form of the result files (BIN)
  --loop N            number of executions, 1 to 100 (1)
  --device N          device id, 0 to 255 (0)
  --debug true        print the description of the model
  --profiler true     profile the run, results in DIR/profiler
  --dump true         dump the tensors of every layer, results in DIR/dump
  --dymBatch N        batch of a model with dynamic batch
  --dymHW H,W         image size of a model with dynamic image size
  --dymDims LIST      dims of a model with dynamic dims: "in1:1,600;in2:1,600"
  --dymShape LIST     shapes of a model with a shape range: "in1:8,3;in2:5,3"
  --outputSize LIST   bytes of the outputs of a model with a shape range: "1000,1000"
  --help              this text
)";

enum Key { kHelp = '1' };

constexpr option kLongOptions[] = {
    {"model", required_argument, nullptr, 'm'},    {"input", required_argument, nullptr, 'i'},
    {"output", required_argument, nullptr, 'o'},   {"outfmt", required_argument, nullptr, 'f'},
    {"loop", required_argument, nullptr, 'l'},     {"device", required_argument, nullptr, 'e'},
    {"debug", required_argument, nullptr, 'g'},    {"profiler", required_argument, nullptr, 'p'},
    {"dump", required_argument, nullptr, 'd'},     {"dymBatch", required_argument, nullptr, 'y'},
    {"dymHW", required_argument, nullptr, 'w'},    {"dymDims", required_argument, nullptr, 'h'},
    {"dymShape", required_argument, nullptr, 's'}, {"outputSize", required_argument, nullptr, 't'},
    {"help", no_argument, nullptr, kHelp},         {nullptr, 0, nullptr, 0},
};

std::string Trim(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (std::string part = Trim(text.substr(begin, end - begin)); !part.empty())
      parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

template <class T>
std::vector<T> Numbers(const std::string& text) {
  std::vector<T> values;
  for (const std::string& part : Split(text, ','))
    values.push_back(static_cast<T>(std::strtoll(part.c_str(), nullptr, 10)));
  return values;
}

/// "in1:1,600;in2:1,600": what follows the last colon of every item, in order.
std::vector<int64_t> DimsOfAllInputs(const std::string& text) {
  std::vector<int64_t> all;
  for (const std::string& item : Split(text, ';')) {
    const auto dims = Numbers<int64_t>(item.substr(item.rfind(':') + 1));
    all.insert(all.end(), dims.begin(), dims.end());
  }
  return all;
}

std::vector<NamedDims> NamedShapes(const std::string& text) {
  std::vector<NamedDims> shapes;
  for (const std::string& item : Split(text, ';')) {
    const size_t colon = item.rfind(':');
    const std::string name = colon == std::string::npos ? "" : Trim(item.substr(0, colon));
    shapes.push_back({name, Numbers<int64_t>(item.substr(colon + 1))});
  }
  return shapes;
}

void Apply(int key, const std::string& value, Options& options) {
  switch (key) {
    case 'm':
      options.model = value;
      break;
    case 'i':
      options.inputs = Split(value, ',');
      break;
    case 'o':
      options.output = value;
      break;
    case 'f':
      options.text_output = value == "TXT";
      break;
    case 'l':
      options.loop = std::atoi(value.c_str());
      break;
    case 'e':
      options.device = std::atoi(value.c_str());
      break;
    case 'g':
      options.debug = value == "true";
      break;
    case 'p':
      options.profiler = value == "true";
      break;
    case 'd':
      options.dump = value == "true";
      break;
    case 'y':
      options.has_batch = true;
      options.batch = std::strtoull(value.c_str(), nullptr, 10);
      break;
    case 'w':
      options.has_image_size = true;
      options.image_size = Numbers<uint64_t>(value);
      if (options.image_size.size() != 2)
        ERROR_LOG("dymHW needs two numbers (height,width), got \"%s\"", value.c_str());
      break;
    case 'h':
      options.dims = DimsOfAllInputs(value);
      break;
    case 's':
      options.shapes = NamedShapes(value);
      break;
    case 't':
      options.output_sizes = Numbers<size_t>(value);
      break;
    default:
      break;
  }
}

/// Checks that the process survives with exit 0; true when it may go on.
bool RangesAreValid(const Options& options, bool has_model) {
  if (has_model && options.model.find(".om") == std::string::npos) {
    ERROR_LOG("input model file type is not .om , please check your model type!\n");
    return false;
  }
  if (options.loop < 1 || options.loop > 100) {
    ERROR_LOG("loop must in 1 to 100\n");
    return false;
  }
  if (options.device < 0 || options.device > 255) {
    ERROR_LOG("device id must in 0 to 255\n");
    return false;
  }
  if (options.has_batch && options.batch > 2048) {
    ERROR_LOG("dymBatch must in 1 to 2048\n");
    return false;
  }
  return true;
}

/// Contradictions between options; true when there is none.
bool CombinationIsValid(const Options& options) {
  if (options.profiler && options.dump) {
    ERROR_LOG("dump and profiler can not both be true");
    return false;
  }
  const int kinds =
      options.has_batch + options.has_image_size + !options.dims.empty() + !options.shapes.empty();
  if (kinds > 1) {
    ERROR_LOG("dymBatch dymDims dymHW dymShape cannot be set at the same time");
    return false;
  }
  return true;
}

}  // namespace

std::string Options::model_stem() const { return std::filesystem::path(model).stem().string(); }

std::variant<Options, ExitCode> ParseOptions(int argc, char** argv) {
  if (argc < 2) {
    ERROR_LOG("Invalid params\n");
    ERROR_LOG("Execute sample failed");
    std::printf("%s", kUsage);
    return ExitCode{1};
  }
  Options options;
  bool has_model = false;
  for (int key; (key = getopt_long(argc, argv, "", kLongOptions, nullptr)) != -1;) {
    if (key == kHelp) {
      std::printf("%s", kUsage);
      return ExitCode{0};
    }
    if (key == '?' || key == ':') {
      ERROR_LOG("unknown paramenter\n");
      ERROR_LOG("Execute sample failed");
      std::printf("%s", kUsage);
      return ExitCode{0};
    }
    has_model |= key == 'm';
    Apply(key, optarg, options);
  }
  if (!RangesAreValid(options, has_model)) return ExitCode{0};
  if (!CombinationIsValid(options)) return ExitCode{1};
  return options;
}

}  // namespace msame
