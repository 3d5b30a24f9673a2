// SPDX-License-Identifier: Apache-2.0
// Model files, compilation, datasets.
#include "dynamic/dynamic_model.h"

#include <google/protobuf/text_format.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "frontend/onnx/cairn_onnx.pb.h"
#include "kernels/isa.h"
#include "target/target_spec.h"

namespace cairn::testing {
namespace {

namespace fs = std::filesystem;

void FillInitializers(onnx::GraphProto& graph) {
  uint32_t seed = 1;
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    const bool has_data = tensor.float_data_size() + tensor.int64_data_size() > 0;
    if (has_data || tensor.data_type() != 1) continue;
    size_t count = 1;
    for (int64_t dim : tensor.dims()) count *= static_cast<size_t>(dim);
    for (float value : RandomFloats(count, seed)) tensor.add_float_data(0.3f * value);
    ++seed;
  }
}

std::string DimText(const std::string& dim) {
  const bool is_number = std::isdigit(static_cast<unsigned char>(dim[0])) != 0;
  return is_number ? StrCat("dim { dim_value: ", dim, " } ")
                   : StrCat("dim { dim_param: '", dim, "' } ");
}

}  // namespace

std::string AclText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

TestBuffers::~TestBuffers() {
  for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset_); ++i)
    aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset_, i));
  aclmdlDestroyDataset(dataset_);
}

TestBuffers& TestBuffers::Add(void* data, size_t bytes) {
  aclmdlAddDatasetBuffer(dataset_, aclCreateDataBuffer(data, bytes));
  return *this;
}

void TestBuffers::SetShape(size_t index, const std::vector<int64_t>& dims) {
  aclTensorDesc* desc =
      aclCreateTensorDesc(ACL_FLOAT, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND);
  ASSERT_EQ(aclmdlSetDatasetTensorDesc(dataset_, desc, index), ACL_SUCCESS) << AclText();
  aclDestroyTensorDesc(desc);
}

void DynamicModelTest::SetUp() {
  folder_ = fs::path(::testing::TempDir()) / StrCat("cairn_dynamic_", getpid());
  fs::create_directories(folder_);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

void DynamicModelTest::TearDown() {
  aclrtResetDeviceForce(0);
  aclFinalize();
  aclGetRecentErrMsg();
  fs::remove_all(folder_);
}

void DynamicModelTest::WriteModel(const std::string& name, const std::string& graph_text) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(graph_text, model.mutable_graph()));
  model.mutable_graph()->set_name("net");
  FillInitializers(*model.mutable_graph());
  std::ofstream file(Path(name), std::ios::binary);
  ASSERT_TRUE(model.SerializeToOstream(&file));
}

bool DynamicModelTest::Compile(const std::string& model, const std::string& name,
                               const std::map<std::string, Dims>& shapes,
                               const compiler::GearOptions& gears,
                               const compiler::OpenOptions& open) {
  compiler::CompileOptions options;
  options.model_path = Path(model);
  options.output_path = Path(name);
  options.target = *target::FindTarget(
      kernels::BestIsa() == kernels::Isa::kAvx3 ? "Cairn-x86-64-v4" : "Cairn-x86-64-v3");
  options.import.input_shapes = shapes;
  options.gears = gears;
  options.open = open;
  compiler::CompileReport report;
  const bool done = compiler::CompileModel(options, report);
  report_text_ = report.errors.Text();
  return done;
}

uint32_t DynamicModelTest::Load(const std::string& name) {
  uint32_t id = 0;
  EXPECT_EQ(aclmdlLoadFromFile(Path(name).c_str(), &id), ACL_SUCCESS) << AclText();
  return id;
}

std::vector<float> RandomFloats(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

std::string ConvGraph(const std::string& n, const std::string& h, const std::string& w) {
  return StrCat("input { name: 'x' type { tensor_type { elem_type: 1 shape { ", DimText(n),
                DimText("3"), DimText(h), DimText(w),
                R"(} } } }
      initializer { name: 'w1' data_type: 1 dims: 8 dims: 3 dims: 3 dims: 3 }
      initializer { name: 'w2' data_type: 1 dims: 8 dims: 8 dims: 3 dims: 3 }
      initializer { name: 'fc' data_type: 1 dims: 8 dims: 5 }
      node { op_type: 'Conv' name: 'conv1' input: 'x' input: 'w1' output: 'a'
             attribute { name: 'pads' type: 7 ints: 1 ints: 1 ints: 1 ints: 1 } }
      node { op_type: 'Relu' name: 'relu1' input: 'a' output: 'b' }
      node { op_type: 'MaxPool' name: 'pool' input: 'b' output: 'c'
             attribute { name: 'kernel_shape' type: 7 ints: 2 ints: 2 }
             attribute { name: 'strides' type: 7 ints: 2 ints: 2 } }
      node { op_type: 'Conv' name: 'conv2' input: 'c' input: 'w2' output: 'z'
             attribute { name: 'pads' type: 7 ints: 1 ints: 1 ints: 1 ints: 1 } }
      node { op_type: 'GlobalAveragePool' name: 'mean' input: 'z' output: 'm' }
      node { op_type: 'Flatten' name: 'flat' input: 'm' output: 'f' }
      node { op_type: 'MatMul' name: 'fc' input: 'f' input: 'fc' output: 'y' }
      output { name: 'y' type { tensor_type { elem_type: 1 } } }
      output { name: 'z' type { tensor_type { elem_type: 1 } } })");
}

compiler::GearOptions GearsOf(ShapeKind kind, const std::vector<int64_t>& open,
                              const std::vector<std::vector<int64_t>>& values) {
  compiler::GearOptions gears;
  gears.kind = kind;
  gears.open_shapes = {{"x", open}};
  for (const auto& list : values) {
    Dims dims;
    size_t next = 0;
    for (int64_t dim : open) dims.push_back(Dim(dim < 0 ? list[next++] : dim));
    gears.gears.push_back({list, {{"x", dims}}});
  }
  return gears;
}

}  // namespace cairn::testing
