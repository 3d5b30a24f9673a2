// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the published examples, and at the borders of its blocks.
#include "base/sha256.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace cairn {
namespace {

std::string Digest(std::string_view text) { return Sha256Hex(std::as_bytes(std::span(text))); }

TEST(Sha256, PublishedExamples) {
  EXPECT_EQ(Digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Digest(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, EveryLengthAroundABlockDiffers) {
  std::set<std::string> digests;
  for (size_t size = 50; size < 140; ++size) digests.insert(Digest(std::string(size, 'x')));
  EXPECT_EQ(digests.size(), 90u);
}

}  // namespace
}  // namespace cairn
