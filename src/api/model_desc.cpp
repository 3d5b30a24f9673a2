// SPDX-License-Identifier: Apache-2.0
// Descriptions of models: counts, sizes, names, types, dims.
#include "api/model_desc.h"

#include <algorithm>
#include <cstring>

#include "api/data_types.h"
#include "runtime/open_shapes.h"
#include "runtime/runtime.h"

using namespace cairn;  // NOLINT: mostly C functions

namespace cairn::api {
namespace {

std::vector<aclmdlDesc::Tensor> Tensors(const std::vector<ProgramIo>& ios, const char* kind,
                                        uint32_t model_id) {
  std::vector<aclmdlDesc::Tensor> tensors;
  for (size_t i = 0; i < ios.size(); ++i) {
    const bool fits = ios[i].name.size() < ACL_MAX_TENSOR_NAME_LEN;
    tensors.push_back(
        {ios[i], fits ? ios[i].name : StrCat("acl_modelId_", model_id, "_", kind, "_", i)});
  }
  return tensors;
}

}  // namespace

void Describe(const Program& program, std::optional<uint32_t> model_id, aclmdlDesc& desc) {
  desc.model_id = model_id;
  desc.inputs = Tensors(program.inputs, "input", model_id.value_or(0));
  desc.outputs = Tensors(program.outputs, "output", model_id.value_or(0));
  desc.shape_kind = program.shape_kind;
  desc.gears = program.gears;
  desc.ranges.clear();
  if (program.is_open()) desc.ranges = program.tasks[0].GetInts(runtime::kRangesAttribute);
}

aclFormat FormatOf(const ProgramIo& io) {
  return io.dims.size() == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_ND;
}

}  // namespace cairn::api

using namespace cairn::api;  // NOLINT

namespace {

using TensorList = std::vector<aclmdlDesc::Tensor> aclmdlDesc::*;

/// The tensor at `index` of a list; a failure names the valid range.
Answer Find(const aclmdlDesc* modelDesc, TensorList list, size_t index,
            const aclmdlDesc::Tensor** tensor) {
  ACL_REQUIRE(modelDesc);
  const auto& tensors = modelDesc->*list;
  if (index >= tensors.size())
    return InvalidArgument("index", index, StrCat("the model has ", tensors.size(), " of them"));
  *tensor = &tensors[index];
  return {};
}

template <class T, class Get>
T Read(const char* function, const aclmdlDesc* modelDesc, TensorList list, size_t index, T fallback,
       Get get) {
  return GuardValue<T>(function, fallback, [&](T& value) -> Answer {
    const aclmdlDesc::Tensor* tensor = nullptr;
    ACL_RETURN_IF_FAILED(Find(modelDesc, list, index, &tensor));
    value = get(*tensor);
    return {};
  });
}

size_t BytesOf(const aclmdlDesc::Tensor& tensor) { return tensor.io.bytes; }
const char* NameOf(const aclmdlDesc::Tensor& tensor) { return tensor.io.name.c_str(); }
aclDataType TypeOf(const aclmdlDesc::Tensor& tensor) { return ToAcl(tensor.io.dtype); }
aclFormat FormatOfTensor(const aclmdlDesc::Tensor& tensor) { return FormatOf(tensor.io); }

Answer FillDims(const aclmdlDesc::Tensor& tensor, std::span<const int64_t> values,
                aclmdlIODims* dims) {
  if (values.size() > ACL_MAX_DIM_CNT)
    return {ACL_ERROR_STORAGE_OVER_LIMIT, Kind::kArgument,
            StrCat("The tensor has ", values.size(), " dims, at most ", ACL_MAX_DIM_CNT, " fit.")};
  std::memset(dims->name, 0, sizeof(dims->name));
  std::memcpy(dims->name, tensor.shown_name.data(), tensor.shown_name.size());
  dims->dimCount = values.size();
  std::copy(values.begin(), values.end(), dims->dims);
  return {};
}

Answer ReadDims(const aclmdlDesc* modelDesc, TensorList list, size_t index, aclmdlIODims* dims) {
  ACL_REQUIRE(dims);
  const aclmdlDesc::Tensor* tensor = nullptr;
  ACL_RETURN_IF_FAILED(Find(modelDesc, list, index, &tensor));
  return FillDims(*tensor, tensor->io.dims, dims);
}

/// The dims of output `index` in a gear.
std::span<const int64_t> OutputDims(const aclmdlDesc& desc, const ProgramGear& gear, size_t index) {
  size_t first = 0;
  for (size_t i = 0; i < index; ++i) first += desc.outputs[i].io.dims.size();
  return std::span(gear.output_dims).subspan(first, desc.outputs[index].io.dims.size());
}

Answer IndexByName(const aclmdlDesc* modelDesc, TensorList list, const char* name, size_t* index) {
  ACL_REQUIRE(modelDesc);
  ACL_REQUIRE(name);
  ACL_REQUIRE(index);
  const auto& tensors = modelDesc->*list;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].io.name == name || tensors[i].shown_name == name) {
      *index = i;
      return {};
    }
  }
  std::vector<std::string> names;
  for (const auto& tensor : tensors) names.push_back(tensor.io.name);
  return InvalidArgument("name", name, StrCat("the model has the names ", StrJoin(names, ", ")));
}

size_t Count(const char* function, const aclmdlDesc* modelDesc, TensorList list) {
  return GuardValue<size_t>(function, 0, [&](size_t& count) -> Answer {
    ACL_REQUIRE(modelDesc);
    count = (modelDesc->*list).size();
    return {};
  });
}

}  // namespace

aclmdlDesc* aclmdlCreateDesc() {
  return GuardValue<aclmdlDesc*>("aclmdlCreateDesc", nullptr, [](auto& desc) -> Answer {
    desc = new aclmdlDesc;
    return {};
  });
}

aclError aclmdlDestroyDesc(aclmdlDesc* modelDesc) {
  return Guard("aclmdlDestroyDesc", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    delete modelDesc;
    return {};
  });
}

aclError aclmdlGetDesc(aclmdlDesc* modelDesc, uint32_t modelId) {
  return Guard("aclmdlGetDesc", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_ASSIGN(const auto model, runtime::Runtime::Get().FindModel(modelId),
               {Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_ID_INVALID});
    Describe(model->program(), modelId, *modelDesc);
    return {};
  });
}

size_t aclmdlGetNumInputs(aclmdlDesc* modelDesc) {
  return Count("aclmdlGetNumInputs", modelDesc, &aclmdlDesc::inputs);
}

size_t aclmdlGetNumOutputs(aclmdlDesc* modelDesc) {
  return Count("aclmdlGetNumOutputs", modelDesc, &aclmdlDesc::outputs);
}

size_t aclmdlGetInputSizeByIndex(aclmdlDesc* modelDesc, size_t index) {
  return Read<size_t>("aclmdlGetInputSizeByIndex", modelDesc, &aclmdlDesc::inputs, index, 0,
                      BytesOf);
}

size_t aclmdlGetOutputSizeByIndex(aclmdlDesc* modelDesc, size_t index) {
  return Read<size_t>("aclmdlGetOutputSizeByIndex", modelDesc, &aclmdlDesc::outputs, index, 0,
                      BytesOf);
}

const char* aclmdlGetInputNameByIndex(const aclmdlDesc* modelDesc, size_t index) {
  return Read("aclmdlGetInputNameByIndex", modelDesc, &aclmdlDesc::inputs, index, "", NameOf);
}

const char* aclmdlGetOutputNameByIndex(const aclmdlDesc* modelDesc, size_t index) {
  return Read("aclmdlGetOutputNameByIndex", modelDesc, &aclmdlDesc::outputs, index, "", NameOf);
}

aclDataType aclmdlGetInputDataType(const aclmdlDesc* modelDesc, size_t index) {
  return Read("aclmdlGetInputDataType", modelDesc, &aclmdlDesc::inputs, index, ACL_DT_UNDEFINED,
              TypeOf);
}

aclDataType aclmdlGetOutputDataType(const aclmdlDesc* modelDesc, size_t index) {
  return Read("aclmdlGetOutputDataType", modelDesc, &aclmdlDesc::outputs, index, ACL_DT_UNDEFINED,
              TypeOf);
}

aclFormat aclmdlGetInputFormat(const aclmdlDesc* modelDesc, size_t index) {
  return Read("aclmdlGetInputFormat", modelDesc, &aclmdlDesc::inputs, index, ACL_FORMAT_UNDEFINED,
              FormatOfTensor);
}

aclFormat aclmdlGetOutputFormat(const aclmdlDesc* modelDesc, size_t index) {
  return Read("aclmdlGetOutputFormat", modelDesc, &aclmdlDesc::outputs, index, ACL_FORMAT_UNDEFINED,
              FormatOfTensor);
}

aclError aclmdlGetInputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard("aclmdlGetInputDims",
               [&] { return ReadDims(modelDesc, &aclmdlDesc::inputs, index, dims); });
}

aclError aclmdlGetInputDimsV2(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard("aclmdlGetInputDimsV2",
               [&] { return ReadDims(modelDesc, &aclmdlDesc::inputs, index, dims); });
}

aclError aclmdlGetOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard("aclmdlGetOutputDims",
               [&] { return ReadDims(modelDesc, &aclmdlDesc::outputs, index, dims); });
}

aclError aclmdlGetCurOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims) {
  return Guard("aclmdlGetCurOutputDims", [&]() -> Answer {
    ACL_REQUIRE(modelDesc);
    const uint32_t id = modelDesc->model_id.value_or(0);
    ACL_ASSIGN(const auto model, runtime::Runtime::Get().FindModel(id),
               {Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_ID_INVALID});
    if (model->is_open())
      return NotSupported("aclmdlGetCurOutputDims",
                          "the model has open shapes; read them from the output dataset with "
                          "aclmdlGetDatasetTensorDesc after the execution",
                          ACL_ERROR_API_NOT_SUPPORT);
    if (model->gears() == nullptr) return ReadDims(modelDesc, &aclmdlDesc::outputs, index, dims);
    ACL_REQUIRE(dims);
    const aclmdlDesc::Tensor* tensor = nullptr;
    ACL_RETURN_IF_FAILED(Find(modelDesc, &aclmdlDesc::outputs, index, &tensor));
    const size_t gear = model->gears()->current();
    if (gear >= modelDesc->gears.size())
      return InvalidArgument("modelDesc", "of another model", "it has no such gear");
    return FillDims(*tensor, OutputDims(*modelDesc, modelDesc->gears[gear], index), dims);
  });
}

aclError aclmdlGetInputDimsRange(const aclmdlDesc* modelDesc, size_t index,
                                 aclmdlIODimsRange* dimsRange) {
  return Guard("aclmdlGetInputDimsRange", [&]() -> Answer {
    ACL_REQUIRE(dimsRange);
    const aclmdlDesc::Tensor* tensor = nullptr;
    ACL_RETURN_IF_FAILED(Find(modelDesc, &aclmdlDesc::inputs, index, &tensor));
    dimsRange->rangeCount = 0;
    size_t first = 0;
    for (size_t i = 0; i < index; ++i) first += 2 * modelDesc->inputs[i].io.dims.size();
    const size_t count = tensor->io.dims.size();
    if (modelDesc->ranges.size() < first + 2 * count) return {};
    if (count > ACL_MAX_DIM_CNT)
      return {ACL_ERROR_STORAGE_OVER_LIMIT, Kind::kArgument,
              StrCat("The tensor has ", count, " dims, at most ", ACL_MAX_DIM_CNT, " fit.")};
    dimsRange->rangeCount = count;
    for (size_t d = 0; d < count; ++d) {
      dimsRange->range[d][0] = modelDesc->ranges[first + 2 * d];
      dimsRange->range[d][1] = modelDesc->ranges[first + 2 * d + 1];
    }
    return {};
  });
}

aclError aclmdlGetInputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index) {
  return Guard("aclmdlGetInputIndexByName",
               [&] { return IndexByName(modelDesc, &aclmdlDesc::inputs, name, index); });
}

aclError aclmdlGetOutputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index) {
  return Guard("aclmdlGetOutputIndexByName",
               [&] { return IndexByName(modelDesc, &aclmdlDesc::outputs, name, index); });
}

const char* aclmdlGetTensorRealName(const aclmdlDesc* modelDesc, const char* name) {
  return GuardValue<const char*>("aclmdlGetTensorRealName", nullptr, [&](auto& real) -> Answer {
    ACL_REQUIRE(modelDesc);
    ACL_REQUIRE(name);
    for (const auto* tensors : {&modelDesc->inputs, &modelDesc->outputs})
      for (const auto& tensor : *tensors)
        if (tensor.io.name == name || tensor.shown_name == name) real = tensor.io.name.c_str();
    if (real == nullptr) return InvalidArgument("name", name, "no input or output has it");
    return {};
  });
}
