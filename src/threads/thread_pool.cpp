// SPDX-License-Identifier: Apache-2.0
// Regions are published by a counter, their parts claimed by compare-and-swap, waits are
// spin-then-futex.
#include "threads/thread_pool.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>

#include "base/check.h"
#include "threads/denormals.h"

namespace cairn::threads {
namespace {

// How long a thread looks for the next event before it sleeps. Waking a sleeper costs some 30 us.
constexpr std::chrono::microseconds kSpin{50};

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Sleeps while `word` holds `expected`; may return early.
void FutexWait(std::atomic<uint32_t>& word, uint32_t expected) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT_PRIVATE, expected, nullptr,
          nullptr, 0);
}
void FutexWakeAll(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE_PRIVATE, 1 << 30, nullptr,
          nullptr, 0);
}

// Spins until `done()` or the time is over; returns whether it is done.
template <class Done>
bool SpinUntil(Done done) {
  if (done()) return true;
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 64; ++i) {
      Pause();
      if (done()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

ThreadPool::ThreadPool(int num_threads) : slots_(new Slot[kMaxParts]) {
  CAIRN_CHECK(num_threads >= 1, "a pool has at least the caller's thread");
  for (int i = 1; i < num_threads; ++i) {
    workers_.emplace_back([this, i] { WorkerLoop(i); });
  }
}

ThreadPool::~ThreadPool() {
  stop_.store(true, std::memory_order_relaxed);
  Wake();
  for (std::thread& worker : workers_) worker.join();
}

// Announces an event to all workers. Sequentially consistent against the worker's "parked, then
// look again": either the sleeper is seen here or the new signal is seen there.
void ThreadPool::Wake() {
  signal_.value.fetch_add(1, std::memory_order_seq_cst);
  if (parked_.value.load(std::memory_order_seq_cst) != 0) FutexWakeAll(signal_.value);
}

void ThreadPool::WorkerLoop(int worker) {
  FlushDenormals();
  uint32_t seen = 0;
  while (!stop_.load(std::memory_order_relaxed)) {
    const auto changed = [&] { return signal_.value.load(std::memory_order_acquire) != seen; };
    if (!(scope_open_.load(std::memory_order_relaxed) ? SpinUntil(changed) : changed())) {
      parked_.value.fetch_add(1, std::memory_order_seq_cst);
      while (signal_.value.load(std::memory_order_seq_cst) == seen) {
        FutexWait(signal_.value, seen);
      }
      parked_.value.fetch_sub(1, std::memory_order_relaxed);
    }
    seen = signal_.value.load(std::memory_order_acquire);
    const uint32_t region = region_.value.load(std::memory_order_acquire);
    if (worker < num_parts_.load(std::memory_order_relaxed)) TakeParts(region, worker);
  }
}

// Executes the free parts of `region`, first those that belong to thread `first`, then the others'.
void ThreadPool::TakeParts(uint32_t region, int first) {
  const int num_parts = num_parts_.load(std::memory_order_relaxed);
  for (int i = 0; i < num_parts; ++i) {
    const int part = (first + i) % num_parts;
    uint32_t free = 2 * region;
    std::atomic<uint32_t>& claim = slots_[part].claim;
    if (claim.load(std::memory_order_relaxed) != free) continue;
    if (!claim.compare_exchange_strong(free, free + 1, std::memory_order_acquire)) continue;
    // The claim keeps the region alive: its function and context cannot change before it is done.
    fn_.load(std::memory_order_relaxed)(context_.load(std::memory_order_relaxed), part,
                                        num_parts_.load(std::memory_order_relaxed));
    if (remaining_.value.fetch_sub(1, std::memory_order_seq_cst) == 1 &&
        caller_parked_.load(std::memory_order_seq_cst)) {
      FutexWakeAll(remaining_.value);
    }
  }
}

void ThreadPool::AwaitParts() {
  if (SpinUntil([&] { return remaining_.value.load(std::memory_order_acquire) == 0; })) return;
  caller_parked_.store(true, std::memory_order_seq_cst);
  while (const uint32_t left = remaining_.value.load(std::memory_order_seq_cst)) {
    FutexWait(remaining_.value, left);
  }
  caller_parked_.store(false, std::memory_order_relaxed);
}

void ThreadPool::RunRegion(RegionFn fn, void* context, int num_parts) {
  const uint32_t region = (region_.value.load(std::memory_order_relaxed) + 1) & 0x7fffffffu;
  fn_.store(fn, std::memory_order_relaxed);
  context_.store(context, std::memory_order_relaxed);
  num_parts_.store(num_parts, std::memory_order_relaxed);
  remaining_.value.store(static_cast<uint32_t>(num_parts), std::memory_order_relaxed);
  for (int i = 0; i < num_parts; ++i) {
    slots_[i].claim.store(2 * region, std::memory_order_release);
  }
  region_.value.store(region, std::memory_order_release);
  Wake();
  TakeParts(region, 0);
  AwaitParts();
}

RunScope::RunScope(ThreadPool* pool) : pool_(pool), float_mode_(FlushDenormals()) {
  if (pool == nullptr || pool->num_threads() == 1) return;
  lock_ = std::unique_lock(pool->run_mutex_, std::try_to_lock);
  if (!lock_.owns_lock()) return;
  pool_->scope_open_.store(true, std::memory_order_relaxed);
  pool_->Wake();
}

RunScope::~RunScope() {
  if (lock_.owns_lock()) pool_->scope_open_.store(false, std::memory_order_relaxed);
  RestoreFloatMode(float_mode_);
}

void RunScope::Run(RegionFn fn, void* context, int num_parts) {
  CAIRN_CHECK(num_parts >= 1 && num_parts <= kMaxParts, "a region has 1 to kMaxParts parts");
  if (lock_.owns_lock() && num_parts > 1) {
    pool_->RunRegion(fn, context, num_parts);
  } else {
    RunOnCaller(fn, context, num_parts);
  }
}

void RunScope::RunOnCaller(RegionFn fn, void* context, int num_parts) {
  for (int i = 0; i < num_parts; ++i) fn(context, i, num_parts);
}

}  // namespace cairn::threads
