// SPDX-License-Identifier: Apache-2.0
// Gears of dynamic models: what there is to choose from, and the choice.
#include <algorithm>
#include <cstring>

#include "acl/acl_mdl.h"
#include "api/call.h"
#include "api/dataset.h"
#include "api/model_desc.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

constexpr size_t kAnyInput = static_cast<size_t>(-1);

struct KindTexts {
  const char* option;    ///< Of atc.
  const char* function;  ///< That chooses such a gear.
  const char* flag;      ///< Of msame.
};

KindTexts TextsOf(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kBatchGears:
      return {"--dynamic_batch_size", "aclmdlSetDynamicBatchSize", "--dymBatch"};
    case ShapeKind::kImageGears:
      return {"--dynamic_image_size", "aclmdlSetDynamicHWSize", "--dymHW"};
    default:
      return {"--dynamic_dims", "aclmdlSetInputDynamicDims", "--dymDims"};
  }
}

/// The answer for a model without gears of `wanted` kind.
Answer WrongKind(uint32_t model_id, ShapeKind kind, ShapeKind wanted) {
  std::string text = StrCat("Model ", model_id);
  if (kind == ShapeKind::kStatic) {
    text += StrCat(" has static shapes; it was not compiled with ", TextsOf(wanted).option, ".");
  } else {
    const KindTexts texts = TextsOf(kind);
    text += StrCat(" was compiled with ", texts.option, ", not with ", TextsOf(wanted).option,
                   "; choose its gear with ", texts.function, " (msame: ", texts.flag, ").");
  }
  return {ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID, Kind::kArgument, text};
}

/// Writes `values` into the buffer of the gear input: 32-bit values, or 64-bit ones where they fit.
Answer WriteValues(std::span<const int64_t> values, const aclDataBuffer& buffer) {
  if (buffer.size < values.size() * sizeof(uint32_t)) {
    return InvalidArgument("dataset", StrCat("a buffer of ", buffer.size, " bytes"),
                           StrCat("the values of the gear need ", values.size() * sizeof(uint32_t)),
                           ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
  }
  const bool wide = buffer.size >= values.size() * sizeof(uint64_t);
  auto* bytes = static_cast<std::byte*>(buffer.data);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto narrow_value = static_cast<uint32_t>(values[i]);
    const auto wide_value = static_cast<uint64_t>(values[i]);
    if (wide) {
      std::memcpy(bytes + i * sizeof(wide_value), &wide_value, sizeof(wide_value));
    } else {
      std::memcpy(bytes + i * sizeof(narrow_value), &narrow_value, sizeof(narrow_value));
    }
  }
  return {};
}

/// The model and the buffer of a setter's arguments, checked.
struct GearTarget {
  std::shared_ptr<runtime::Model> model;
  const aclDataBuffer* buffer = nullptr;
};

Answer FindTarget(uint32_t modelId, const aclmdlDataset* dataset, size_t index, ShapeKind wanted,
                  GearTarget& target) {
  ACL_REQUIRE(dataset);
  if (index >= dataset->entries.size())
    return InvalidArgument("index", index,
                           StrCat("the dataset has ", dataset->entries.size(), " buffers"));
  ACL_ASSIGN(target.model, runtime::Runtime::Get().FindModel(modelId),
             {Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_ID_INVALID});
  const Program& program = target.model->program();
  if (program.shape_kind != wanted) return WrongKind(modelId, program.shape_kind, wanted);
  const size_t gear_input = program.inputs.size() - 1;
  if (index != gear_input)
    return InvalidArgument("index", index,
                           StrCat("input '", kGearInputName, "' has the index ", gear_input));
  target.buffer = dataset->entries[index].buffer;
  if (target.buffer == nullptr || target.buffer->data == nullptr)
    return InvalidArgument("dataset", StrCat("buffer ", index), "its address is NULL");
  return {};
}

/// Chooses the gear with these values, in the dataset and in the model.
Answer Choose(const GearTarget& target, std::span<const int64_t> values) {
  ACL_ASSIGN(const size_t gear, runtime::FindGear(target.model->program(), values),
             {Code::kNotFound, ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID});
  ACL_RETURN_IF_FAILED(WriteValues(values, *target.buffer));
  target.model->gears()->set_current(gear);
  return {};
}

Answer SetValues(uint32_t modelId, const aclmdlDataset* dataset, size_t index, ShapeKind kind,
                 std::span<const int64_t> values) {
  GearTarget target;
  ACL_RETURN_IF_FAILED(FindTarget(modelId, dataset, index, kind, target));
  return Choose(target, values);
}

/// The gear whose input dims are `dims`; a failure tells which dim is wrong.
Answer FindDims(const Program& program, std::span<const int64_t> dims, const ProgramGear** found) {
  const auto& gears = program.gears;
  const size_t count = gears[0].input_dims.size();
  if (dims.size() != count)
    return InvalidArgument("dims->dimCount", dims.size(),
                           StrCat("the inputs of the model have ", count, " dims together"),
                           ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
  for (const ProgramGear& gear : gears) {
    if (std::ranges::equal(gear.input_dims, dims)) {
      *found = &gear;
      return {};
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const int64_t first = gears[0].input_dims[i];
    const bool is_static = std::ranges::all_of(
        gears, [&](const ProgramGear& gear) { return gear.input_dims[i] == first; });
    if (is_static && dims[i] != first)
      return InvalidArgument(StrCat("dims->dims[", i, "]").c_str(), dims[i],
                             StrCat("this dim is ", first, " in every gear"),
                             ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID);
  }
  std::vector<std::string> texts;
  for (const ProgramGear& gear : gears) texts.push_back(StrCat("[", StrJoin(gear.input_dims), "]"));
  return {ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID, Kind::kArgument,
          StrCat("The dims [", StrJoin(dims), "] are not a gear of the model; it has the gears ",
                 StrJoin(texts), ".")};
}

/// The gears of a description when they are of `kind`, else none.
std::span<const ProgramGear> GearsOf(const aclmdlDesc& desc, ShapeKind kind) {
  return desc.shape_kind == kind ? std::span<const ProgramGear>(desc.gears)
                                 : std::span<const ProgramGear>();
}

Answer TooManyGears(size_t count, size_t limit) {
  return {ACL_ERROR_STORAGE_OVER_LIMIT, Kind::kArgument,
          StrCat("The model has ", count, " gears, at most ", limit, " fit.")};
}

}  // namespace

aclError aclmdlGetDynamicBatch(const aclmdlDesc* modelDesc, aclmdlBatch* batch) {
  return Guard("aclmdlGetDynamicBatch", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(batch);
    const auto gears = GearsOf(*modelDesc, ShapeKind::kBatchGears);
    if (gears.size() > ACL_MAX_BATCH_NUM) return TooManyGears(gears.size(), ACL_MAX_BATCH_NUM);
    batch->batchCount = gears.size();
    for (size_t i = 0; i < gears.size(); ++i)
      batch->batch[i] = static_cast<uint64_t>(gears[i].values[0]);
    return {};
  });
}

aclError aclmdlGetDynamicHW(const aclmdlDesc* modelDesc, size_t, aclmdlHW* hw) {
  return Guard("aclmdlGetDynamicHW", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(hw);
    const auto gears = GearsOf(*modelDesc, ShapeKind::kImageGears);
    if (gears.size() > ACL_MAX_HW_NUM) return TooManyGears(gears.size(), ACL_MAX_HW_NUM);
    hw->hwCount = gears.size();
    for (size_t i = 0; i < gears.size(); ++i) {
      hw->hw[i][0] = static_cast<uint64_t>(gears[i].values[0]);
      hw->hw[i][1] = static_cast<uint64_t>(gears[i].values[1]);
    }
    return {};
  });
}

aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* modelDesc, size_t index,
                                        size_t* gearCount) {
  return Guard("aclmdlGetInputDynamicGearCount", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(gearCount);
    if (index != kAnyInput) return InvalidArgument("index", index, "it must be -1");
    *gearCount = GearsOf(*modelDesc, ShapeKind::kDimsGears).size();
    return {};
  });
}

aclError aclmdlGetInputDynamicDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims,
                                   size_t gearCount) {
  return Guard("aclmdlGetInputDynamicDims", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(dims);
    if (index != kAnyInput) return InvalidArgument("index", index, "it must be -1");
    const auto gears = GearsOf(*modelDesc, ShapeKind::kDimsGears);
    if (gearCount < gears.size())
      return InvalidArgument("gearCount", gearCount, StrCat("the model has ", gears.size()));
    for (size_t i = 0; i < gears.size(); ++i) {
      const auto& values = gears[i].input_dims;
      if (values.size() > ACL_MAX_DIM_CNT)
        return {
            ACL_ERROR_STORAGE_OVER_LIMIT, Kind::kArgument,
            StrCat("The inputs have ", values.size(), " dims, at most ", ACL_MAX_DIM_CNT, " fit.")};
      dims[i].dimCount = values.size();
      std::copy(values.begin(), values.end(), dims[i].dims);
    }
    return {};
  });
}

aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   uint64_t batchSize) {
  return Guard("aclmdlSetDynamicBatchSize", [&]() -> Answer {
    if (batchSize == 0) return InvalidArgument("batchSize", 0, "it must be positive");
    const int64_t values[] = {static_cast<int64_t>(batchSize)};
    return SetValues(modelId, dataset, index, ShapeKind::kBatchGears, values);
  });
}

aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                uint64_t height, uint64_t width) {
  return Guard("aclmdlSetDynamicHWSize", [&]() -> Answer {
    if (height == 0) return InvalidArgument("height", 0, "it must be positive");
    if (width == 0) return InvalidArgument("width", 0, "it must be positive");
    const int64_t values[] = {static_cast<int64_t>(height), static_cast<int64_t>(width)};
    return SetValues(modelId, dataset, index, ShapeKind::kImageGears, values);
  });
}

aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   const aclmdlIODims* dims) {
  return Guard("aclmdlSetInputDynamicDims", [&]() -> Answer {
    ACL_REQUIRE(dims);
    if (dims->dimCount == 0) return InvalidArgument("dims->dimCount", 0, "it must be positive");
    if (dims->dimCount > ACL_MAX_DIM_CNT)
      return InvalidArgument("dims->dimCount", dims->dimCount,
                             StrCat("at most ", ACL_MAX_DIM_CNT, " dims fit"));
    GearTarget target;
    ACL_RETURN_IF_FAILED(FindTarget(modelId, dataset, index, ShapeKind::kDimsGears, target));
    const ProgramGear* gear = nullptr;
    ACL_RETURN_IF_FAILED(FindDims(target.model->program(), {dims->dims, dims->dimCount}, &gear));
    return Choose(target, gear->values);
  });
}
