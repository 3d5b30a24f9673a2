// SPDX-License-Identifier: Apache-2.0
// Measuring, writing and reading back.
#include "report/machine_file.h"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "kernels/isa.h"
#include "machine/bandwidth.h"
#include "machine/peak.h"
#include "threads/available_cores.h"

namespace cairn::report {
namespace {

std::string CpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string InfoPath(const std::string& folder) { return folder + "/device_0/info.json.0"; }

Status WriteText(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

}  // namespace

Machine MeasureMachine() {
  Machine machine;
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  machine.host = host;
  machine.cpu = CpuName();
  machine.cores = threads::AvailableCores();
  machine.core_gflops =
      cairn::machine::MeasurePeakFlops(kernels::BestIsa().value_or(kernels::Isa::kAvx2)) / 1e9;
  machine.gbytes_per_s = cairn::machine::MeasureReadBandwidth(machine.cores) / 1e9;
  return machine;
}

Status WriteMachine(const std::string& folder, const Machine& machine) {
  nlohmann::ordered_json json;
  json["hostname"] = machine.host;
  json["cpu"] = machine.cpu;
  json["cores"] = machine.cores;
  json["core_gflops"] = machine.core_gflops;
  json["gbytes_per_s"] = machine.gbytes_per_s;
  const std::string text =
      json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  RETURN_IF_ERROR(WriteText(folder + "/host/info.json", text));
  return WriteText(InfoPath(folder), text);
}

Machine ReadMachine(const std::string& folder) {
  std::ifstream file(InfoPath(folder));
  const auto json = nlohmann::json::parse(file, nullptr, false);
  const auto number = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>()
                                                                           : 0.0;
  };
  if (number("core_gflops") > 0) {
    const auto text = [&](const char* key) {
      return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
    };
    return {text("hostname"), text("cpu"), static_cast<int>(number("cores")), number("core_gflops"),
            number("gbytes_per_s")};
  }
  const Machine machine = MeasureMachine();
  (void)WriteMachine(folder, machine);  // A folder that cannot be written is measured again.
  return machine;
}

}  // namespace cairn::report
