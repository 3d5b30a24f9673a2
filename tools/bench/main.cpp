// SPDX-License-Identifier: Apache-2.0
// cairn-bench: latencies of an offline model, for people and for scripts.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "bench/session.h"
#include "bench/statistics.h"

namespace {

struct Arguments {
  std::string model;
  std::vector<std::string> inputs;
  int loop = 20;
  int warmup = 3;
  int device = 0;
  int threads = 1;
  bool json = false;
  bool interactive = false;
};

constexpr char kFooter[] = R"(
--json prints one line: {"load_ms": L, "first_ms": F, "min_ms", "median_ms", "mean_ms", "p90_ms",
"p99_ms", "max_ms", "throughput": samples a second of all threads, "ms": [t, ...]}.
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
  app.add_option("--threads", args.threads, "threads, each with the model loaded for itself")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
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

/// A bar on a terminal, a line each quarter elsewhere; nothing for short measurements.
void ShowProgress(size_t done, size_t all, double seconds) {
  if (seconds < 2 || all < 8) return;
  if (::isatty(STDERR_FILENO) != 0) {
    const size_t filled = 40 * done / all;
    std::fprintf(stderr, "\r[%s%s] %zu/%zu%s", std::string(filled, '#').c_str(),
                 std::string(40 - filled, '.').c_str(), done, all, done == all ? "\n" : "");
  } else if (done % (all / 4) == 0) {
    std::fprintf(stderr, "%zu of %zu runs\n", done, all);
  }
}

std::string RunMany(bench::Session& session, int count, bool shows_progress,
                    std::vector<double>& times) {
  times.resize(static_cast<size_t>(count));
  double seconds = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    if (std::string error = session.Run(&times[i]); !error.empty()) return error;
    seconds += times[i] / 1e3;
    if (shows_progress) ShowProgress(i + 1, times.size(), seconds);
  }
  return "";
}

std::string Interact(bench::Session& session) {
  for (std::string line; std::getline(std::cin, line) && !line.empty();) {
    int count = 0;
    if (std::sscanf(line.c_str(), "run %d", &count) != 1 || count < 1)
      return "expected `run N`, got `" + line + "`";
    std::vector<double> times;
    if (std::string error = RunMany(session, count, false, times); !error.empty()) return error;
    std::printf("{\"ms\": %s}\n", JsonList(times).c_str());
    std::fflush(stdout);
  }
  return "";
}

struct Outcome {
  std::string error;
  double load_ms = 0, first_ms = 0;
  double seconds = 0;  ///< Of the timed runs.
  int64_t batch = 1;
  std::vector<double> times;
};

/// One thread's share: load, warm up, time.
Outcome MeasureOne(const Arguments& args, bool shows_progress) {
  Outcome outcome;
  bench::Session session;
  outcome.error = session.Open(args.model, args.device, args.inputs);
  if (!outcome.error.empty()) return outcome;
  outcome.load_ms = session.load_ms();
  outcome.batch = session.batch();
  outcome.error = session.Run(&outcome.first_ms);
  if (outcome.error.empty() && args.warmup > 1)
    outcome.error = RunMany(session, args.warmup - 1, false, outcome.times);
  if (!outcome.error.empty()) return outcome;
  const auto begin = std::chrono::steady_clock::now();
  outcome.error = RunMany(session, args.loop, shows_progress, outcome.times);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

void Report(const Outcome& first, const std::vector<double>& times, double throughput, bool json) {
  const bench::Statistics s = bench::Summarize(times);
  if (json) {
    std::printf(
        "{\"load_ms\": %.4f, \"first_ms\": %.4f, \"min_ms\": %.4f, \"median_ms\": %.4f, "
        "\"mean_ms\": %.4f, \"p90_ms\": %.4f, \"p99_ms\": %.4f, \"max_ms\": %.4f, "
        "\"throughput\": %.4f, \"ms\": %s}\n",
        first.load_ms, first.first_ms, s.min, s.median, s.mean, s.p90, s.p99, s.max, throughput,
        JsonList(times).c_str());
    return;
  }
  std::printf("load    %10.3f ms\nfirst   %10.3f ms\n", first.load_ms, first.first_ms);
  std::printf("min     %10.3f ms\nmedian  %10.3f ms\nmean    %10.3f ms\n", s.min, s.median, s.mean);
  std::printf("90 %%    %10.3f ms\n99 %%    %10.3f ms\nmax     %10.3f ms\n", s.p90, s.p99, s.max);
  std::printf("rate    %10.1f samples a second\n", throughput);
}

std::string Measure(const Arguments& args) {
  bench::Library library;
  if (std::string error = library.Open(); !error.empty()) return error;
  if (args.interactive) {
    bench::Session session;
    if (std::string error = session.Open(args.model, args.device, args.inputs); !error.empty())
      return error;
    std::printf("{\"load_ms\": %.4f}\n", session.load_ms());
    std::fflush(stdout);
    return Interact(session);
  }
  std::vector<Outcome> outcomes(static_cast<size_t>(args.threads));
  std::vector<std::thread> threads;
  for (size_t i = 1; i < outcomes.size(); ++i)
    threads.emplace_back([&, i] { outcomes[i] = MeasureOne(args, false); });
  outcomes[0] = MeasureOne(args, true);
  for (std::thread& thread : threads) thread.join();
  std::vector<double> times;
  double throughput = 0;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.error.empty()) return outcome.error;
    times.insert(times.end(), outcome.times.begin(), outcome.times.end());
    throughput += static_cast<double>(outcome.batch) * args.loop / std::max(outcome.seconds, 1e-9);
  }
  Report(outcomes[0], times, throughput, args.json);
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
