// SPDX-License-Identifier: Apache-2.0
// The one table of all command-line options of atc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::atc {

enum class OptionType { kString, kBool, kInt32 };

/// Where `--help` lists an option. Legacy options are understood but not listed.
enum class Section {
  kGeneral,
  kInput,
  kOutput,
  kTarget,
  kFeature,
  kModelTuning,
  kOperatorTuning,
  kDebug,
  kLegacy
};

/// What atc does with an option that is given.
enum class Conduct {
  kReal,        ///< It has its effect.
  kNoted,       ///< Accepted without effect here; an INFO note says why.
  kUnsupported  ///< Values other than the default and `real_values` end in "not supported yet".
};

/// Modes in which an option has a meaning, as bits.
inline constexpr uint32_t kModeCompile = 1u << 0;
inline constexpr uint32_t kModeToJson = 1u << 1;
inline constexpr uint32_t kModePreCheck = 1u << 3;
inline constexpr uint32_t kModeTextToJson = 1u << 5;
inline constexpr uint32_t kModeDisplay = 1u << 6;
inline constexpr uint32_t kModeAny = 0xffffffffu;

struct Option {
  std::string_view name;
  OptionType type;
  std::string_view default_value;
  /// The closed set of values, comma separated; empty: any value.
  std::string_view allowed;
  /// The code reported for a value outside of `allowed` (E10001, E10006, E10007, E10010).
  std::string_view allowed_code;
  uint32_t modes;
  Section section;
  Conduct conduct;
  /// kNoted, kUnsupported: the values that do have their effect, comma separated.
  std::string_view real_values;
  /// kNoted: why it has no effect. kUnsupported: what is missing.
  std::string_view note;
  /// Form of the value in the help text.
  std::string_view value_form;
  std::string_view help;
};

/// All options in the order of the help text.
std::span<const Option> Options();

/// The option of this exact name (no dashes in front); nullptr when there is none.
const Option* FindOption(std::string_view name);

/// The members of a comma separated list.
std::vector<std::string_view> SplitList(std::string_view list);

/// True when `value` is a member of the comma separated `list`.
bool ListHas(std::string_view list, std::string_view value);

const char* SectionTitle(Section section);

/// The text of `atc --help`.
std::string HelpText();

/// The option table of docs/atc.md, in Markdown.
std::string OptionTableMarkdown();

}  // namespace cairn::atc
