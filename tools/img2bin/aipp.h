// SPDX-License-Identifier: Apache-2.0
// Pictures as the bytes that a model with image pre-processing takes.
#pragma once

#include <string>
#include <vector>

#include "base/aipp.h"
#include "image/image.h"

namespace cairn::img2bin {

/// The frame of the first static aipp_op in the file; sizes that it leaves open are those of the
/// picture.
Result<AippFrame> ReadAippFrame(const std::string& path, const image::Image& picture);

/// The picture, of the frame's source size, in the frame's format: bytes are ordered so that its
/// swaps give R, G, B. YUV follows BT.601, of full range when the frame subtracts no luma bias.
std::vector<uint8_t> ToAippBytes(const image::Image& picture, const AippFrame& frame);

/// How the source pixel (x, y) goes through the pipeline, one line per step.
std::string TracePixel(const std::vector<uint8_t>& bytes, const AippFrame& frame, int x, int y);

}  // namespace cairn::img2bin
