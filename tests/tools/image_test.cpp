// SPDX-License-Identifier: Apache-2.0
// Pictures: decoding, scaling, cropping, conversion to tensors.
#include "image/image.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <jpeglib.h>

#include "img2bin/tensor.h"

namespace cairn::image {
namespace {

std::span<const uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string MinimalPpm() {
  return std::string("P6 # two pixels\n2 1\n255\n") + "\x01\x02\x03\x04\x05\x06";
}

TEST(Image, ReadsPpmWithComment) {
  const Result<Image> image = DecodePnm(Bytes(MinimalPpm()));
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->width, 2);
  EXPECT_EQ(image->height, 1);
  EXPECT_EQ(image->pixels, (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Image, RejectsShortPpmAndNamesTheBytes) {
  const std::string text = MinimalPpm();
  const Result<Image> image = DecodePnm(Bytes(text).first(text.size() - 1));
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.status().message(), "PNM: 5 bytes of samples, expected 6");
}

TEST(Image, ReadsPngItWrote) {
  png_image info{};
  info.version = PNG_IMAGE_VERSION;
  info.width = 2;
  info.height = 1;
  info.format = PNG_FORMAT_RGB;
  const std::vector<uint8_t> pixels{10, 20, 30, 200, 210, 220};
  std::vector<uint8_t> file(4096);
  png_alloc_size_t size = file.size();
  ASSERT_NE(png_image_write_to_memory(&info, file.data(), &size, 0, pixels.data(), 0, nullptr), 0);
  const Result<Image> image = DecodePng(std::span(file).first(size));
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->pixels, pixels);
  EXPECT_FALSE(DecodePng(std::span(file).first(size / 2)).ok());
}

TEST(Image, TruncatedJpegHeaderIsAnError) {
  const uint8_t bytes[] = {0xff, 0xd8, 0xff, 0xe0, 0x00};
  const Result<Image> image = DecodeJpeg(bytes);
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.status().code(), Code::kDataCorrupt);
}

/// A grey picture of 64 x 64 noisy pixels as JPEG.
std::vector<uint8_t> NoisyJpeg() {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* data = nullptr;
  unsigned long size = 0;  // NOLINT(runtime/int): the type of libjpeg
  jpeg_mem_dest(&info, &data, &size);
  info.image_width = info.image_height = 64;
  info.input_components = 1;
  info.in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(&info);
  jpeg_start_compress(&info, TRUE);
  uint32_t state = 1;
  for (int y = 0; y < 64; ++y) {
    JSAMPLE row[64];
    for (JSAMPLE& pixel : row) pixel = static_cast<JSAMPLE>((state = state * 1664525u + 1u) >> 24);
    JSAMPROW rows = row;
    jpeg_write_scanlines(&info, &rows, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::vector<uint8_t> bytes(data, data + size);
  free(data);
  return bytes;
}

TEST(Image, JpegWithoutItsEndIsAnError) {
  const std::vector<uint8_t> bytes = NoisyJpeg();
  const Result<Image> whole = DecodeJpeg(bytes);
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  EXPECT_EQ(whole->width, 64);
  EXPECT_FALSE(DecodeJpeg(std::span(bytes).first(bytes.size() / 2)).ok());
}

TEST(Image, FolderIsNoPicture) {
  const Result<Image> image = ReadImage("/");
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.status().message(), "/: is a folder, expected a picture");
}

TEST(Image, ResizeInterpolatesBetweenPixelCentres) {
  Image image(2, 1);
  image.at(1, 0)[0] = 100;
  // Centres of 4 pixels over 2: -0.25, 0.25, 0.75, 1.25, the outer ones clamped.
  const Image wide = Resize(image, 4, 1);
  EXPECT_EQ(wide.at(0, 0)[0], 0);
  EXPECT_EQ(wide.at(1, 0)[0], 25);
  EXPECT_EQ(wide.at(2, 0)[0], 75);
  EXPECT_EQ(wide.at(3, 0)[0], 100);
  EXPECT_EQ(Resize(image, 2, 1).pixels, image.pixels);
}

TEST(Image, CropFillsOutside) {
  Image image(2, 2);
  image.at(0, 0)[0] = 7;
  const Image crop = Crop(image, -1, -1, 3, 2, 9);
  EXPECT_EQ(crop.at(0, 0)[0], 9);
  EXPECT_EQ(crop.at(1, 1)[0], 7);
  EXPECT_EQ(crop.at(2, 1)[0], 0);
}

TEST(Image, TensorOrdersChannelsAndScales) {
  Image image(2, 1);
  image.pixels = {1, 2, 3, 4, 5, 6};
  img2bin::TensorSpec spec;
  spec.color = img2bin::Color::kBgr;
  spec.mean = {1, 1, 1};
  spec.scale = {2, 2, 2};
  const std::vector<uint8_t> bytes = img2bin::ToTensor(image, spec);
  ASSERT_EQ(bytes.size(), 24u);
  float values[6];
  std::memcpy(values, bytes.data(), sizeof(values));
  const float expected[6] = {4, 10, 2, 8, 0, 6};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(values[i], expected[i]) << i;

  spec.type = img2bin::Type::kU8;
  spec.layout = img2bin::Layout::kNhwc;
  EXPECT_EQ(img2bin::ToTensor(image, spec), (std::vector<uint8_t>{3, 2, 1, 6, 5, 4}));
}

}  // namespace
}  // namespace cairn::image
