// SPDX-License-Identifier: Apache-2.0
// Choice and binding of gears.
#include "runtime/gear_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cairn::runtime {
namespace {

std::string ValuesText(std::span<const int64_t> values) {
  return StrCat("[", StrJoin(values), "]");
}

/// The gear whose values differ least in proportion.
size_t NearestGear(const Program& program, std::span<const int64_t> values) {
  size_t nearest = 0;
  double least = INFINITY;
  for (size_t g = 0; g < program.gears.size(); ++g) {
    double distance = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const auto wanted = static_cast<double>(std::max<int64_t>(values[i], 1));
      distance += std::abs(std::log(wanted / static_cast<double>(program.gears[g].values[i])));
    }
    if (distance < least) nearest = g;
    least = std::min(least, distance);
  }
  return nearest;
}

template <class T>
std::vector<int64_t> Widen(const Buffer& buffer, size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), buffer.data, count * sizeof(T));
  return {values.begin(), values.end()};
}

}  // namespace

Result<size_t> FindGear(const Program& program, std::span<const int64_t> values) {
  for (size_t g = 0; g < program.gears.size(); ++g) {
    if (std::ranges::equal(program.gears[g].values, values)) return g;
  }
  std::string text = StrCat(ValuesText(values), " is not a gear of the model; it has the gears ",
                            GearList(program));
  if (values.size() == program.gears[0].values.size()) {
    text +=
        StrCat("; the nearest is ", ValuesText(program.gears[NearestGear(program, values)].values));
  }
  return Status(Code::kNotFound, text);
}

std::string GearList(const Program& program) {
  constexpr size_t kShown = 16;
  std::vector<std::string> texts;
  for (const ProgramGear& gear : program.gears) {
    if (texts.size() == kShown) {
      texts.push_back("...");
      break;
    }
    texts.push_back(ValuesText(gear.values));
  }
  return StrJoin(texts);
}

Result<size_t> GearSet::Read(const Buffer& buffer) const {
  const size_t count = program_.gears[0].values.size();
  if (buffer.data == nullptr || buffer.bytes < count * sizeof(uint32_t)) {
    return Status(Code::kInvalidArgument,
                  StrCat("input ", program_.inputs.size() - 1, " '", kGearInputName, "' needs ",
                         count * sizeof(uint32_t), " bytes, the buffer has ", buffer.bytes));
  }
  const bool wide = buffer.bytes >= count * sizeof(uint64_t);
  const std::vector<int64_t> values =
      wide ? Widen<uint64_t>(buffer, count) : Widen<uint32_t>(buffer, count);
  const Result<size_t> gear = FindGear(program_, values);
  if (gear.ok()) return *gear;
  const bool unset = std::ranges::all_of(values, [](int64_t value) { return value == 0; });
  if (unset || current_ < 0) return program_.LargestGear();
  return Status(Code::kInvalidArgument, StrCat("input ", program_.inputs.size() - 1, " '",
                                               kGearInputName, "': ", gear.status().message()));
}

Result<Plan*> GearSet::Get(size_t gear, uint32_t model_id) {
  Plan& plan = plans_[gear];
  if (plan.instance != nullptr) return &plan;
  const ProgramGear& record = program_.gears[gear];
  const ProgramImage image{file_.image.program.subspan(record.offset, record.bytes),
                           file_.image.weights};
  const auto make = [&]() -> Result<Plan> {
    ASSIGN_OR_RETURN(auto loaded, device_.Load(image, file_.owner));
    const Program& program = loaded->program();
    if (program.has_gears() || program.inputs.size() + 1 != program_.inputs.size() ||
        program.outputs.size() != program_.outputs.size()) {
      return Status(Code::kDataCorrupt, "its inputs and outputs are not those of the model");
    }
    return MakePlan(std::move(loaded), {}, &lender_, model_id);
  };
  auto made = make();
  if (!made.ok()) return made.status().WithContext(StrCat("gear ", ValuesText(record.values)));
  plan = std::move(*made);
  return &plan;
}

size_t GearSet::current() const {
  const int64_t gear = current_;
  return gear < 0 ? program_.LargestGear() : static_cast<size_t>(gear);
}

}  // namespace cairn::runtime
