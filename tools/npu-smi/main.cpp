// SPDX-License-Identifier: Apache-2.0
// npu-smi: shows the devices that AscendCL programs can use.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "npu-smi/chip.h"
#include "npu-smi/queries.h"
#include "npu-smi/summary.h"
#include "npu-smi/watch.h"

namespace {

constexpr char kUsage[] =
    R"(usage: npu-smi info                             table of all devices
       npu-smi info -l                          list of the cards
       npu-smi info -m                          numbers of cards and chips
       npu-smi info -t TYPE -i ID [-c CHIP]     one property: usages, common, board, health,
                                                memory, temp, proc-mem
       npu-smi info watch [-i ID] [-c CHIP] [-d SECONDS] [-s LETTERS]
                                                one line a second; letters: p power,
                                                t temperature, a AI core, i AI CPU,
                                                c control CPU, m memory, b bandwidth
       npu-smi -v                               version
       npu-smi -h                               this text
)";

struct Query {
  std::string type;
  int id = 0;
  int chip = 0;
  bool valid = true;
};

/// The options of `info -t`.
Query ParseQuery(int argc, char** argv) {
  Query query;
  for (int i = 2; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 >= argc) {
      query.valid = false;
    } else if (option == "-t") {
      query.type = argv[i + 1];
    } else if (option == "-i" || option == "-c" || option == "-p") {
      char* end = nullptr;
      const long value = std::strtol(argv[i + 1], &end, 10);
      query.valid &= *end == '\0' && value >= 0;
      (option == "-c" ? query.chip : query.id) = static_cast<int>(value);
    } else {
      query.valid = false;
    }
  }
  return query;
}

int Ask(const std::vector<npu_smi::Chip>& chips, const Query& query) {
  if (!query.valid) {
    std::printf("Input parameter format error.\n");
    return 1;
  }
  switch (npu_smi::KindOfQuery(query.type)) {
    case npu_smi::QueryKind::kUnknown:
      std::printf("Error parameter of -t\n%s", kUsage);
      return 1;
    case npu_smi::QueryKind::kUnsupported:
      std::printf("This device does not support querying %s.\n", query.type.c_str());
      return 1;
    case npu_smi::QueryKind::kKnown:
      break;
  }
  if (static_cast<size_t>(query.id) >= chips.size() || query.chip != 0) {
    std::printf("Error parameter of %s\n", query.chip != 0 ? "-c" : "-i");
    return 1;
  }
  std::printf("%s", npu_smi::Answer(query.type, chips[static_cast<size_t>(query.id)]).c_str());
  return 0;
}

/// The options of `info watch`: pairs behind the word.
struct WatchOptions {
  int id = -1;
  int seconds = 1;
  std::string letters = npu_smi::kWatchLetters;
  bool valid = true;
};

WatchOptions ParseWatch(int argc, char** argv) {
  WatchOptions options;
  for (int i = 3; i < argc; i += 2) {
    const std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    char* end = nullptr;
    const long number = std::strtol(value.c_str(), &end, 10);
    const bool is_number = !value.empty() && *end == '\0' && number >= 0;
    if (option == "-s") {
      options.letters = value;
    } else if (option == "-d") {
      options.seconds = static_cast<int>(number);
      options.valid &= is_number && number >= 1 && number <= 100;
    } else if (option == "-i" || option == "-c") {
      if (option == "-i") options.id = static_cast<int>(number);
      options.valid &= is_number;
    } else {
      options.valid = false;
    }
  }
  return options;
}

/// Prints lines until it is interrupted or nobody reads.
int Watch(int argc, char** argv) {
  const WatchOptions options = ParseWatch(argc, argv);
  const std::string header = npu_smi::WatchHeader(options.letters);
  if (!options.valid || header.empty()) {
    std::printf("Input parameter format error.\n");
    return 1;
  }
  std::printf("%s", header.c_str());
  while (std::fflush(stdout) == 0) {
    for (const npu_smi::Chip& chip : npu_smi::ReadChips(options.seconds * 1000))
      if (options.id < 0 || options.id == chip.id)
        std::printf("%s", npu_smi::WatchLine(chip, options.letters).c_str());
  }
  return 0;
}

int Info(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[2], "watch") == 0) return Watch(argc, argv);
  const std::vector<npu_smi::Chip> chips = npu_smi::ReadChips();
  if (chips.empty()) {
    std::printf("There is no NPU card on this server.\n");
    return 1;
  }
  const std::string option = argc > 2 ? argv[2] : "";
  std::string text;
  if (option.empty()) {
    text = npu_smi::SummaryTable(chips, CAIRN_VERSION);
  } else if (option == "-l" && argc == 3) {
    text = npu_smi::CardList(chips);
  } else if (option == "-m" && argc == 3) {
    text = npu_smi::ChipMap(chips);
  } else if (option == "-h" && argc == 3) {
    text = kUsage;
  } else {
    return Ask(chips, ParseQuery(argc, argv));
  }
  std::printf("%s", text.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "-h";
  if (command == "info") return Info(argc, argv);
  if (command == "-v") {
    std::printf("npu-smi version: %s\n", CAIRN_VERSION);
    return 0;
  }
  std::printf("%s", kUsage);
  return command == "-h" ? 0 : 1;
}
