// SPDX-License-Identifier: Apache-2.0
// Sizes by their use.
#include "runtime/memory_needs.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/strings.h"

namespace cairn::runtime {
namespace {

constexpr size_t kShown = 3;

std::string Mebibytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

/// A tensor in the arena and the task that writes it.
struct Written {
  const ProgramTensor* tensor;
  const Task* task;
};

std::vector<Written> LargestInArena(const Program& program) {
  std::vector<Written> list;
  for (const Task& task : program.tasks) {
    for (const uint32_t output : task.outputs) {
      if (output == kNoTensor || program.tensors[output].storage != Storage::kArena) continue;
      list.push_back({&program.tensors[output], &task});
    }
  }
  std::stable_sort(list.begin(), list.end(), [](const Written& a, const Written& b) {
    return a.tensor->bytes > b.tensor->bytes;
  });
  if (list.size() > kShown) list.resize(kShown);
  return list;
}

}  // namespace

std::string DescribeMemoryNeeds(const Program& program) {
  std::string text = StrCat("the model needs ", Mebibytes(program.arena_bytes),
                            " for tensors between its tasks (one such arena for each run at a time) "
                            "and ", Mebibytes(program.weights_bytes), " of weights");
  std::vector<std::string> largest;
  for (const Written& written : LargestInArena(program))
    largest.push_back(StrCat("'", written.task->name, "' ", ElementTypeName(written.tensor->dtype),
                             "[", StrJoin(written.tensor->dims), "] ",
                             Mebibytes(written.tensor->bytes)));
  if (!largest.empty()) text += StrCat("; its largest tensors: ", StrJoin(largest, ", "));
  return text + "; a smaller batch or image size lowers the need";
}

}  // namespace cairn::runtime
