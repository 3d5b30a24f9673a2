// SPDX-License-Identifier: Apache-2.0
// TextCursor: reads tokens of the graph's text form, with positions for errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "ir/type.h"

namespace cairn {

/// A number as written: integers keep their exact value.
struct TextNumber {
  bool is_float = false;
  int64_t integer = 0;  ///< When !is_float; u64 values beyond int64 keep their bits.
  double real = 0;      ///< Always.
};

/// Walks over the text; every Read function skips white space and `//` comments first.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  /// An error at the current position: "line 3, column 7: `what`".
  Status Fail(std::string_view what) const;

  bool AtEnd();
  /// The next character without consuming it; '\0' at the end.
  char Peek();
  /// Consumes `token` when it comes next; a word is matched whole.
  bool Take(std::string_view token);
  Status Expect(std::string_view token);

  /// [A-Za-z0-9_.]+ or a quoted string.
  Result<std::string> ReadIdentifier();
  /// A string in double quotes; escapes \" \\ \n \t \xHH.
  Result<std::string> ReadString();
  Result<TextNumber> ReadNumber();
  Result<int64_t> ReadInt();
  /// "f32[N,3]", "f32[*]", "seq(...)", "optional(...)".
  Result<TensorType> ReadType();
  Result<TensorType> ReadSequenceType();  ///< A sequence or tensor type.
  Result<TensorType> ReadTensorType();

 private:
  void Skip();
  std::string_view Rest() const { return text_.substr(pos_); }

  std::string_view text_;
  size_t pos_ = 0;
};

}  // namespace cairn
