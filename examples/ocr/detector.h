// SPDX-License-Identifier: Apache-2.0
// Finds the lines of text in a picture.
#pragma once

#include <memory>
#include <vector>

#include "ocr/acl_model.h"
#include "ocr/text_regions.h"

namespace ocr {

/// Regions in the coordinates of `picture`, which is scaled to fit the model's input.
Result<std::vector<TextRegion>> DetectText(AclModel& model, const cairn::image::Image& picture);

}  // namespace ocr
