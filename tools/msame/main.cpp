// SPDX-License-Identifier: Apache-2.0
// msame: runs an offline model on files or zeros and writes its outputs.
#include <unistd.h>

#include <csignal>

#include "msame/acl_config.h"
#include "msame/acl_session.h"
#include "msame/console.h"
#include "msame/options.h"
#include "msame/runner.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // A file size limit is a failed write, not the end.
  const auto parsed = msame::ParseOptions(argc, argv);
  if (const auto* exit_code = std::get_if<msame::ExitCode>(&parsed)) return exit_code->value;
  const auto& options = std::get<msame::Options>(parsed);

  msame::AclConfig config(options);
  msame::AclSession session;
  if (!session.Open(config.path(), options.device)) {
    ERROR_LOG("Sample init resource failed");
    return 1;
  }
  if (!msame::Run(options, config, session.runs_on_device())) {
    ERROR_LOG("Sample process failed");
    return 1;
  }
  INFO_LOG("pid: %d Execute sample success", static_cast<int>(getpid()));
  return 0;
}
