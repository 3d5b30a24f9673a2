// SPDX-License-Identifier: Apache-2.0
// The text forms of CAIRN_DEVICES and CAIRN_DEVICE_MEMORY.
#include "devices/cpu/device_shares.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/strings.h"

namespace cairn::device {
namespace {

constexpr int kMaxDevices = 64, kMaxCore = 4095;

std::optional<int64_t> Number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Status BadDevices(std::string_view text, const std::string& why) {
  return Status(Code::kInvalidArgument, StrCat("CAIRN_DEVICES is '", text, "', ", why));
}

/// The pieces between separators; one empty piece for an empty text.
std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const auto end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

/// "0-3,8".
std::optional<std::vector<int>> Cores(std::string_view list) {
  std::vector<int> cores;
  for (std::string_view range : Split(list, ',')) {
    const auto dash = range.find('-');
    const auto first = Number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : Number(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > kMaxCore) return std::nullopt;
    for (int64_t core = *first; core <= *last; ++core) cores.push_back(static_cast<int>(core));
  }
  return cores;
}

Result<uint64_t> Bytes(std::string_view text) {
  if (text.empty()) return uint64_t{0};
  int shift = 0;
  std::string_view digits = text;
  switch (text.back()) {
    case 'K': shift = 10; break;
    case 'M': shift = 20; break;
    case 'G': shift = 30; break;
    default: break;
  }
  if (shift != 0) digits.remove_suffix(1);
  const auto number = Number(digits);
  if (!number || *number <= 0 || *number > (int64_t{1} << (62 - shift)))
    return Status(Code::kInvalidArgument,
                  StrCat("CAIRN_DEVICE_MEMORY is '", text, "', expected bytes such as 8G"));
  return static_cast<uint64_t>(*number) << shift;
}

}  // namespace

Result<std::vector<DeviceShare>> ParseDeviceShares(std::string_view devices,
                                                   std::string_view memory, int available) {
  std::vector<DeviceShare> shares(1);
  const auto count = Number(devices);
  if (count && (*count < 1 || *count > kMaxDevices))
    return BadDevices(devices, StrCat("expected 1 to ", kMaxDevices, " devices"));
  if (count) {
    shares.resize(static_cast<size_t>(*count));
    for (size_t i = 0; i < shares.size(); ++i) {
      const int n = static_cast<int>(*count), index = static_cast<int>(i);
      shares[i].num_cores = std::max(1, available * (index + 1) / n - available * index / n);
    }
  } else if (!devices.empty()) {
    shares.clear();
    for (std::string_view list : Split(devices, ';')) {
      auto cores = Cores(list);
      if (!cores || cores->empty())
        return BadDevices(devices, "expected a number or lists of cores such as 0-3;4-7");
      DeviceShare share;
      share.num_cores = static_cast<int>(cores->size());
      share.cores = *std::move(cores);
      shares.push_back(std::move(share));
    }
  }
  ASSIGN_OR_RETURN(const uint64_t bytes, Bytes(memory));
  for (DeviceShare& share : shares) {
    share.memory_bytes = bytes;
    share.num_sharers = static_cast<int>(shares.size());
  }
  return shares;
}

}  // namespace cairn::device
