// SPDX-License-Identifier: Apache-2.0
// cairn-bench: latencies of an offline model, for people and for scripts.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>

#include "bench/session.h"

namespace {

struct Arguments {
  std::string model;
  std::vector<std::string> inputs;
  int loop = 20;
  int warmup = 3;
  int device = 0;
  bool json = false;
  bool interactive = false;
};

constexpr char kFooter[] = R"(
--json prints one line: {"load_ms": L, "first_ms": F, "ms": [t, ...]}.
--interactive prints {"load_ms": L}, then answers each line `run N` of the standard input with
{"ms": [t, ...]}; an empty line or the end of the input ends it.)";

void DeclareOptions(CLI::App& app, Arguments& args) {
  app.add_option("--model", args.model, "offline model (.om)")->required();
  app.add_option("--inputs", args.inputs, "one binary file per input; default: a fixed pattern")
      ->delimiter(',');
  app.add_option("--loop", args.loop, "timed runs")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--warmup", args.warmup, "runs before, the first one included")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--device", args.device, "device id")->capture_default_str();
  app.add_flag("--json", args.json, "print JSON");
  app.add_flag("--interactive", args.interactive, "take commands from the standard input");
}

std::string JsonList(const std::vector<double>& times) {
  std::string text = "[";
  char number[32];
  for (size_t i = 0; i < times.size(); ++i) {
    std::snprintf(number, sizeof(number), "%s%.4f", i == 0 ? "" : ", ", times[i]);
    text += number;
  }
  return text + "]";
}

std::string RunMany(bench::Session& session, int count, std::vector<double>& times) {
  times.resize(static_cast<size_t>(count));
  for (double& ms : times)
    if (std::string error = session.Run(&ms); !error.empty()) return error;
  return "";
}

std::string Interact(bench::Session& session) {
  for (std::string line; std::getline(std::cin, line) && !line.empty();) {
    int count = 0;
    if (std::sscanf(line.c_str(), "run %d", &count) != 1 || count < 1)
      return "expected `run N`, got `" + line + "`";
    std::vector<double> times;
    if (std::string error = RunMany(session, count, times); !error.empty()) return error;
    std::printf("{\"ms\": %s}\n", JsonList(times).c_str());
    std::fflush(stdout);
  }
  return "";
}

void Report(const bench::Session& session, double first_ms, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / times.size();
  std::printf("load    %10.3f ms\nfirst   %10.3f ms\n", session.load_ms(), first_ms);
  std::printf("min     %10.3f ms\nmedian  %10.3f ms\nmean    %10.3f ms\nmax     %10.3f ms\n",
              times.front(), times[times.size() / 2], mean, times.back());
}

std::string Measure(const Arguments& args) {
  bench::Session session;
  if (std::string error = session.Open(args.model, args.device, args.inputs); !error.empty())
    return error;
  if (args.interactive) {
    std::printf("{\"load_ms\": %.4f}\n", session.load_ms());
    std::fflush(stdout);
    return Interact(session);
  }
  double first_ms = 0;
  if (std::string error = session.Run(&first_ms); !error.empty()) return error;
  std::vector<double> times;
  if (args.warmup > 1)
    if (std::string error = RunMany(session, args.warmup - 1, times); !error.empty()) return error;
  if (std::string error = RunMany(session, args.loop, times); !error.empty()) return error;
  if (args.json)
    std::printf("{\"load_ms\": %.4f, \"first_ms\": %.4f, \"ms\": %s}\n", session.load_ms(),
                first_ms, JsonList(times).c_str());
  else
    Report(session, first_ms, times);
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures the latency of an offline model.", "cairn-bench");
  app.footer(kFooter);
  Arguments args;
  DeclareOptions(app, args);
  CLI11_PARSE(app, argc, argv);
  const std::string error = Measure(args);
  if (error.empty()) return 0;
  std::fprintf(stderr, "cairn-bench: %s\n", error.c_str());
  return 1;
}
