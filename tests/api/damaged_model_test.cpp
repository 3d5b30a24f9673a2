// SPDX-License-Identifier: Apache-2.0
// Damaged offline models through aclmdlLoadFromFile and aclmdlLoadFromMem: an error with a text.
#include <fstream>
#include <random>

#include "api/model_fixture.h"

namespace cairn::testing {
namespace {

class DamagedModel : public CopyModelTest {
 protected:
  void SetUp() override {
    CopyModelTest::SetUp();
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    ASSERT_GT(bytes_.size(), 256u);
  }

  // Loads the bytes from memory; the model is unloaded again.
  static aclError LoadBytes(const std::vector<char>& bytes, size_t size) {
    uint32_t id = 0;
    const aclError error = aclmdlLoadFromMem(bytes.data(), size, &id);
    if (error == ACL_SUCCESS) aclmdlUnload(id);
    return error;
  }
  aclError LoadFileOf(size_t size) {
    std::ofstream(path_, std::ios::binary) << std::string(bytes_.data(), size);
    uint32_t id = 0;
    return aclmdlLoadFromFile(path_.c_str(), &id);
  }

  std::vector<char> bytes_;
};

TEST_F(DamagedModel, EveryTruncationOfTheHeadAndThousandOthersAreRefused) {
  std::mt19937 random(1);
  std::vector<size_t> sizes;
  for (size_t size = 0; size < std::min<size_t>(4096, bytes_.size()); ++size) sizes.push_back(size);
  for (int i = 0; i < 1000; ++i) sizes.push_back(random() % bytes_.size());
  for (const size_t size : sizes) {
    ASSERT_NE(LoadBytes(bytes_, size), ACL_SUCCESS) << size;
    ASSERT_FALSE(ErrorText().empty()) << size;
  }
  for (size_t i = 0; i < sizes.size(); i += 41) {
    ASSERT_NE(LoadFileOf(sizes[i]), ACL_SUCCESS) << sizes[i];
    ASSERT_FALSE(ErrorText().empty()) << sizes[i];
  }
}

TEST_F(DamagedModel, EveryFlipInTheHeaderIsRefused) {
  for (size_t position = 0; position < 256; ++position) {
    std::vector<char> damaged = bytes_;
    damaged[position] ^= static_cast<char>(1 << position % 8);
    ASSERT_NE(LoadBytes(damaged, damaged.size()), ACL_SUCCESS) << position;
    ASSERT_FALSE(ErrorText().empty()) << position;
  }
}

TEST_F(DamagedModel, BytesBehindTheEndAreRefused) {
  std::vector<char> longer = bytes_;
  longer.resize(bytes_.size() + 64);
  EXPECT_NE(LoadBytes(longer, longer.size()), ACL_SUCCESS);
  EXPECT_EQ(LoadBytes(bytes_, bytes_.size()), ACL_SUCCESS) << ErrorText();
}

}  // namespace
}  // namespace cairn::testing
