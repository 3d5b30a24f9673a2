// SPDX-License-Identifier: Apache-2.0
// The table of options; one entry holds everything that parser, help, documentation and checks
// need.
#include "option.h"

#include <algorithm>
#include <iterator>

namespace cairn::atc {
namespace {

constexpr auto kString = OptionType::kString;
constexpr auto kBool = OptionType::kBool;
constexpr auto kInt32 = OptionType::kInt32;
constexpr auto kReal = Conduct::kReal;
constexpr auto kNoted = Conduct::kNoted;
constexpr auto kUnsupported = Conduct::kUnsupported;
constexpr uint32_t kBuild = kModeCompile | kModePreCheck;

constexpr std::string_view kNpuTuning = "it tunes hardware that a CPU target does not have";

constexpr Option kOptions[] = {
    // Basic: general.
    {"help", kBool, "false", "", "", kModeAny, Section::kGeneral, kReal, "", "", "",
     "Show this text. Also -h and --h."},
    {"mode", kInt32, "0", "0,1,3,5,6,7,30", "E10001", kModeAny, Section::kGeneral, kUnsupported,
     "0,1,3,5,6", "packages of the kinds .om2 (7) and nano (30), which only their devices read",
     "0|1|3|5|6|7|30",
     "0: compile a model to .om; 1: offline model to JSON; 3: pre-check; 5: text dump to JSON; "
     "6: show the summary of an offline model; 7: .om2 package; 30: nano."},
    {"model", kString, "", "", "", kBuild, Section::kInput, kReal, "", "", "<path>",
     "The model file to compile (.onnx)."},
    {"weight", kString, "", "", "", kBuild, Section::kInput, kNoted, "",
     "only Caffe keeps weights in a file of their own", "<path>", "Weight file of a Caffe model."},
    {"om", kString, "", "", "", kModeToJson | kModeTextToJson | kModeDisplay, Section::kInput,
     kReal, "", "", "<path>",
     "The offline model for modes 1 and 6, the text dump for mode 5, the original model for mode 1 "
     "with --framework."},
    {"framework", kInt32, "-1", "0,1,3,5", "E10007", kModeAny, Section::kInput, kUnsupported, "5",
     "Caffe (0), MindSpore (1) and TensorFlow (3) models", "0|1|3|5",
     "Kind of the model file. 0: Caffe; 1: MindSpore; 3: TensorFlow; 5: ONNX."},
    {"input_format", kString, "", "", "", kBuild, Section::kInput, kNoted, "",
     "layouts are chosen per operator; only the format that the file records for 4-D inputs and "
     "outputs follows it",
     "NCHW|NCDHW|ND", "Meaning of the axes of the model inputs. ONNX: NCHW (default), NCDHW, ND."},
    {"input_shape", kString, "", "", "", kBuild, Section::kInput, kReal, "", "",
     "\"name:d0,d1,...;name2:...\"",
     "Shapes of the model inputs. `name:` gives a scalar; -1 and lo~hi mark dynamic dimensions."},
    {"input_shape_range", kString, "", "", "", kBuild, Section::kInput, kReal, "",
     "", "\"name:[1~8,3,-1];...\"", "Ranges of dynamic input shapes (deprecated)."},
    {"input_hint_shape", kString, "", "", "", kBuild, Section::kInput, kReal, "",
     "", "\"index:[n,c,h,w];...\"", "Likely shapes of dynamic inputs, by input index."},
    {"dynamic_batch_size", kString, "", "", "", kBuild, Section::kInput, kReal, "",
     "", "\"1,2,4,8\"", "Batch profiles; dimension 0 of the inputs is -1."},
    {"dynamic_image_size", kString, "", "", "", kBuild, Section::kInput, kReal, "",
     "", "\"h1,w1;h2,w2\"", "Image size profiles; height and width of the input are -1."},
    {"dynamic_dims", kString, "", "", "", kBuild, Section::kInput, kReal, "", "",
     "\"a,b;c,d\"", "Profiles of all dimensions that are -1, in the order of the inputs."},
    {"singleop", kString, "", "", "", kModeCompile, Section::kInput, kReal, "", "", "<path>",
     "JSON list of single operators to compile."},
    // Basic: output.
    {"output", kString, "", "", "", kBuild, Section::kOutput, kReal, "", "", "<path>",
     "The file to write, without the suffix .om."},
    {"output_type", kString, "", "", "", kBuild, Section::kOutput, kReal, "", "",
     "FP32|FP16|... or \"node:index:TYPE;...\"", "Element type of all outputs or of single ones."},
    {"check_report", kString, "", "", "", kBuild, Section::kOutput, kReal, "", "", "<path>",
     "Place of the report of mode 3, and of mode 0 when it meets operators it cannot compile; "
     "default: check_result.json in ASCEND_WORK_PATH or here."},
    {"json", kString, "", "", "", kModeToJson | kModeTextToJson, Section::kOutput, kReal, "", "",
     "<path>", "The JSON file that mode 1 writes."},
    {"host_env_os", kString, "", "", "", kBuild, Section::kOutput, kNoted, "",
     "the offline model holds no code for a host system", "linux",
     "System that will run the model."},
    {"host_env_cpu", kString, "", "", "", kBuild, Section::kOutput, kNoted, "",
     "--soc_version alone names the processor", "x86_64|aarch64", "Processor of that system."},
    // Basic: target.
    {"soc_version", kString, "", "", "", kBuild, Section::kTarget, kReal, "", "", "<name>",
     "The device to compile for, as `npu-smi info` shows it: a CPU target (Cairn-x86-64-v3, "
     "Cairn-x86-64-v4, Cairn-armv8.2, native) or a public Ascend name."},
    {"aicore_num", kString, "", "", "", kBuild, Section::kTarget, kReal, "", "", "<cores>",
     "Number of cores to plan for; default: what the target or this machine has."},
    {"core_type", kString, "AiCore", "AiCore,VectorCore", "E10001", kBuild, Section::kTarget,
     kNoted, "", "a CPU has one kind of core", "AiCore|VectorCore",
     "Kind of core that runs the model."},
    {"virtual_type", kInt32, "0", "0,1", "E10006", kBuild, Section::kTarget, kNoted, "",
     "a plan runs on any number of cores", "0|1", "Model for virtual devices of several sizes."},
    // Advanced: feature.
    {"out_nodes", kString, "", "", "", kBuild, Section::kFeature, kReal, "", "",
     "\"node:0;node2:1\" or \"name;name2\"",
     "Outputs of the compiled model: node names with output index, or value names."},
    {"input_fp16_nodes", kString, "", "", "", kBuild, Section::kFeature, kReal, "", "",
     "\"name;name2\"", "Inputs that are given as float16."},
    {"is_input_adjust_hw_layout", kString, "", "", "", kBuild, Section::kFeature, kReal, "", "",
     "\"true,false,...\"", "Inputs of --input_fp16_nodes that are NC1HWC0."},
    {"is_output_adjust_hw_layout", kString, "", "", "", kBuild, Section::kFeature, kReal, "", "",
     "\"true,false,...\"", "Outputs of --out_nodes that are float16 NC1HWC0."},
    {"insert_op_conf", kString, "", "", "", kBuild, Section::kFeature, kReal, "", "",
     "<path>", "Image pre-processing (AIPP): its configuration file."},
    {"external_weight", kInt32, "0", "0,1,2", "E10006", kBuild, Section::kFeature, kReal, "", "",
     "0|1|2", "0: weights inside the .om; 1: one file per weight; 2: all weights in one file."},
    {"op_name_map", kString, "", "", "", kBuild, Section::kFeature, kNoted, "",
     "only Caffe models have custom layer names", "<path>", "Map of Caffe layer types."},
    {"save_original_model", kBool, "false", "", "", kBuild, Section::kFeature, kReal, "", "",
     "true|false", "Also write the graph as it was read to <output>_original.om."},
    // Advanced: model tuning.
    {"fusion_switch_file", kString, "", "", "", kBuild, Section::kModelTuning, kReal, "", "",
     "<path>", "Passes to switch on or off, one `Name:on` or `Name:off` per line, or JSON."},
    {"optimization_switch", kString, "", "", "", kBuild, Section::kModelTuning, kReal, "", "",
     "\"Name:off;Name2:on\"", "The same inline; wins over the file."},
    {"oo_level", kString, "O3", "O0,O1,O3", "E10001", kBuild, Section::kModelTuning, kReal, "", "",
     "O0|O1|O3",
     "O0: no optional pass (extension); O1: only shape inference, folding, dead code; O3: all."},
    {"oo_constant_folding", kBool, "true", "", "", kBuild, Section::kModelTuning, kReal, "", "",
     "true|false", "Fold constant subgraphs."},
    {"oo_dead_code_elimination", kBool, "true", "", "", kBuild, Section::kModelTuning, kReal, "",
     "", "true|false", "Remove nodes whose results are not used."},
    {"tune", kString, "", "off,on", "E10001", kBuild, Section::kModelTuning, kReal, "", "",
     "off|on",
     "Extension. off: choose kernels by the cost model; on: measure the candidates once and keep "
     "the results in the bank. Default: on when the target is this machine."},
    {"weight_budget", kString, "2.5", "", "", kBuild, Section::kModelTuning, kReal, "", "",
     "<factor>",
     "Extension. Limit of packed weights as a multiple of the constants; 1.0 is small."},
    {"op_bank_path", kString, "", "", "", kBuild, Section::kModelTuning, kReal, "", "", "<folder>",
     "Folder of the tuning bank; default: TUNE_BANK_PATH, then the user's cache folder."},
    {"mdl_bank_path", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "", kNpuTuning,
     "<folder>", "Bank of subgraph tuning."},
    {"buffer_optimize", kString, "l2_optimize", "l1_optimize,l2_optimize,off_optimize", "E10001",
     kBuild, Section::kModelTuning, kNoted, "", "caches of a CPU are not managed by the program",
     "l1_optimize|l2_optimize|off_optimize", "Use of on-chip buffers."},
    {"disable_reuse_memory", kInt32, "0", "0,1", "E10006", kBuild, Section::kModelTuning, kReal, "",
     "", "0|1", "1: no two tensors share memory."},
    {"enable_single_stream", kBool, "false", "", "", kBuild, Section::kModelTuning, kNoted, "",
     "a CPU plan is one ordered task list", "true|false", "Use one stream only."},
    {"multi_stream_parallel_mode", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "",
     "a CPU plan is one ordered task list", "cv|LoadBalance:N|MainStream:N",
     "Distribution over streams."},
    {"topo_sorting_mode", kInt32, "1", "0,1,2,3", "E10001", kBuild, Section::kModelTuning, kNoted,
     "", "the order is chosen by the memory plan", "0|1|2|3",
     "Order of nodes. 0: breadth first; 1: depth first; 2: reverse depth first; 3: stable."},
    {"enable_small_channel", kInt32, "0", "0,1", "E10006", kBuild, Section::kModelTuning, kNoted,
     "", "convolutions of few input channels always take their own kernel", "0|1",
     "Special path for convolutions with up to four channels."},
    {"enable_compress_weight", kBool, "false", "", "", kBuild, Section::kModelTuning, kNoted, "",
     kNpuTuning, "true|false", "Compress weights for the hardware decompressor."},
    {"compress_weight_conf", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "",
     kNpuTuning, "<path>", "Nodes whose weights are compressed."},
    {"compression_optimize_conf", kString, "", "", "", kBuild, Section::kModelTuning, kReal, "", "",
     "<path>",
     "Quantisation calibration by an external tool; an error while that is not installed."},
    {"enable_attr_compression", kBool, "true", "", "", kBuild, Section::kModelTuning, kNoted, "",
     "attribute names are written in full, which every reader understands", "true|false",
     "Dictionary of attribute names in the offline model."},
    {"enable_scope_fusion_passes", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "",
     "only TensorFlow models have scopes", "\"Pass,Pass2\"", "Scope fusion passes."},
    {"ac_parallel_enable", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "",
     kNpuTuning, "0|1", "Parallel AI CPU and AI Core execution."},
    {"tiling_schedule_optimize", kInt32, "0", "0,1", "E10001", kBuild, Section::kModelTuning,
     kNoted, "", kNpuTuning, "0|1", "Tiling on the device."},
    {"h2d_overlapped_with_compute", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "",
     kNpuTuning, "0|1", "Overlap copies with computation."},
    {"sparsity", kInt32, "0", "0,1", "E10006", kBuild, Section::kModelTuning, kNoted, "",
     kNpuTuning, "0|1", "Structured sparsity of weights."},
    {"quant_dumpable", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "", kNpuTuning,
     "0|1", "Keep quantised tensors visible to dumps."},
    {"cluster_config", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "", kNpuTuning,
     "<path>", "Description of a cluster."},
    {"hccl_sub_comm_config", kString, "", "", "", kBuild, Section::kModelTuning, kNoted, "",
     kNpuTuning, "<path>", "Communication groups of a cluster."},
    {"raw_ge_options", kString, "", "", "", kBuild, Section::kModelTuning, kReal, "", "", "<path>",
     "Compile options in a JSON file."},
    {"raw_ge_options_ignore_unsupported", kBool, "false", "", "", kBuild, Section::kModelTuning,
     kReal, "", "", "true|false", "Skip unknown options of --raw_ge_options."},
    // Advanced: operator tuning.
    {"precision_mode", kString, "",
     "force_fp16,force_fp32,cube_fp16in_fp32out,allow_fp32_to_fp16,must_keep_origin_dtype,"
     "allow_mix_precision,allow_mix_precision_fp16,allow_mix_precision_bf16,allow_fp32_to_bf16",
     "E10001", kBuild, Section::kOperatorTuning, kReal, "", "", "<mode>",
     "Element types of the network; see Precision. Modes: force_fp16, force_fp32, "
     "cube_fp16in_fp32out, allow_fp32_to_fp16, must_keep_origin_dtype (default), "
     "allow_mix_precision, allow_mix_precision_fp16, allow_mix_precision_bf16, "
     "allow_fp32_to_bf16."},
    {"precision_mode_v2", kString, "",
     "fp16,origin,cube_fp16in_fp32out,mixed_float16,mixed_bfloat16,mixed_hif8,cube_hif8", "E10001",
     kBuild, Section::kOperatorTuning, kNoted,
     "fp16,origin,cube_fp16in_fp32out,mixed_float16,mixed_bfloat16",
     "HiFloat8 is a type of one device; the model keeps its own types", "<mode>",
     "The same with newer names: fp16, origin, cube_fp16in_fp32out, mixed_float16, mixed_bfloat16, "
     "mixed_hif8, cube_hif8."},
    {"modify_mixlist", kString, "", "", "", kBuild, Section::kOperatorTuning, kReal, "", "",
     "<path>", "Changes of the mixed precision lists."},
    {"keep_dtype", kString, "", "", "", kBuild, Section::kOperatorTuning, kReal, "", "", "<path>",
     "Operators that keep their element type."},
    {"customize_dtypes", kString, "", "", "", kBuild, Section::kOperatorTuning, kReal, "", "",
     "<path>", "Element types of single operators."},
    {"op_precision_mode", kString, "", "", "", kBuild, Section::kOperatorTuning, kReal, "", "",
     "<path>", "Kernel variant per operator type or node."},
    {"op_select_implmode", kString, "",
     "high_performance,high_precision,high_performance_for_all,high_precision_for_all", "E10001",
     kBuild, Section::kOperatorTuning, kReal, "", "", "high_performance|high_precision|..._for_all",
     "high_precision: no convolution by Winograd's F(4,3), whose rounding errors are larger."},
    {"optypelist_for_implmode", kString, "", "", "", kBuild, Section::kOperatorTuning, kReal, "",
     "", "\"Type,Type2\"", "Operator types to which --op_select_implmode applies."},
    {"is_weight_clip", kString, "1", "0,1", "E10006", kBuild, Section::kOperatorTuning, kReal, "",
     "", "0|1", "Keep weights finite when their type is lowered."},
    {"allow_hf32", kString, "", "", "", kBuild, Section::kOperatorTuning, kNoted, "", kNpuTuning,
     "true|false", "HF32 arithmetic."},
    {"jit_compile", kString, "1", "0,1,2", "E10001", kBuild, Section::kOperatorTuning, kNoted, "",
     "kernels are part of the runtime and never compiled per model", "0|1|2",
     "Compile operators or use prebuilt ones."},
    {"static_model_ops_lower_limit", kInt32, "4", "", "", kBuild, Section::kOperatorTuning, kNoted,
     "", "a model is planned as a whole", "<count>", "Smallest static part of a dynamic model."},
    // Advanced: debug.
    {"log", kString, "null", "null,debug,info,warning,error", "E10010", kModeAny, Section::kDebug,
     kReal, "", "", "null|debug|info|warning|error",
     "Level of the log file. At info and debug the stages are summarised on the console too."},
    {"report", kString, "", "", "", kModeCompile, Section::kDebug, kReal, "", "",
     "<file>.html|<file>.json",
     "Extension. Write what the passes did, the layout conversions with their reasons, the candidates "
     "and the choice for every node, and the memory plan."},
    {"display_model_info", kInt32, "0", "0,1", "E10006", kModeCompile, Section::kDebug, kReal, "",
     "", "0|1", "Show the summary of mode 6 after compiling."},
    {"dump_mode", kInt32, "0", "0,1", "E10006", kModeToJson, Section::kDebug, kReal, "", "", "0|1",
     "With --mode=1 --framework: infer shapes and write them in the form of an offline model."},
    {"op_debug_level", kInt32, "0", "0,1,2,3,4", "E10001", kBuild, Section::kDebug, kNoted, "",
     "no kernel is compiled, so there are no intermediate files", "0..4",
     "Keep intermediate files of kernels."},
    {"debug_dir", kString, "", "", "", kBuild, Section::kDebug, kNoted, "",
     "no kernel is compiled, so there are no intermediate files", "<folder>",
     "Place of these files."},
    {"op_compiler_cache_mode", kString, "disable", "disable,enable,force", "E10001", kBuild,
     Section::kDebug, kNoted, "", "no kernel is compiled, so nothing is cached",
     "disable|enable|force", "Cache of compiled kernels."},
    {"op_compiler_cache_dir", kString, "", "", "", kBuild, Section::kDebug, kNoted, "",
     "no kernel is compiled, so nothing is cached", "<folder>", "Place of that cache."},
    {"op_debug_config", kString, "", "", "", kBuild, Section::kDebug, kNoted, "",
     "kernels are part of the runtime and check their operands when a model is loaded", "<path>",
     "Debug switches of kernels."},
    {"status_check", kInt32, "0", "0,1", "E10006", kBuild, Section::kDebug, kNoted, "",
     "overflow gives infinity, as IEEE 754 says, and stops nothing", "0|1",
     "Insert overflow checks."},
    {"deterministic", kInt32, "0", "0,1", "E10006", kBuild, Section::kDebug, kNoted, "",
     "results never depend on threads or on the run", "0|1", "Bit-reproducible execution."},
    {"deterministic_level", kInt32, "0", "0,1,2,3", "E10001", kBuild, Section::kDebug, kNoted, "",
     "results never depend on threads or on the run", "0..3", "Strength of reproducibility."},
    {"atomic_clean_policy", kInt32, "0", "0,1", "E10006", kBuild, Section::kDebug, kNoted, "",
     "no kernel needs cleared memory", "0|1", "How memory for atomic operations is cleared."},
    {"export_compile_stat", kInt32, "1", "0,1,2", "E10001", kBuild, Section::kDebug, kReal, "", "",
     "0|1|2",
     "1, 2: write the number of changes of each pass to fusion_result.json; without this option "
     "only with --fusion_switch_file. 0: never."},
    {"shape_generalized_build_mode", kString, "shape_precise", "shape_precise,shape_generalized",
     "E10001", kBuild, Section::kDebug, kNoted, "", "kernels are not compiled for one shape",
     "shape_precise|shape_generalized", "Deprecated."},
    // Understood for old command lines.
    {"auto_tune_mode", kString, "", "", "", kBuild, Section::kLegacy, kReal, "", "", "", ""},
    {"cal_conf", kString, "", "", "", kBuild, Section::kLegacy, kNoted, "", "it is obsolete", "",
     ""},
    {"target", kString, "", "", "", kBuild, Section::kLegacy, kNoted, "", "it is obsolete", "", ""},
    {"device_id", kString, "0", "", "", kBuild, Section::kLegacy, kNoted, "", "it is obsolete", "",
     ""},
};

}  // namespace

std::span<const Option> Options() { return kOptions; }

const Option* FindOption(std::string_view name) {
  const auto found = std::ranges::find(kOptions, name, &Option::name);
  return found == std::end(kOptions) ? nullptr : &*found;
}

std::vector<std::string_view> SplitList(std::string_view list) {
  std::vector<std::string_view> items;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    items.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return items;
}

bool ListHas(std::string_view list, std::string_view value) {
  const auto items = SplitList(list);
  return std::ranges::find(items, value) != items.end();
}

}  // namespace cairn::atc
