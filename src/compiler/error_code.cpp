// SPDX-License-Identifier: Apache-2.0
// The table of public error codes, in our own words; codes, titles and arguments are the public
// ones.
#include "compiler/error_code.h"

#include <algorithm>
#include <iterator>

namespace cairn {
namespace {

constexpr std::string_view kArgument = "Invalid_Argument";
constexpr std::string_view kInputShape = "Invalid_Argument_Tensor_Input_Shape";
constexpr std::string_view kDynamicShape = "Invalid_Argument_Tensor_Dynamic_Shape";
constexpr std::string_view kOnnxData = "Invalid_Argument_ONNX_Model_Data";

constexpr ErrorCode kCodes[] = {
    {"E10001", kArgument, "Value [{value}] of parameter [{parameter}] is invalid. Reason: {reason}",
     "", "Correct the value and run the command again."},
    {"E10002", kInputShape,
     "Value [{shape}] of parameter [--input_shape] is invalid. Reason: {reason}. "
     "It must have the form [{sample}]",
     "", "Correct --input_shape; quote it so that the shell keeps the semicolons."},
    {"E10003", kArgument, "Value [{value}] of parameter [{parameter}] is invalid. Reason: {reason}",
     "", "Correct the value and run the command again."},
    {"E10004", kArgument, "Parameter [--{parameter}] has no value",
     "The option was left out or its value is an empty text.", "Give the option a value."},
    {"E10005", kArgument,
     "Value [{value}] of parameter [--{parameter}] is invalid: it must be true or false", "", ""},
    {"E10006", kArgument,
     "Value [{value}] of parameter [--{parameter}] is invalid: it must be 1 or 0", "", ""},
    {"E10007", kArgument,
     "Parameter [--{parameter}] is missing or not a known value; valid values: [{support}]", "",
     "Give --framework=5 for an ONNX model."},
    {"E10008", kArgument, "Parameter [--weight] is required when --framework is 0 (Caffe)", "", ""},
    {"E10009", kDynamicShape,
     "The options --dynamic_batch_size, --dynamic_image_size, --dynamic_dims and "
     "--input_shape_range exclude one another",
     "More than one of them was given.", "Keep the one that fits the model."},
    {"E10010", kArgument,
     "Value [{loglevel}] of parameter [--log] is invalid: it must be null, debug, info, warning or "
     "error",
     "", ""},
    {"E10011", kInputShape, "Shape [{shape}] of parameter [--input_shape] is invalid: {result}", "",
     "Every dimension of a static shape must be greater than 0."},
    {"E10012", kInputShape,
     "--dynamic_batch_size needs inputs of rank 1 or more, but an input of rank 0 was given", "",
     ""},
    {"E10013", kArgument, "Value [{value}] of parameter [{parameter}] is out of range", "", ""},
    {"E10014", kArgument, "Value [{value}] of parameter [{parameter}] is not a number", "",
     "Write digits; check that the shell replaced its variables."},
    {"E10016", "Invalid_Argument_Operator_Name",
     "Name [{opname}] in parameter [{parameter}] is not part of the model", "",
     "Names are case-sensitive; use the names listed in this report."},
    {"E10017", kArgument, "Name [{opname}] in parameter [{parameter}] is not an input of the model",
     "", "Use the input names listed in this report."},
    {"E10018", kDynamicShape,
     "Shape [{shape}] has -1 at index {index}; with --dynamic_batch_size only dimension 0 may be "
     "-1",
     "", "Put -1 at dimension 0 only, or use --dynamic_dims."},
    {"E10019", kInputShape,
     "With --dynamic_image_size exactly height and width of the 4-D image input must be -1", "",
     "Write for example --input_shape=\"data:1,3,-1,-1\"."},
    {"E10020", kArgument,
     "Value [{dynamic_image_size}] of parameter [--dynamic_image_size] is invalid: every group "
     "must "
     "be a pair height,width",
     "", "Write for example \"416,416;832,832\"."},
    {"E10021", kArgument, "The path of parameter [--{parameter}] is longer than {size} characters",
     "", ""},
    {"E10022", kArgument, "Path [{filename}] of parameter [--{parameter}] has no file name", "",
     "End the path with the name of the file to write."},
    {"E10023", kArgument, "Path [{value}] of parameter [--singleop] is invalid: {reason}", "", ""},
    {"E10025", kArgument, "File [{realpath}] of parameter [--singleop] is invalid: {errmsg}", "",
     "Write a JSON list of operators."},
    {"E10026", kArgument, "Operator {index} of parameter [--singleop] has no type", "",
     "Give every operator its type as \"op\"."},
    {"E10027", kArgument, "{tensor} of operator [{op_name}] is invalid: {reason}", "", ""},
    {"E10029", kArgument, "An attribute of operator [{op_name}] has no name", "", ""},
    {"E10030", kArgument,
     "The value of attribute [{attr_name}] of operator [{op_name}] does not fit its type", "", ""},
    {"E10031", kInputShape,
     "--dynamic_batch_size was given, but no input has -1 at dimension 0 of --input_shape", "",
     "Write for example --input_shape=\"data:-1,3,224,224\"."},
    {"E10032", "File_Operation_Error_Parse", "File [{file_name}] is not valid JSON: {reason}", "",
     ""},
    {"E10034", kArgument, "Input [{opname}] is named in --input_fp16_nodes and has AIPP", "", ""},
    {"E10035", kDynamicShape, "{count} profile was given; at least {limit} are needed", "",
     "Give the shape with --input_shape alone when there is only one."},
    {"E10036", kDynamicShape, "{count} profiles were given; at most {limit} are possible", "", ""},
    {"E10037", kDynamicShape, "The profiles [{value}] do not all have the same number of values",
     "", ""},
    {"E10038", kDynamicShape, "A value of the profiles [{value}] is not greater than 0", "", ""},
    {"E10039", kDynamicShape, "The profiles [{value}] contain the same profile twice", "", ""},
    {"E10040", kInputShape,
     "Profiles were given, but --input_shape has no -1 or contains a range (~)", "",
     "Write -1 for every dimension that the profiles set."},
    {"E10041", "Invalid_Argument_Model", "The model of parameter [--{parameter}] cannot be loaded",
     "The file is damaged, cut short, or of another kind.", ""},
    {"E10045", kDynamicShape,
     "--input_shape has {count} dimensions of -1, but a profile has {values} values", "", ""},
    {"E10046", kDynamicShape,
     "A profile has {values} values, but --input_shape has {count} dimensions of -1", "", ""},
    {"E10047", kArgument, "Parameters [--{parameter0}] and [--{parameter1}] exclude each other", "",
     "Remove one of them."},
    {"E10048", kArgument,
     "Value [{shape_range}] of parameter [--input_shape_range] is invalid. Reason: {reason}. It "
     "must "
     "have the form [{sample}]",
     "", ""},
    {"E10049", kInputShape,
     "Input [{name}] has rank {rank} in the model but [{shape}] in --input_shape", "", ""},
    {"E10052", kArgument, "The AIPP configuration is invalid: {reason}", "", ""},
    {"E10054", kArgument, "Required parameter [{parameter}] has no value", "",
     "Give the option; `atc --help` lists the required ones."},
    {"E10055", "Not_Supported", "Not supported: {reason}", "", ""},
    {"E10056", kArgument, "Parameters [--{parameter0}] and [--{parameter1}] exclude each other", "",
     "Remove one of them."},
    {"E10057", kArgument, "Parameters [{parameter0}] and [{parameter1}] do not go together", "",
     ""},
    {"E10058", kArgument, "Parameter [--{parameter}] is given but empty", "", ""},
    {"E10059", kArgument, "Stage [{stage}] failed: {reason}", "", ""},
    {"E10410", "File_Operation_Error_File_Not_Exist",
     "Configuration file [{cfgpath}] does not exist", "", ""},
    {"E10501", "Not_Supported_Operator", "Operator [{opname}] of type [{optype}] is not supported",
     "", ""},
    {"E11016", kArgument, "Node [{opname}] of parameter [--out_nodes] has no output {index}", "",
     ""},
    {"E13000", "File_Operation_Error_Invalid_Path", "Path [{patherr}] is invalid: {errmsg}", "",
     ""},
    {"E13001", "File_Operation_Error_Open", "File [{file}] cannot be opened: {errmsg}", "", ""},
    {"E13002", "File_Operation_Error_Path_Too_Long",
     "Path [{filepath}] is longer than {size} characters", "", ""},
    {"E13003", "File_Operation_Error_Read", "File [{file}] cannot be read: {errmsg}", "", ""},
    {"E13004", "File_Operation_Error_Write", "File [{file}] cannot be written: {errmsg}",
     "The disk is full, a file size limit was reached, or the folder is not writable.", ""},
    {"E13005", "File_Operation_Error_Parse", "File [{file}] cannot be parsed: {errmsg}",
     "The file is damaged, cut short, or of another kind.", ""},
    {"E13014", kArgument,
     "Value [{value}] of parameter [{parameter}] is invalid for operator [{opname}]: {reason}", "",
     ""},
    {"E13018", "File_Operation_Error_Parse", "File [{file}] cannot be parsed as text: {errmsg}", "",
     "Compare it with docs/aipp.md."},
    {"E13026", "File_Operation_Error_Invalid_Path", "Path [{pathname}] is invalid: {reason}", "",
     "Check the path and its permissions."},
    {"E16001", kOnnxData, "The ONNX model is invalid: {value}", "",
     "Check the model with its exporter or the ONNX checker."},
    {"E16002", kOnnxData, "No parser is registered for operator type [{optype}]",
     "The model contains operators that are not supported in this version.",
     "Replace or remove the listed operators, or export the model with another opset."},
    {"E16004", kOnnxData, "The ONNX model has no graph", "", ""},
    {"E16005", kOnnxData,
     "The model imports {domain_version_num} operator sets and has nodes without a domain", "", ""},
    {"E19999", "Inner_Error", "{message}", "", ""},
    {"E20003", "Config_Error_Invalid_Content",
     "File [{file}] given by --fusion_switch_file is invalid: {reason}", "",
     "Write one `PassName:on` or `PassName:off` per line, or the JSON form."},
    {"E21001", "File_Operation_Error_Open", "File [{file}] cannot be opened: {reason}", "", ""},
};

}  // namespace

std::span<const ErrorCode> ErrorCodes() { return kCodes; }

const ErrorCode* FindErrorCode(std::string_view code) {
  const auto found = std::ranges::find(kCodes, code, &ErrorCode::code);
  return found == std::end(kCodes) ? nullptr : &*found;
}

std::string FormatError(const ErrorCode& code, ErrorArguments arguments) {
  std::string text;
  std::string_view rest = code.text;
  while (true) {
    const size_t open = rest.find('{');
    text.append(rest.substr(0, open));
    if (open == std::string_view::npos) return text;
    const size_t close = rest.find('}', open);
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    for (const auto& [argument, value] : arguments) {
      if (argument == name) text.append(value);
    }
    rest.remove_prefix(close + 1);
  }
}

}  // namespace cairn
