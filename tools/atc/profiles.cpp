// SPDX-License-Identifier: Apache-2.0
// Rules of the profile options.
#include "profiles.h"

#include <algorithm>
#include <set>

#include "base/strings.h"

namespace cairn::atc {
namespace {

constexpr size_t kMinProfiles = 2;
constexpr size_t kMaxProfiles = 100;

using Profile = std::vector<int64_t>;

bool OnlyCharacters(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

size_t CountAny(std::span<const InputShape> shapes) {
  size_t count = 0;
  for (const InputShape& shape : shapes) {
    count += std::ranges::count_if(shape.dims, &InputDim::is_any);
  }
  return count;
}

std::string ShapeText(const InputShape& shape) {
  std::vector<std::string> dims;
  for (const InputDim& dim : shape.dims) {
    dims.push_back(dim.is_any() ? "-1" : std::to_string(dim.low));
  }
  return StrJoin(dims, ",");
}

// Profiles are separated by `;` (or by `,` for the single values of a batch list).
bool ParseProfiles(std::string_view option, std::string_view text, char separator,
                   std::vector<Profile>& profiles, ErrorReport& report) {
  if (text.ends_with(separator)) text.remove_suffix(1);
  const std::string_view allowed = separator == ',' ? "0123456789, " : "0123456789,; ";
  if (!OnlyCharacters(text, allowed) || text.empty()) {
    const std::string reason = separator == ',' ? "only digits and commas are allowed"
                                                : "only digits, commas and semicolons are allowed";
    report.Add("E10003", {{"value", text}, {"parameter", option}, {"reason", reason}});
    return false;
  }
  for (std::string_view item : SplitTrimmed(text, separator)) {
    Profile profile;
    for (std::string_view token : SplitTrimmed(item, ',')) {
      int64_t value = 0;
      if (!ParseInteger(token, option, value, report)) return false;
      profile.push_back(value);
    }
    profiles.push_back(std::move(profile));
  }
  return true;
}

bool CheckCounts(std::string_view text, std::span<const Profile> profiles, ErrorReport& report) {
  const std::string count = std::to_string(profiles.size());
  if (profiles.size() < kMinProfiles) {
    report.Add("E10035", {{"count", count}, {"limit", std::to_string(kMinProfiles)}});
    return false;
  }
  if (profiles.size() > kMaxProfiles) {
    report.Add("E10036", {{"count", count}, {"limit", std::to_string(kMaxProfiles)}});
    return false;
  }
  const auto fail = [&](std::string_view code) {
    report.Add(code, {{"value", text}});
    return false;
  };
  for (const Profile& profile : profiles) {
    if (profile.size() != profiles[0].size()) return fail("E10037");
    if (std::ranges::any_of(profile, [](int64_t value) { return value <= 0; })) {
      return fail("E10038");
    }
  }
  if (std::set<Profile>(profiles.begin(), profiles.end()).size() != profiles.size()) {
    return fail("E10039");
  }
  return true;
}

bool CheckBatchShapes(std::span<const InputShape> shapes, ErrorReport& report) {
  for (const InputShape& shape : shapes) {
    if (shape.dims.empty()) {
      report.Add("E10012", {});
      return false;
    }
    for (size_t i = 1; i < shape.dims.size(); ++i) {
      if (!shape.dims[i].is_any()) continue;
      report.Add("E10018", {{"shape", ShapeText(shape)}, {"index", std::to_string(i)}});
      return false;
    }
  }
  if (CountAny(shapes) == 0) {
    report.Add("E10031", {});
    return false;
  }
  return true;
}

bool CheckImageShapes(std::string_view format, std::span<const InputShape> shapes,
                      ErrorReport& report) {
  if (format != "NCHW" && format != "NHWC" && !format.empty()) {
    report.Add("E10001", {{"value", format},
                          {"parameter", "--input_format"},
                          {"reason", "--dynamic_image_size needs NCHW or NHWC"}});
    return false;
  }
  const size_t height = format == "NHWC" ? 1 : 2;
  size_t images = 0;
  for (const InputShape& shape : shapes) {
    const size_t count = std::ranges::count_if(shape.dims, &InputDim::is_any);
    if (count == 0) continue;
    const bool good = shape.dims.size() == 4 && count == 2 && shape.dims[height].is_any() &&
                      shape.dims[height + 1].is_any();
    if (!good) {
      report.Add("E10019", {});
      return false;
    }
    ++images;
  }
  if (images == 0) report.Add("E10019", {});
  return images > 0;
}

bool CheckDims(std::span<const InputShape> shapes, const Profile& profile, ErrorReport& report) {
  const size_t count = CountAny(shapes);
  if (count == profile.size()) return true;
  report.Add(count > profile.size() ? "E10045" : "E10046",
             {{"count", std::to_string(count)}, {"values", std::to_string(profile.size())}});
  return false;
}

bool CheckBatch(const std::string& text, std::span<const InputShape> shapes,
                std::vector<Profile>& profiles, ErrorReport& report) {
  return CheckBatchShapes(shapes, report) &&
         ParseProfiles("dynamic_batch_size", text, ',', profiles, report) &&
         CheckCounts(text, profiles, report);
}

bool CheckImage(const Arguments& arguments, const std::string& text,
                std::span<const InputShape> shapes, std::vector<Profile>& profiles,
                ErrorReport& report) {
  if (!CheckImageShapes(arguments.Get("input_format"), shapes, report) ||
      !ParseProfiles("dynamic_image_size", text, ';', profiles, report)) {
    return false;
  }
  for (const Profile& profile : profiles) {
    if (profile.size() == 2) continue;
    report.Add("E10020", {{"dynamic_image_size", text}});
    return false;
  }
  return CheckCounts(text, profiles, report);
}

bool CheckDynamicDims(const Arguments& arguments, const std::string& text,
                      std::span<const InputShape> shapes, std::vector<Profile>& profiles,
                      ErrorReport& report) {
  if (!arguments.Get("insert_op_conf").empty()) {
    report.Add("E10001", {{"value", arguments.Get("insert_op_conf")},
                          {"parameter", "--insert_op_conf"},
                          {"reason", "it cannot be used together with --dynamic_dims"}});
    return false;
  }
  return ParseProfiles("dynamic_dims", text, ';', profiles, report) &&
         CheckCounts(text, profiles, report) && CheckDims(shapes, profiles[0], report);
}

// The values for one input's open dims. Image sizes and batches start anew at every input, dims go
// on where the input before ended.
Dims Fill(const InputShape& shape, const Profile& profile, bool starts_anew, size_t& next) {
  if (starts_anew) next = 0;
  Dims dims;
  for (const InputDim& dim : shape.dims)
    dims.push_back(Dim(dim.is_any() ? profile[next++] : dim.low));
  return dims;
}

void MakeGears(ShapeKind kind, std::span<const InputShape> shapes,
               std::span<const Profile> profiles, compiler::GearOptions& gears) {
  gears.kind = kind;
  for (const InputShape& shape : shapes) {
    std::vector<int64_t> open;
    for (const InputDim& dim : shape.dims) open.push_back(dim.is_any() ? -1 : dim.low);
    gears.open_shapes.emplace_back(shape.name, std::move(open));
  }
  for (const Profile& profile : profiles) {
    compiler::GearOptions::Gear gear{profile, {}};
    size_t next = 0;
    for (const InputShape& shape : shapes) {
      gear.input_shapes[shape.name] = Fill(shape, profile, kind != ShapeKind::kDimsGears, next);
    }
    gears.gears.push_back(std::move(gear));
  }
}

}  // namespace

bool CheckProfiles(const Arguments& arguments, std::span<const InputShape> shapes,
                   compiler::GearOptions& gears, ErrorReport& report) {
  const std::string batch = arguments.Get("dynamic_batch_size");
  const std::string image = arguments.Get("dynamic_image_size");
  const std::string dims = arguments.Get("dynamic_dims");
  const std::string range = arguments.Get("input_shape_range");
  const int profiles = !batch.empty() + !image.empty() + !dims.empty();
  if (profiles + !range.empty() > 1) {
    report.Add("E10009", {});
    return false;
  }
  if (profiles == 0) return true;
  if (shapes.empty()) {
    report.Add("E10004", {{"parameter", "input_shape"}});
    return false;
  }
  for (const InputShape& shape : shapes) {
    if (std::ranges::none_of(shape.dims, &InputDim::is_range)) continue;
    report.Add("E10040", {});
    return false;
  }
  std::vector<Profile> list;
  ShapeKind kind = ShapeKind::kDimsGears;
  if (!batch.empty()) {
    kind = ShapeKind::kBatchGears;
    if (!CheckBatch(batch, shapes, list, report)) return false;
  } else if (CountAny(shapes) == 0) {
    report.Add(image.empty() ? "E10040" : "E10019", {});
    return false;
  } else if (!image.empty()) {
    kind = ShapeKind::kImageGears;
    if (!CheckImage(arguments, image, shapes, list, report)) return false;
  } else if (!CheckDynamicDims(arguments, dims, shapes, list, report)) {
    return false;
  }
  MakeGears(kind, shapes, list, gears);
  return true;
}

}  // namespace cairn::atc
