// SPDX-License-Identifier: Apache-2.0
// cairn-compare: a compiled model against its original, node by node; names what makes it wrong.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>

#include "base/atomic_file.h"
#include "compare/bisect.h"
#include "compare/comparison.h"
#include "compare/inputs.h"
#include "compare/result_file.h"
#include "compare/stepper.h"
#include "executable/om_reader.h"
#include "frontend/onnx/importer.h"
#include "kernels/isa.h"
#include "passes/pass.h"
#include "plan/plan.h"
#include "reference/interpreter.h"
#include "target/target_spec.h"

namespace {

using namespace cairn;           // NOLINT: a program, not a header
using namespace cairn::compare;  // NOLINT

struct Arguments {
  std::string model, om, output, input_shape;
  std::vector<std::string> inputs;
  bool bisect = true;
};

constexpr size_t kPrintedRows = 12;

/// "x:1,3,224,224;y:2" as import options.
Result<onnx::ImportOptions> ImportOptionsOf(const std::string& text) {
  onnx::ImportOptions options;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ';');) {
    const size_t colon = item.rfind(':');
    if (colon == std::string::npos)
      return Status(Code::kInvalidArgument,
                    StrCat("--input-shape: '", item, "' is not of the form name:1,3,224,224"));
    std::istringstream numbers(item.substr(colon + 1));
    Dims dims;
    for (std::string number; std::getline(numbers, number, ',');)
      dims.push_back(Dim(std::atoll(number.c_str())));
    options.input_shapes[item.substr(0, colon)] = dims;
  }
  return options;
}

/// The shapes that the compiled model has, for inputs whose shape is not given.
void TakeShapes(const Program& program, onnx::ImportOptions& options) {
  for (const ProgramIo& io : program.inputs) {
    if (options.input_shapes.count(io.name) > 0) continue;
    Dims dims;
    for (const int64_t size : io.dims) dims.push_back(Dim(size));
    options.input_shapes[io.name] = dims;
  }
}

class Session {
 public:
  explicit Session(const Arguments& args) : args_(args) {}

  Status Open() {
    ASSIGN_OR_RETURN(om_, OmFile::Map(args_.om));
    ASSIGN_OR_RETURN(image_, om_->Image());
    ASSIGN_OR_RETURN(program_, ReadProgram(image_.program));
    ASSIGN_OR_RETURN(import_, ImportOptionsOf(args_.input_shape));
    TakeShapes(program_, import_);
    ASSIGN_OR_RETURN(original_, Import());
    ASSIGN_OR_RETURN(inputs_, MakeInputs(*original_, args_.inputs));
    return OkStatus();
  }

  Result<Comparison> Compare() const {
    return CompareModels(*original_, program_, image_.weights, inputs_);
  }

  /// Compiles anew and judges the outputs.
  Result<bool> IsRight(const Variant& variant) {
    ASSIGN_OR_RETURN(const auto graph, Import());
    PassOptions passes;
    passes.switches = variant.switches;
    RETURN_IF_ERROR(RunPasses(*graph, passes).status());
    ASSIGN_OR_RETURN(target::TargetSpec target, target::FindTarget(program_.soc_name));
    target.isa = kernels::IsaName(static_cast<kernels::Isa>(program_.isa));
    plan::PlanOptions options;
    options.use_kernels = variant.use_kernels;
    options.exact.all = variant.high_precision;
    ASSIGN_OR_RETURN(const plan::CompiledProgram compiled,
                     plan::PlanProgram(*graph, target, options));
    ASSIGN_OR_RETURN(const auto actual,
                     RunStepwise(compiled.program, compiled.weights, inputs_, {}));
    if (golden_.empty()) {
      ASSIGN_OR_RETURN(golden_, RunReference(*original_, inputs_));
    }
    for (size_t i = 0; i < actual.size(); ++i)
      if (!PrecisionError(compare::Compare(actual[i], golden_[i])).empty()) return false;
    return true;
  }

 private:
  Result<std::unique_ptr<Graph>> Import() const {
    std::vector<onnx::UnsupportedNode> unsupported;
    ASSIGN_OR_RETURN(auto imported, onnx::ImportOnnxFile(args_.model, import_, &unsupported));
    return std::move(imported.graph);
  }

  const Arguments& args_;
  std::optional<OmFile> om_;
  ProgramImage image_;
  Program program_;
  onnx::ImportOptions import_;
  std::unique_ptr<Graph> original_;
  std::vector<Tensor> inputs_, golden_;
};

void PrintRows(const Comparison& comparison) {
  std::printf("%-5s %-34s %-14s %-10s %-12s %s\n", "Index", "Node", "Type", "Cosine", "Max error",
              "Verdict");
  size_t compared = 0, printed = 0;
  for (size_t i = 0; i < comparison.rows.size(); ++i) {
    const Row& row = comparison.rows[i];
    compared += row.reason.empty();
    const bool shown = row.is_model_output || (!row.error.empty() && printed < kPrintedRows);
    if (!shown) continue;
    ++printed;
    std::printf(
        "%-5zu %-34s %-14s %-10.6f %-12.3e %s\n", i,
        (row.is_model_output ? "output " + row.golden : row.task).c_str(), row.op_type.c_str(),
        row.metrics.cosine_similarity, row.metrics.max_absolute_error,
        row.error.empty() ? (row.reason.empty() ? "ok" : row.reason.c_str()) : row.error.c_str());
  }
  std::printf("%zu of %zu results were compared.\n", compared, comparison.rows.size());
}

Status WriteResult(const std::string& folder, const Comparison& comparison) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &local);
  const std::string path = StrCat(folder, "/result_", stamp, ".csv");
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(ResultCsv(comparison)));
  RETURN_IF_ERROR(file.Commit());
  std::printf("Result written to %s\n", path.c_str());
  return OkStatus();
}

std::vector<std::string> OptionalPasses() {
  std::vector<std::string> names;
  for (const PassDef& pass : AllPasses())
    if (pass.level != PassLevel::kRequired) names.emplace_back(pass.name);
  return names;
}

/// 0: the models agree; 2: they do not.
Result<int> Run(const Arguments& args) {
  Session session(args);
  RETURN_IF_ERROR(session.Open());
  ASSIGN_OR_RETURN(const Comparison comparison, session.Compare());
  PrintRows(comparison);
  if (!args.output.empty()) RETURN_IF_ERROR(WriteResult(args.output, comparison));
  if (comparison.outputs_agree) {
    std::printf("The models agree.\n");
    return 0;
  }
  if (comparison.first_bad) {
    const Row& row = comparison.rows[*comparison.first_bad];
    std::printf("First wrong node: %s (%s, kernel %s), compared with %s: %s\n", row.task.c_str(),
                row.op_type.c_str(), row.kernel.c_str(), row.golden.c_str(), row.error.c_str());
  }
  if (!args.bisect) return 2;
  ASSIGN_OR_RETURN(const Culprit culprit,
                   FindCulprit(OptionalPasses(),
                               [&](const Variant& variant) { return session.IsRight(variant); }));
  std::printf("Culprit: %s\n", culprit.text.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares a compiled model with its original, node by node.", "cairn-compare");
  Arguments args;
  app.add_option("--model", args.model, "original model (.onnx)")->required();
  app.add_option("--om", args.om, "compiled model (.om)")->required();
  app.add_option("--input", args.inputs, "one .npy or raw file per input; default: random in [0,1)")
      ->delimiter(',');
  app.add_option("--input-shape", args.input_shape, "shapes of dynamic inputs: x:1,3,224,224;y:2");
  app.add_option("--output", args.output, "folder for result_<time>.csv");
  app.add_flag("!--no-bisect", args.bisect, "do not look for the pass or kernel at fault");
  app.footer("Exit status: 0 when the models agree, 2 when they do not, 1 on an error.");
  CLI11_PARSE(app, argc, argv);
  const auto result = Run(args);
  if (result.ok()) return *result;
  std::fprintf(stderr, "cairn-compare: %s\n", result.status().message().c_str());
  return 1;
}
