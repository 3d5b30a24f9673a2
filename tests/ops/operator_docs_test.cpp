// SPDX-License-Identifier: Apache-2.0
// docs/operators.md is what the definitions say.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "ops/docs.h"

namespace cairn {
namespace {

TEST(OperatorDocs, AreCurrent) {
  std::ifstream file(OPERATORS_MD);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_TRUE(text == RenderOperatorDocs())
      << "docs/operators.md is out of date: run `operator-docs docs/operators.md`";
}

}  // namespace
}  // namespace cairn
