// SPDX-License-Identifier: Apache-2.0
// Reads one line of text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ocr/acl_model.h"
#include "ocr/ctc.h"
#include "ocr/rotated_box.h"

namespace ocr {

/// The recognition network compiled for one or more widths.
class Recognizer {
 public:
  static Result<Recognizer> Load(const std::vector<std::string>& models,
                                 const std::string& characters);

  /// Uses the narrowest model that takes the line undistorted; longer lines are cut between words
  /// and read in pieces.
  Result<Line> Read(const cairn::image::Image& picture, const RotatedBox& box);
  /// Execution time of the last line.
  double last_ms() const { return last_ms_; }
  const std::vector<std::unique_ptr<AclModel>>& models() const { return models_; }

 private:
  /// The narrowest model for lines of this many columns per row, else the widest.
  AclModel& ModelFor(float columns_per_row) const;

  std::vector<std::unique_ptr<AclModel>> models_;  // By width.
  std::vector<std::string> characters_;
  double last_ms_ = 0;
};

/// Whether a line stands on its head, by the two-class network of text directions.
Result<bool> IsUpsideDown(AclModel& classifier, const cairn::image::Image& picture,
                          const RotatedBox& box);

}  // namespace ocr
