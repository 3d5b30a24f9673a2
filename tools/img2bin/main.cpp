// SPDX-License-Identifier: Apache-2.0
// cairn-img2bin: pictures to the .bin file that msame feeds to a network.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/atomic_file.h"
#include "image/image.h"
#include "img2bin/aipp.h"
#include "img2bin/tensor.h"

namespace cairn::img2bin {
namespace {

struct Arguments {
  std::vector<std::string> pictures;
  std::string output = "input.bin";
  std::vector<int> size;
  int short_side = 0;
  std::vector<int> crop;
  bool keep_aspect = false;
  std::vector<float> mean, std_dev, scale;
  TensorSpec spec;
  std::string aipp;
  std::vector<int> pixel;
};

constexpr char kFooter[] = R"(
Order of work: --short-side or --size, then --crop, then (pixel - mean) / std or * scale.

Examples
  ImageNet networks exported by torch (mean and std of 0..255 pixels):
    cairn-img2bin cat.jpg --short-side 256 --crop 224 224 \
                  --mean 123.675 116.28 103.53 --std 58.395 57.12 57.375 -o input.bin
  YOLO with a letterbox:
    cairn-img2bin cat.jpg --size 640 640 --keep-aspect --scale 0.003921568627 -o input.bin
  Raw bytes for a model with image preprocessing inside:
    cairn-img2bin cat.jpg --size 224 224 --layout NHWC --dtype u8 -o input.bin)";

void DeclareOptions(CLI::App& app, Arguments& args) {
  const std::map<std::string, Layout> layouts{{"NCHW", Layout::kNchw}, {"NHWC", Layout::kNhwc}};
  const std::map<std::string, Color> colors{
      {"RGB", Color::kRgb}, {"BGR", Color::kBgr}, {"GRAY", Color::kGray}};
  const std::map<std::string, Type> types{{"f32", Type::kF32}, {"u8", Type::kU8}};
  app.add_option("pictures", args.pictures,
                 "JPEG, PNG, PGM or PPM files; several make a batch in this order")
      ->required();
  app.add_option("-o,--output", args.output, "file to write")->capture_default_str();
  app.add_option("--size", args.size, "scale to this size")->expected(2)->type_name("W H");
  app.add_flag("--keep-aspect", args.keep_aspect,
               "with --size: scale to fit and fill the rest with grey (114)");
  app.add_option("--short-side", args.short_side, "scale so that the short side has N pixels")
      ->type_name("N");
  app.add_option("--crop", args.crop, "cut this size from the centre")
      ->expected(2)
      ->type_name("W H");
  app.add_option("--color", args.spec.color, "order of the channels: RGB, BGR or GRAY [RGB]")
      ->transform(CLI::CheckedTransformer(colors, CLI::ignore_case).description(""));
  app.add_option("--layout", args.spec.layout, "NCHW or NHWC [NCHW]")
      ->transform(CLI::CheckedTransformer(layouts, CLI::ignore_case).description(""));
  app.add_option("--dtype", args.spec.type, "element type: f32 or u8 [f32]")
      ->transform(CLI::CheckedTransformer(types, CLI::ignore_case).description(""));
  app.add_option("--mean", args.mean,
                 "subtracted from the 0..255 pixels, one value or one a channel")
      ->expected(1, 3);
  app.add_option("--aipp", args.aipp,
                 "write the bytes that a model converted with this --insert_op_conf file takes, and "
                 "show one pixel's way through its pre-processing")
      ->type_name("FILE");
  app.add_option("--pixel", args.pixel, "with --aipp: the pixel to show [the centre]")
      ->expected(2)
      ->type_name("X Y");
  auto* scale =
      app.add_option("--scale", args.scale, "factor after the mean, one value or one a channel")
          ->expected(1, 3);
  app.add_option("--std", args.std_dev, "divisor after the mean, one value or one a channel")
      ->expected(1, 3)
      ->excludes(scale);
}

/// One value for all channels, or one per channel.
Status Spread(const char* option, const std::vector<float>& values, std::array<float, 3>& out) {
  if (values.empty()) return OkStatus();
  if (values.size() == 2)
    return Status(Code::kInvalidArgument, StrCat(option, " has 2 values, expected 1 or 3"));
  for (size_t c = 0; c < 3; ++c) out[c] = values[values.size() == 1 ? 0 : c];
  return OkStatus();
}

Status CompleteSpec(const Arguments& args, TensorSpec& spec) {
  RETURN_IF_ERROR(Spread("--mean", args.mean, spec.mean));
  RETURN_IF_ERROR(Spread("--scale", args.scale, spec.scale));
  std::array<float, 3> divisor{1, 1, 1};
  RETURN_IF_ERROR(Spread("--std", args.std_dev, divisor));
  for (size_t c = 0; c < 3; ++c) {
    if (divisor[c] == 0) return Status(Code::kInvalidArgument, "--std must not contain 0");
    spec.scale[c] /= divisor[c];
  }
  const bool arithmetic = !args.mean.empty() || !args.scale.empty() || !args.std_dev.empty();
  if (arithmetic && spec.type == Type::kU8)
    return Status(Code::kInvalidArgument, "--mean, --std and --scale need --dtype f32");
  return OkStatus();
}

Status CheckSizes(const Arguments& args) {
  const auto valid = [](int side) { return side >= 1 && side <= image::kMaxSide; };
  for (const auto* sizes : {&args.size, &args.crop})
    if (!std::all_of(sizes->begin(), sizes->end(), valid))
      return Status(Code::kInvalidArgument, StrCat("sizes must lie in 1 to ", image::kMaxSide));
  if (args.short_side != 0 && !valid(args.short_side))
    return Status(Code::kInvalidArgument,
                  StrCat("--short-side is ", args.short_side, ", expected 1 to ", image::kMaxSide));
  if (args.short_side != 0 && !args.size.empty())
    return Status(Code::kInvalidArgument, "--short-side and --size exclude each other");
  if (args.keep_aspect && args.size.empty())
    return Status(Code::kInvalidArgument, "--keep-aspect needs --size");
  return OkStatus();
}

int Scaled(int side, double factor) {
  return std::max(1, static_cast<int>(std::lround(side * factor)));
}

/// Scales to fit into `width` x `height` and centres on grey.
image::Image Letterbox(const image::Image& picture, int width, int height) {
  const double factor = std::min(static_cast<double>(width) / picture.width,
                                 static_cast<double>(height) / picture.height);
  const image::Image inner =
      image::Resize(picture, Scaled(picture.width, factor), Scaled(picture.height, factor));
  return image::Crop(inner, -(width - inner.width) / 2, -(height - inner.height) / 2, width, height,
                     114);
}

image::Image Shape(image::Image picture, const Arguments& args) {
  if (args.short_side > 0) {
    const double factor =
        static_cast<double>(args.short_side) / std::min(picture.width, picture.height);
    picture = image::Resize(picture, Scaled(picture.width, factor), Scaled(picture.height, factor));
  } else if (!args.size.empty()) {
    picture = args.keep_aspect ? Letterbox(picture, args.size[0], args.size[1])
                               : image::Resize(picture, args.size[0], args.size[1]);
  }
  if (!args.crop.empty())
    picture = image::Crop(picture, (picture.width - args.crop[0]) / 2,
                          (picture.height - args.crop[1]) / 2, args.crop[0], args.crop[1]);
  return picture;
}

Status WriteFile(const std::string& path, const std::vector<uint8_t>& bytes) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  RETURN_IF_ERROR(file.Write(std::as_bytes(std::span(bytes))));
  return file.Commit();
}

/// Pictures in the format of a model with image pre-processing.
Status ConvertForAipp(const Arguments& args) {
  std::vector<uint8_t> batch;
  for (const std::string& path : args.pictures) {
    ASSIGN_OR_RETURN(image::Image picture, image::ReadImage(path));
    picture = Shape(std::move(picture), args);
    ASSIGN_OR_RETURN(const AippFrame frame, ReadAippFrame(args.aipp, picture));
    if (picture.width != frame.src_w || picture.height != frame.src_h)
      picture = image::Resize(picture, frame.src_w, frame.src_h);
    const std::vector<uint8_t> bytes = ToAippBytes(picture, frame);
    const int x = args.pixel.empty() ? frame.src_w / 2 : args.pixel[0];
    const int y = args.pixel.empty() ? frame.src_h / 2 : args.pixel[1];
    if (x < 0 || x >= frame.src_w || y < 0 || y >= frame.src_h)
      return Status(Code::kInvalidArgument, StrCat("--pixel ", x, " ", y, " is outside of ",
                                                   frame.src_w, " x ", frame.src_h));
    std::printf("%s: %s", path.c_str(), TracePixel(bytes, frame, x, y).c_str());
    batch.insert(batch.end(), bytes.begin(), bytes.end());
  }
  RETURN_IF_ERROR(WriteFile(args.output, batch));
  std::printf("%s: %zu bytes\n", args.output.c_str(), batch.size());
  return OkStatus();
}

Status Convert(Arguments& args) {
  RETURN_IF_ERROR(CheckSizes(args));
  if (!args.aipp.empty()) return ConvertForAipp(args);
  RETURN_IF_ERROR(CompleteSpec(args, args.spec));
  std::vector<uint8_t> batch;
  int width = 0, height = 0;
  for (const std::string& path : args.pictures) {
    ASSIGN_OR_RETURN(image::Image picture, image::ReadImage(path));
    picture = Shape(std::move(picture), args);
    if (!batch.empty() && (picture.width != width || picture.height != height))
      return Status(Code::kInvalidArgument, StrCat(path, ": ", picture.width, " x ", picture.height,
                                                   " pixels, the pictures before have ", width,
                                                   " x ", height, "; use --size or --crop"));
    width = picture.width;
    height = picture.height;
    const std::vector<uint8_t> tensor = ToTensor(picture, args.spec);
    batch.insert(batch.end(), tensor.begin(), tensor.end());
  }
  RETURN_IF_ERROR(WriteFile(args.output, batch));
  const int channels = args.spec.color == Color::kGray ? 1 : 3;
  const bool nchw = args.spec.layout == Layout::kNchw;
  const std::vector<size_t> dims = nchw
                                       ? std::vector<size_t>{args.pictures.size(), size_t(channels),
                                                             size_t(height), size_t(width)}
                                       : std::vector<size_t>{args.pictures.size(), size_t(height),
                                                             size_t(width), size_t(channels)};
  std::printf("%s: %s %s [%s], %zu bytes\n", args.output.c_str(),
              args.spec.type == Type::kF32 ? "f32" : "u8", nchw ? "NCHW" : "NHWC",
              StrJoin(dims).c_str(), batch.size());
  return OkStatus();
}

}  // namespace
}  // namespace cairn::img2bin

int main(int argc, char** argv) {
  CLI::App app("Turns pictures into the binary input of a network.", "cairn-img2bin");
  app.footer(cairn::img2bin::kFooter);
  cairn::img2bin::Arguments args;
  cairn::img2bin::DeclareOptions(app, args);
  CLI11_PARSE(app, argc, argv);
  const cairn::Status status = cairn::img2bin::Convert(args);
  if (!status.ok()) {
    std::fprintf(stderr, "cairn-img2bin: %s\n", status.message().c_str());
    return 1;
  }
  return 0;
}
