// SPDX-License-Identifier: Apache-2.0
// Operators called by name: compiled at the first call, kept for later ones of the same kind.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/element_type.h"
#include "base/status.h"
#include "device/device.h"
#include "runtime/model.h"

namespace cairn::runtime {

struct OperatorInput {
  ElementType dtype = ElementType::kUndefined;  ///< kUndefined: an optional input that is absent.
  std::vector<int64_t> dims;
  std::optional<std::string> constant;  ///< Bytes of the elements when they are compiled in.
};

struct OperatorOutput {
  ElementType dtype = ElementType::kUndefined;
  std::optional<std::vector<int64_t>> dims;  ///< None: as the operator gives.
};

using OperatorAttribute =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;
using OperatorAttributes = std::map<std::string, OperatorAttribute>;

/// What decides the compiled form of an operator.
struct OperatorSpec {
  std::string type;
  std::vector<OperatorInput> inputs;
  std::vector<OperatorOutput> outputs;
  OperatorAttributes attributes;
};

/// The compiled operators of one process. Thread safe.
class Operators {
 public:
  /// Never destroyed, as the runtime.
  static Operators& Get();

  /// The operator as a model on `device`; its inputs are the present inputs without constants.
  /// kNotFound: no such operator; kInvalidArgument: it does not take these operands;
  /// kFailedPrecondition: an input must be constant.
  Result<std::shared_ptr<Model>> Find(const OperatorSpec& spec, int device_id,
                                      device::Device& device);

  /// Forgets all; models in use live on.
  void Clear();

 private:
  Result<std::shared_ptr<Model>> Compile(const OperatorSpec& spec, int device_id,
                                         device::Device& device);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Model>> models_;
};

}  // namespace cairn::runtime
