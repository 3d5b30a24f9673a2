// SPDX-License-Identifier: Apache-2.0
// Handles: never valid again, never of another kind.
#include "runtime/handle_table.h"

#include <gtest/gtest.h>

namespace cairn::runtime {
namespace {

TEST(HandleTable, RemovedHandlesStayInvalidWhenTheirSlotIsReused) {
  HandleTable<int> table(HandleKind::kStream);
  const Handle first = table.Insert(std::make_shared<int>(1));
  EXPECT_NE(first, 0u);
  EXPECT_EQ(*table.Find(first), 1);
  EXPECT_EQ(*table.Remove(first), 1);
  const Handle second = table.Insert(std::make_shared<int>(2));
  EXPECT_NE(first, second);
  EXPECT_EQ(table.Find(first), nullptr);
  EXPECT_EQ(table.Remove(first), nullptr);
  EXPECT_EQ(*table.Find(second), 2);
  EXPECT_EQ(table.Handles(), std::vector<Handle>{second});
}

TEST(HandleTable, KindsAndArbitraryValuesAreUnknown) {
  HandleTable<int> streams(HandleKind::kStream), events(HandleKind::kEvent);
  const Handle stream = streams.Insert(std::make_shared<int>(1));
  events.Insert(std::make_shared<int>(2));
  EXPECT_EQ(events.Find(stream), nullptr);
  for (const Handle handle : {Handle{0}, Handle{1}, Handle{2}, ~Handle{0}, stream + (1 << 4)})
    EXPECT_EQ(streams.Find(handle), nullptr) << handle;
}

}  // namespace
}  // namespace cairn::runtime
