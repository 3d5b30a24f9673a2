// SPDX-License-Identifier: Apache-2.0
// The device description files (platform_config/<soc>.ini) as compiled into the program.
#pragma once

#include <span>
#include <string_view>

namespace cairn::target {

struct PlatformConfig {
  std::string_view name;  ///< Canonical target name.
  std::string_view text;  ///< Contents of the file.
};

/// All description files, sorted by file name.
std::span<const PlatformConfig> PlatformConfigs();

}  // namespace cairn::target
