// SPDX-License-Identifier: Apache-2.0
// The checks of a build, one small function per rule, called in order.
#include "checks.h"

#include <charconv>

#include "base/strings.h"
#include "profiles.h"
#include "target/target_spec.h"

namespace cairn::atc {
namespace {

bool Invalid(const Arguments& arguments, std::string_view option, std::string_view reason,
             ErrorReport& report) {
  report.Add(
      "E10001",
      {{"value", arguments.Get(option)}, {"parameter", StrCat("--", option)}, {"reason", reason}});
  return false;
}

bool CheckExclusive(const Arguments& arguments, std::string_view first, std::string_view second,
                    std::string_view code, ErrorReport& report) {
  if (arguments.Get(first).empty() || arguments.Get(second).empty()) return true;
  report.Add(code, {{"parameter0", first}, {"parameter1", second}});
  return false;
}

bool CheckFramework(const Arguments& arguments, ErrorReport& report) {
  if (!arguments.Given("framework")) {
    report.Add("E10007", {{"parameter", "framework"}, {"support", "0, 1, 3, 5"}});
    return false;
  }
  if (arguments.GetInt("framework") == 0 && arguments.Get("weight").empty()) {
    report.Add("E10008", {});
    return false;
  }
  return true;
}

bool CheckSocVersion(const Arguments& arguments, ErrorReport& report) {
  const std::string name = arguments.Get("soc_version");
  if (name.empty()) return true;
  const auto target = target::FindTarget(name);
  return target.ok() || Invalid(arguments, "soc_version", target.status().message(), report);
}

bool CheckInputFormat(const Arguments& arguments, ErrorReport& report) {
  constexpr std::string_view kFormats[] = {
      "NCHW,ND", "NCHW", "", "NCHW,NHWC,ND,NCDHW,NDHWC", "", "NCHW,NCDHW,ND"};
  const std::string format = arguments.Get("input_format");
  const std::string_view valid = kFormats[arguments.GetInt("framework")];
  if (format.empty() || ListHas(valid, format)) return true;
  return Invalid(arguments, "input_format", StrCat("valid values are [", valid, "]"), report);
}

bool CheckPresent(const Arguments& arguments, std::initializer_list<const char*> options,
                  ErrorReport& report) {
  for (const char* option : options) {
    if (!arguments.Get(option).empty()) continue;
    report.Add("E10054", {{"parameter", StrCat("--", option)}});
    return false;
  }
  return true;
}

bool CheckImplMode(const Arguments& arguments, ErrorReport& report) {
  if (arguments.Get("optypelist_for_implmode").empty() ||
      !arguments.Get("op_select_implmode").empty()) {
    return true;
  }
  return Invalid(arguments, "optypelist_for_implmode",
                 "it must be used together with --op_select_implmode", report);
}

bool UsesMixedPrecision(const Arguments& arguments) {
  return arguments.Get("precision_mode").find("mix") != std::string::npos ||
         arguments.Get("precision_mode_v2").find("mixed") != std::string::npos;
}

bool CheckPrecision(const Arguments& arguments, ErrorReport& report) {
  if (!CheckExclusive(arguments, "precision_mode", "precision_mode_v2", "E10056", report)) {
    return false;
  }
  const std::string list = arguments.Get("modify_mixlist");
  if (list.empty()) return true;
  if (!UsesMixedPrecision(arguments)) {
    return Invalid(arguments, "modify_mixlist",
                   "it needs a mixed mode, for example --precision_mode=allow_mix_precision",
                   report);
  }
  return CheckInputFile(list, "E13026", "pathname", report);
}

// A file that must exist when the option is given.
bool CheckFileOption(const Arguments& arguments, std::string_view option, std::string_view code,
                     std::string_view path_argument, ErrorReport& report) {
  const std::string path = arguments.Get(option);
  return path.empty() || CheckInputFile(path, code, path_argument, report);
}

bool CheckSideFiles(const Arguments& arguments, ErrorReport& report) {
  return CheckFileOption(arguments, "weight", "E13026", "pathname", report) &&
         CheckFileOption(arguments, "op_name_map", "E13026", "pathname", report) &&
         CheckFileOption(arguments, "insert_op_conf", "E13026", "pathname", report) &&
         CheckExclusive(arguments, "enable_compress_weight", "compress_weight_conf", "E10047",
                        report) &&
         CheckFileOption(arguments, "compress_weight_conf", "E10410", "cfgpath", report) &&
         CheckFileOption(arguments, "keep_dtype", "E10410", "cfgpath", report) &&
         CheckFileOption(arguments, "customize_dtypes", "E10410", "cfgpath", report) &&
         CheckFileOption(arguments, "fusion_switch_file", "E21001", "file", report);
}

bool CheckReportPath(const Arguments& arguments, ErrorReport& report) {
  return !arguments.Given("check_report") ||
         CheckOutputFile(arguments.Get("check_report"), "check_report", report);
}

bool CheckStreams(const Arguments& arguments, ErrorReport& report) {
  const std::string mode = arguments.Get("multi_stream_parallel_mode");
  if (mode.empty()) return true;
  if (arguments.GetBool("enable_single_stream")) {
    return CheckExclusive(arguments, "enable_single_stream", "multi_stream_parallel_mode", "E10056",
                          report);
  }
  const size_t colon = mode.find(':');
  const std::string_view kind = std::string_view(mode).substr(0, colon);
  int count = 1;
  if (colon != std::string::npos) {
    const char* end = mode.data() + mode.size();
    const auto parsed = std::from_chars(mode.data() + colon + 1, end, count);
    if (parsed.ec != std::errc() || parsed.ptr != end) count = 0;
  }
  const bool counted = ListHas("LoadBalance,MainStream", kind) && colon != std::string::npos;
  if (mode == "cv" || (counted && count >= 1 && count <= 64)) return true;
  return Invalid(arguments, "multi_stream_parallel_mode",
                 "valid values are cv, LoadBalance:N and MainStream:N with N from 1 to 64", report);
}

// "N", "N|" or "cube|vector": the first number counts.
bool CheckCoreCount(const Arguments& arguments, ErrorReport& report) {
  const std::string text = arguments.Get("aicore_num");
  if (text.empty()) return true;
  int cores = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), cores);
  const char* end = text.data() + text.size();
  const bool ends_well = parsed.ptr == end || *parsed.ptr == '|';
  if (parsed.ec == std::errc() && ends_well && cores >= 1 && cores <= 1024) return true;
  return Invalid(arguments, "aicore_num", "it must be a number from 1 to 1024", report);
}

bool CheckWeightBudget(const Arguments& arguments, ErrorReport& report) {
  const std::string text = arguments.Get("weight_budget");
  double budget = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, budget);
  if (parsed.ec == std::errc() && parsed.ptr == end && budget >= 1 && budget <= 100) return true;
  return Invalid(arguments, "weight_budget", "it must be a number from 1.0 to 100", report);
}

bool CheckTuning(const Arguments& arguments, ErrorReport& report) {
  if (!arguments.Get("auto_tune_mode").empty()) {
    return Invalid(arguments, "auto_tune_mode",
                   "this option was removed; --tune=on measures kernels on this machine", report);
  }
  if (arguments.Get("compression_optimize_conf").empty()) return true;
  return Invalid(arguments, "compression_optimize_conf",
                 "the external calibration tool is not installed", report);
}

bool CheckHost(const Arguments& arguments, ErrorReport& report) {
  const auto check = [&](std::string_view option, std::string_view valid) {
    const std::string value = arguments.Get(option);
    return value.empty() || ListHas(valid, value) ||
           Invalid(arguments, option, StrCat("valid values are [", valid, "]"), report);
  };
  return check("host_env_os", "linux,minios") && check("host_env_cpu", "x86_64,aarch64");
}

bool CheckShapes(const Arguments& arguments, std::vector<InputShape>& shapes,
                 compiler::GearOptions& gears, ErrorReport& report) {
  const std::string text = arguments.Get("input_shape");
  const std::string range = arguments.Get("input_shape_range");
  if (!Trim(text).empty() && !ParseInputShapes(text, shapes, report)) return false;
  // Ranges were an option of their own once; an input may be in one of both. Profiles exclude them.
  const bool profiles = arguments.Given("dynamic_batch_size") ||
                        arguments.Given("dynamic_image_size") || arguments.Given("dynamic_dims");
  if (!profiles && !Trim(range).empty() && !ParseInputShapes(range, shapes, report)) return false;
  return CheckProfiles(arguments, shapes, gears, report);
}

bool CheckSingleOp(const Arguments& arguments, ErrorReport& report) {
  for (const char* option : {"framework", "insert_op_conf", "display_model_info"}) {
    if (arguments.Given(option)) {
      return Invalid(arguments, option, "it cannot be used together with --singleop", report);
    }
  }
  const std::string folder = arguments.Get("output");
  return CheckSocVersion(arguments, report) &&
         CheckPresent(arguments, {"soc_version", "output"}, report) &&
         CheckInputFile(arguments.Get("singleop"), "E10023", "value", report) &&
         CheckOutputFile(folder + "/x", "output", report) && CheckImplMode(arguments, report) &&
         CheckFileOption(arguments, "op_precision_mode", "E13026", "pathname", report) &&
         CheckPrecision(arguments, report) && CheckCoreCount(arguments, report);
}

}  // namespace

bool CheckBuildArguments(const Arguments& arguments, std::vector<InputShape>& shapes,
                         compiler::GearOptions& gears, ErrorReport& report) {
  if (!arguments.Get("singleop").empty()) return CheckSingleOp(arguments, report);
  return CheckFileOption(arguments, "raw_ge_options", "E13026", "pathname", report) &&
         CheckFramework(arguments, report) && CheckSocVersion(arguments, report) &&
         CheckInputFormat(arguments, report) &&
         CheckPresent(arguments, {"soc_version", "output", "model"}, report) &&
         CheckInputFile(arguments.Get("model"), "E13026", "pathname", report) &&
         CheckOutputFile(arguments.Get("output"), "output", report) &&
         CheckImplMode(arguments, report) &&
         CheckFileOption(arguments, "op_precision_mode", "E13026", "pathname", report) &&
         CheckPrecision(arguments, report) && CheckShapes(arguments, shapes, gears, report) &&
         CheckSideFiles(arguments, report) && CheckReportPath(arguments, report) &&
         CheckStreams(arguments, report) && CheckCoreCount(arguments, report) &&
         CheckWeightBudget(arguments, report) && CheckTuning(arguments, report) &&
         CheckHost(arguments, report);
}

bool CheckPreCheckArguments(const Arguments& arguments, ErrorReport& report) {
  return CheckFramework(arguments, report) && CheckSocVersion(arguments, report) &&
         CheckInputFormat(arguments, report) &&
         CheckPresent(arguments, {"soc_version", "model"}, report) &&
         CheckInputFile(arguments.Get("model"), "E13026", "pathname", report) &&
         CheckReportPath(arguments, report);
}

}  // namespace cairn::atc
