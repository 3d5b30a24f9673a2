// SPDX-License-Identifier: Apache-2.0
// From arguments to compile options, and the run of mode 0.
#include "build.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/atomic_file.h"
#include "base/strings.h"
#include "checks.h"
#include "compile_report.h"
#include "conduct.h"
#include "fusion_result.h"
#include "input_shape.h"
#include "io_options.h"
#include "pre_check.h"
#include "precision_options.h"
#include "single_op.h"
#include "threads/available_cores.h"

namespace cairn::atc {
namespace {

// The dims as the importer takes them; those that are not fixed stay as the model has them, within
// their ranges.
void ToImportShapes(const std::vector<InputShape>& shapes, compiler::CompileOptions& options) {
  for (const InputShape& shape : shapes) {
    Dims dims;
    std::vector<std::pair<int64_t, int64_t>> ranges;
    for (const InputDim& dim : shape.dims) {
      dims.push_back(Dim(dim.is_fixed() ? dim.low : -1));
      ranges.emplace_back(dim.low, dim.high);
    }
    options.import.input_shapes[shape.name] = std::move(dims);
    options.open.ranges[shape.name] = std::move(ranges);
  }
}

// --input_hint_shape: "index:[n,c,h,w];...".
bool ReadHintShapes(const Arguments& arguments, compiler::OpenOptions& open, ErrorReport& report) {
  const std::string text = arguments.Get("input_hint_shape");
  if (Trim(text).empty()) return true;
  std::vector<InputShape> shapes;
  if (!ParseInputShapes(text, shapes, report)) return false;
  for (const InputShape& shape : shapes) {
    int64_t index = 0;
    if (!ParseInteger(shape.name, "--input_hint_shape", index, report)) return false;
    std::vector<int64_t> dims;
    for (const InputDim& dim : shape.dims) dims.push_back(dim.low);
    if (index < 0 || !std::ranges::all_of(shape.dims, &InputDim::is_fixed)) {
      report.Add("E10001", {{"value", text},
                            {"parameter", "--input_hint_shape"},
                            {"reason", "it takes the index of an input and positive numbers"}});
      return false;
    }
    open.hints[static_cast<size_t>(index)] = std::move(dims);
  }
  return true;
}

void NoteSwitches(const SwitchReport& switches, std::string_view option,
                  std::vector<std::string>& notes, ErrorReport& report) {
  for (const std::string& name : switches.without_effect) {
    notes.push_back(StrCat("--", option, ": pass '", name, "' has no counterpart on a CPU target"));
  }
  for (const std::string& name : switches.unknown) {
    report.AddWarning(StrCat("WARNING: --", option, " names the unknown pass '", name, "'"));
  }
}

bool ReadSwitchFile(const std::string& path, std::vector<std::string>& notes, PassOptions& passes,
                    ErrorReport& report) {
  if (path.empty()) return true;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  if (Trim(text.str()).empty()) {
    report.Add("E21001", {{"file", path}, {"reason", "the file is empty"}});
    return false;
  }
  const auto switches = ParseFusionSwitchFile(text.str());
  if (!switches.ok()) {
    report.Add("E20003", {{"file", path}, {"reason", switches.status().message()}});
    return false;
  }
  NoteSwitches(*switches, "fusion_switch_file", notes, report);
  passes.switches = switches->switches;
  return true;
}

// The inline switches win over those of the file.
bool ReadSwitches(const Arguments& arguments, std::vector<std::string>& notes, PassOptions& passes,
                  ErrorReport& report) {
  if (!ReadSwitchFile(arguments.Get("fusion_switch_file"), notes, passes, report)) return false;
  const std::string text = arguments.Get("optimization_switch");
  if (text.empty()) return true;
  const auto switches = ParseOptimizationSwitch(text);
  if (!switches.ok()) {
    report.Add("E10001", {{"value", text},
                          {"parameter", "--optimization_switch"},
                          {"reason", switches.status().message()}});
    return false;
  }
  NoteSwitches(*switches, "optimization_switch", notes, report);
  for (const auto& [name, on] : switches->switches) passes.switches[name] = on;
  return true;
}

PassOptions::OptLevel OptLevelOf(const std::string& level) {
  if (level == "O0") return PassOptions::OptLevel::kO0;
  return level == "O1" ? PassOptions::OptLevel::kO1 : PassOptions::OptLevel::kO3;
}

std::string Environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string() : std::string(text);
}

std::string BankFolder(const Arguments& arguments) {
  if (std::string path = arguments.Get("op_bank_path"); !path.empty()) return path;
  if (std::string path = Environment("TUNE_BANK_PATH"); !path.empty()) return path;
  if (std::string path = Environment("XDG_CACHE_HOME"); !path.empty()) return path + "/cairn";
  if (std::string path = Environment("HOME"); !path.empty()) return path + "/.cache/cairn";
  return "";
}

std::string BankPath(const Arguments& arguments) {
  const std::string folder = BankFolder(arguments);
  return folder.empty() ? "" : folder + "/tuning_bank.txt";
}

bool MakeTarget(const Arguments& arguments, target::TargetSpec& spec, ErrorReport& report) {
  auto target = target::FindTarget(arguments.Get("soc_version"));
  if (!target.ok()) {
    report.Add("E10001", {{"value", arguments.Get("soc_version")},
                          {"parameter", "--soc_version"},
                          {"reason", target.status().message()}});
    return false;
  }
  spec = *std::move(target);
  spec.num_cores = threads::AvailableCores();
  const std::string cores = arguments.Get("aicore_num");
  if (!cores.empty()) {
    std::from_chars(cores.data(), cores.data() + cores.size(), spec.num_cores);
  }
  return true;
}

std::vector<std::string> OutNodes(const std::string& text) {
  std::vector<std::string> nodes;
  for (std::string_view node : SplitTrimmed(text, ';')) {
    if (!node.empty()) nodes.emplace_back(node);
  }
  return nodes;
}

void SayNotes(const std::vector<std::string>& notes, const compiler::CompileOptions& options) {
  for (const std::string& note : notes) {
    CAIRN_LOG(kGe, kInfo, note);
    options.progress(LogLevel::kInfo, note);
  }
}

// A statistic that cannot be written does not spoil the model that was.
void WriteFusionResult(const std::vector<PassRecord>& passes, ErrorReport& report) {
  const std::string path = FusionResultPath();
  auto file = AtomicFile::Create(path);
  Status status = file.status();
  if (file.ok()) status = file->Write(FusionResultJson(passes));
  if (status.ok()) status = file->Commit();
  if (!status.ok()) report.AddWarning(StrCat("WARNING: ", status.message()));
}

}  // namespace

bool MakeCompileOptions(const Arguments& arguments, compiler::CompileOptions& options,
                        std::vector<std::string>& notes, ErrorReport& report) {
  std::vector<InputShape> shapes;
  if (!CheckBuildArguments(arguments, shapes, options.gears, report) ||
      !CheckSupported(arguments, report) ||
      !ReadHintShapes(arguments, options.open, report) ||
      !MakeTarget(arguments, options.target, report) ||
      !ReadIoOptions(arguments, options.io_types, report) ||
      !ReadSwitches(arguments, notes, options.passes, report) ||
      !ReadPrecisionOptions(arguments, options, notes, report)) {
    return false;
  }
  const std::vector<std::string> on_options = NotesOnOptions(arguments);
  notes.insert(notes.begin(), on_options.begin(), on_options.end());

  if (options.gears.gears.empty()) ToImportShapes(shapes, options);
  options.model_path = arguments.Get("model");
  options.output_path = arguments.Get("output") + ".om";
  options.input_format = arguments.Get("input_format");
  options.aipp_config_path = arguments.Get("insert_op_conf");
  options.import.out_nodes = OutNodes(arguments.Get("out_nodes"));

  constexpr compiler::WeightPlace kPlaces[] = {compiler::WeightPlace::kInside,
                                               compiler::WeightPlace::kSeparate,
                                               compiler::WeightPlace::kCombined};
  options.weight_place = kPlaces[arguments.GetInt("external_weight")];
  options.save_original_model = arguments.GetBool("save_original_model");
  options.passes.level = OptLevelOf(arguments.Get("oo_level"));
  options.passes.fold_constants = arguments.GetBool("oo_constant_folding");
  options.passes.eliminate_dead_code = arguments.GetBool("oo_dead_code_elimination");

  const std::string tune = arguments.Get("tune");
  options.plan.tune = tune.empty() ? arguments.Get("soc_version") == "native" : tune == "on";
  options.plan.bank_path = BankPath(arguments);
  const std::string budget = arguments.Get("weight_budget");
  std::from_chars(budget.data(), budget.data() + budget.size(), options.plan.weight_budget);
  options.plan.reuse_memory = arguments.Get("disable_reuse_memory") != "1";
  return true;
}

bool RunBuild(const Arguments& arguments, const std::string& command_line, ErrorReport& report) {
  const std::string level = arguments.Get("log");
  compiler::CompileOptions options;
  options.command_line = command_line;
  options.progress = [&level](LogLevel line_level, const std::string& line) {
    const bool shown = level == "debug" || (level == "info" && line_level == LogLevel::kInfo);
    if (shown)
      std::printf("[%s] %s\n", line_level == LogLevel::kInfo ? "INFO" : "DEBUG", line.c_str());
  };
  std::vector<std::string> notes;
  if (!MakeCompileOptions(arguments, options, notes, report)) return false;
  SayNotes(notes, options);

  if (!arguments.Get("singleop").empty()) return RunSingleOps(arguments, options, report);
  compiler::CompileReport result;
  result.errors = report;  // Keeps the warnings made so far.
  const bool done = compiler::CompileModel(options, result);
  report = result.errors;
  if (!result.unsupported.empty()) WriteCheckReport(arguments, options);
  if (done)
    for (const std::string& line : result.aipp) std::printf("%s\n", line.c_str());
  if (done && WantsFusionResult(arguments)) WriteFusionResult(result.passes, report);
  if (const std::string path = arguments.Get("report"); done && !path.empty()) {
    const Status written = WriteCompileReport(path, options, result);
    if (!written.ok()) {
      report.AddText("E13004", written.message());
      return false;
    }
  }
  if (done && arguments.GetInt("display_model_info") == 1) {
    std::fputs(result.summary.c_str(), stdout);
  }
  return done;
}

}  // namespace cairn::atc
