// SPDX-License-Identifier: Apache-2.0
// Compiles, runs and compares the data sets of a case.
#include "conformance/case_runner.h"

#include <fstream>

#include "compiler/compiler.h"
#include "conformance/offline_model.h"
#include "kernels/isa.h"
#include "reference/interpreter.h"
#include "reference/onnx_case.h"

namespace cairn::testing {
namespace {

namespace fs = std::filesystem;

/// The file `tolerance` of a case: relative and absolute.
Tolerance ReadTolerance(const fs::path& folder) {
  Tolerance tolerance;
  std::ifstream file(folder / "tolerance");
  if (file) file >> tolerance.relative >> tolerance.absolute;
  // The suite compares integers as it compares floats.
  tolerance.integer_relative = tolerance.relative;
  tolerance.integer_absolute = tolerance.absolute;
  return tolerance;
}

target::TargetSpec HostTarget() {
  target::TargetSpec target;
  target.name = "native";
  target.isa = kernels::IsaName(*kernels::BestIsa());
  target.vector_floats = kernels::VectorFloats(*kernels::BestIsa());
  target.num_cores = 1;
  return target;
}

/// True when every value can be a model's input or output.
bool AreProgramValues(const std::vector<Value*>& values) {
  for (const Value* value : values) {
    const TensorType& type = value->type();
    if (type.kind != ValueKind::kTensor || type.dtype == ElementType::kString) return false;
  }
  return true;
}

/// True when the compiler refused the model because the elements of a tensor decide about shapes.
bool DependsOnData(const Status& refusal) {
  return refusal.message().find("not known at compile time") != std::string::npos;
}

/// One data set of a case in one mode.
class DataSet {
 public:
  DataSet(fs::path folder, fs::path model, PassOptions passes)
      : folder_(std::move(folder)), model_(std::move(model)), passes_(std::move(passes)) {}

  const std::string& path() const { return path_; }

  Status Run(const Tolerance& tolerance, const fs::path& scratch) {
    RETURN_IF_ERROR(Import());
    const std::string file = (scratch / "case.om").string();
    Status compiled(Code::kUnsupported, "");
    path_ = "runtime";
    if (AreProgramValues(graph_->inputs()) && AreProgramValues(graph_->outputs())) {
      compiled = Compile(file);
      if (!compiled.ok() && !DependsOnData(compiled)) return compiled;
    }
    std::vector<Tensor> outputs;
    if (compiled.ok()) {
      ASSIGN_OR_RETURN(outputs, RunOfflineModel(file, inputs_, expected_));
    } else {
      path_ = "interpreter";
      RETURN_IF_ERROR(RunPasses(*graph_, passes_).status());
      ASSIGN_OR_RETURN(outputs, RunReference(*graph_, inputs_));
    }
    return Compare(outputs, tolerance);
  }

 private:
  /// Imports the model twice: types say how to read the data, which say what the shapes are.
  Status Import() {
    ASSIGN_OR_RETURN(const auto declared, onnx::ImportOnnxFile(model_.string(), {}, &unsupported_));
    ASSIGN_OR_RETURN(inputs_, ReadValues(folder_, "input", declared.graph->inputs()));
    ASSIGN_OR_RETURN(expected_, ReadValues(folder_, "output", declared.graph->outputs()));
    inputs_.resize(std::min(inputs_.size(), declared.graph->inputs().size()));
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Value& input = *declared.graph->inputs()[i];
      if (!inputs_[i].is_tensor() || input.type().is_static()) continue;
      Dims dims;
      for (const int64_t dim : inputs_[i].shape()) dims.emplace_back(dim);
      import_.input_shapes[input.name()] = std::move(dims);
    }
    ASSIGN_OR_RETURN(auto bound, onnx::ImportOnnxFile(model_.string(), import_, &unsupported_));
    graph_ = std::move(bound.graph);
    return OkStatus();
  }

  Status Compile(const fs::path& output) {
    compiler::CompileOptions options;
    options.model_path = model_.string();
    options.output_path = output.string();
    options.target = HostTarget();
    options.import = import_;
    options.passes = passes_;
    compiler::CompileReport report;
    if (compiler::CompileModel(options, report)) return OkStatus();
    return Status(Code::kUnsupported, StrCat("compiler: ", report.errors.Text()));
  }

  Status Compare(const std::vector<Tensor>& outputs, const Tolerance& tolerance) const {
    if (outputs.size() < expected_.size()) {
      return Status(Code::kInternal, "there are fewer outputs than expected");
    }
    for (size_t i = 0; i < expected_.size(); ++i) {
      Tolerance own = tolerance;
      // The suite's own rule: two units in the last place of bfloat16.
      if (expected_[i].dtype() == ElementType::kBf16) own.relative = std::max(own.relative, 0x1p-6);
      const std::string difference = Difference(outputs[i], expected_[i], own);
      if (!difference.empty()) {
        return Status(Code::kInternal, StrCat("output ", i, ": ", difference));
      }
    }
    return OkStatus();
  }

  fs::path folder_, model_;
  PassOptions passes_;
  onnx::ImportOptions import_;
  std::vector<onnx::UnsupportedNode> unsupported_;
  std::unique_ptr<Graph> graph_;
  std::vector<Tensor> inputs_, expected_;
  std::string path_;

 public:
  /// The first node the importer does not know, or "".
  std::string Unsupported() const {
    return unsupported_.empty() ? "" : StrCat(unsupported_[0].op, ": ", unsupported_[0].reason);
  }
};

}  // namespace

Verdict RunCase(const fs::path& folder, bool with_passes, const fs::path& scratch) {
  PassOptions passes;
  if (!with_passes) passes.level = PassOptions::OptLevel::kO0;
  Verdict verdict{"passed", "", ""};
  const Tolerance tolerance = ReadTolerance(folder);
  int sets = 0;
  for (; fs::exists(folder / StrCat("test_data_set_", sets)); ++sets) {
    DataSet set(folder / StrCat("test_data_set_", sets), folder / "model.onnx", passes);
    const Status status = set.Run(tolerance, scratch);
    verdict.path = set.path();
    if (status.ok()) continue;
    verdict.outcome = status.code() == Code::kUnsupported ? "unsupported" : "failed";
    verdict.reason = set.Unsupported().empty() ? status.message() : set.Unsupported();
    return verdict;
  }
  if (sets == 0) return {"failed", "", "the case has no data"};
  return verdict;
}

}  // namespace cairn::testing
