// SPDX-License-Identifier: Apache-2.0
// The order of the questions.
#include "compare/bisect.h"

#include "base/strings.h"

namespace cairn::compare {
namespace {

using Kind = Culprit::Kind;

Variant AllOff(const std::vector<std::string>& passes) {
  Variant variant;
  for (const std::string& pass : passes) variant.switches[pass] = false;
  return variant;
}

}  // namespace

Result<Culprit> FindCulprit(const std::vector<std::string>& passes, const Judge& judge) {
  ASSIGN_OR_RETURN(const bool anew_is_right, judge({}));
  if (anew_is_right)
    return Culprit{Kind::kFile,
                   "The model compiled anew is right: the file was made with other "
                   "options or another version, or is damaged; run atc again."};
  ASSIGN_OR_RETURN(const bool plain_is_right, judge(AllOff(passes)));
  if (plain_is_right) {
    for (const std::string& pass : passes) {
      ASSIGN_OR_RETURN(const bool right, judge({{{pass, false}}}));
      if (right)
        return Culprit{Kind::kPass, StrCat("Pass ", pass,
                                           " makes it wrong: it is right with "
                                           "--optimization_switch=\"",
                                           pass, ":off\".")};
    }
    // Several passes do harm: switch off one more each time until it is right.
    Variant variant;
    for (const std::string& pass : passes) {
      variant.switches[pass] = false;
      ASSIGN_OR_RETURN(const bool right, judge(variant));
      if (right)
        return Culprit{
            Kind::kPassPair,
            StrCat("Several passes make it wrong; the last one needed to get it right is ", pass,
                   ": it is right with all passes up to this one off.")};
    }
  }
  Variant reference = AllOff(passes);
  reference.use_kernels = false;
  ASSIGN_OR_RETURN(const bool reference_is_right, judge(reference));
  if (!reference_is_right)
    return Culprit{Kind::kUnknown,
                   "It is wrong with all passes off and without fast kernels too: "
                   "the import differs from the reference, or the limits are too "
                   "tight for this model."};
  Variant precise;
  precise.high_precision = true;
  ASSIGN_OR_RETURN(const bool precise_is_right, judge(precise));
  if (precise_is_right)
    return Culprit{Kind::kPrecision,
                   "A fast algorithm loses too much precision for this model: it "
                   "is right with --op_select_implmode=high_precision."};
  return Culprit{Kind::kKernel, "No pass is at fault: the kernel of the first wrong node is."};
}

}  // namespace cairn::compare
