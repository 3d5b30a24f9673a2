// SPDX-License-Identifier: Apache-2.0
// The acl.json that switches dump or profiling on for one run.
#pragma once

#include <string>

#include "msame/options.h"

namespace msame {

/// Writes ./acl.json and the result folders when the options ask for it; removes the file at the
/// end.
class AclConfig {
 public:
  explicit AclConfig(const Options& options);
  ~AclConfig();
  AclConfig(const AclConfig&) = delete;
  AclConfig& operator=(const AclConfig&) = delete;

  /// Removes the file, if it was written here, and says so.
  void Remove();

  /// The argument of aclInit: the path of the file, or NULL when there is none.
  const char* path() const { return exists_ ? kPath : nullptr; }

 private:
  static constexpr const char* kPath = "./acl.json";
  bool written_ = false;
  bool exists_ = false;
};

}  // namespace msame
