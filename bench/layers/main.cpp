// SPDX-License-Identifier: Apache-2.0
// Times the convolution and matrix kernels on the layers of well-known networks, one core, and
// prints each as a share of the measured multiply-add peak.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/conv/conv.h"
#include "kernels/depthwise/depthwise.h"
#include "kernels/matmul/matmul.h"
#include "kernels/winograd/winograd.h"
#include "machine/peak.h"

namespace cairn::bench {
namespace {

using namespace kernels;

struct Free {
  void operator()(float* p) const { std::free(p); }
};
using Floats = std::unique_ptr<float[], Free>;

Floats Allocate(int64_t count, float scale) {
  const size_t bytes = (static_cast<size_t>(count) * sizeof(float) + 63) / 64 * 64 + 64;
  Floats floats(static_cast<float*>(std::aligned_alloc(64, bytes)));
  for (int64_t i = 0; i < count; ++i) {
    floats[i] = scale * static_cast<float>((i * 2654435761u >> 8) % 1000) / 1000.0f;
  }
  return floats;
}

/// Seconds that this thread has run: other processes on the core do not count.
double ThreadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Best seconds of a call: many short tries spread the noise of a shared machine.
double BestSeconds(const std::function<void()>& call) {
  double best = 1e9, total = 0;
  for (int i = 0; i < 200 && (i < 20 || total < 0.15); ++i) {
    const double begin = ThreadSeconds();
    call();
    const double seconds = ThreadSeconds() - begin;
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

struct Report {
  Isa isa;
  double peak;
  void Line(const char* layer, const char* algorithm, double flops, double seconds,
            double estimate) const {
    std::printf("%-10s %-30s %-9s %9.4f ms %6.1f %% of peak   estimate / measured %.2f\n",
                IsaName(isa), layer, algorithm, seconds * 1e3, 100 * flops / seconds / peak,
                estimate / (seconds * peak / 32));
  }
};

/// The functions of one convolution algorithm.
struct Algorithm {
  const char* name;
  int64_t (*packed_floats)(const ConvParams&);
  void (*pack)(const ConvParams&, const float*, float*);
  size_t (*workspace_bytes)(const ConvParams&, int);
  int (*phases)(const ConvParams&);
  void (*run)(const ConvParams&, const ConvBuffers&, int, Part);
  double (*estimate)(const ConvParams&);
  bool (*supports)(const ConvParams&);
};

bool Always(const ConvParams&) { return true; }

template <int kTile>
Algorithm WinogradAlgorithm(const char* name) {
  return {name,
          [](const ConvParams& p) {
            return WinogradPackedFloats({p, kTile});
          },
          [](const ConvParams& p, const float* w, float* packed) {
            PackWinograd({p, kTile}, w, packed);
          },
          [](const ConvParams& p, int parts) {
            return WinogradWorkspaceBytes({p, kTile}, parts);
          },
          [](const ConvParams& p) {
            return WinogradPhases({p, kTile});
          },
          [](const ConvParams& p, const ConvBuffers& b, int phase, Part part) {
            RunWinograd({p, kTile}, b, phase, part);
          },
          [](const ConvParams& p) {
            return EstimateWinogradCycles({p, kTile});
          },
          WinogradSupports};
}

const Algorithm kAlgorithms[] = {
    {"direct", ConvPackedFloats, PackConv, ConvWorkspaceBytes, ConvPhases, RunConv,
     EstimateConvCycles, Always},
    {"depthwise", DepthwisePackedFloats, PackDepthwise, DepthwiseWorkspaceBytes, DepthwisePhases,
     RunDepthwise, EstimateDepthwiseCycles, DepthwiseSupports},
    WinogradAlgorithm<2>("F(2,3)"),
    WinogradAlgorithm<4>("F(4,3)"),
};

struct ConvLayer {
  const char* name;
  int64_t in_channels, out_channels, size, kernel, stride, group;
};

const ConvLayer kConvLayers[] = {
    {"first 7x7 3->64 @224 s2", 3, 64, 224, 7, 2, 1},
    {"first 3x3 3->32 @224 s2", 3, 32, 224, 3, 2, 1},
    {"3x3 64 @56", 64, 64, 56, 3, 1, 1},
    {"3x3 128 @28", 128, 128, 28, 3, 1, 1},
    {"3x3 256 @14", 256, 256, 14, 3, 1, 1},
    {"3x3 512 @7", 512, 512, 7, 3, 1, 1},
    {"3x3 128 @56 s2", 128, 128, 56, 3, 2, 1},
    {"3x3 512 @14 s2", 512, 512, 14, 3, 2, 1},
    {"1x1 64 @56", 64, 64, 56, 1, 1, 1},
    {"1x1 64->256 @56", 64, 256, 56, 1, 1, 1},
    {"1x1 256->64 @56", 256, 64, 56, 1, 1, 1},
    {"1x1 512->128 @28", 512, 128, 28, 1, 1, 1},
    {"1x1 256->1024 @14", 256, 1024, 14, 1, 1, 1},
    {"1x1 1024->256 @14", 1024, 256, 14, 1, 1, 1},
    {"1x1 2048->512 @7", 2048, 512, 7, 1, 1, 1},
    {"1x1 512->2048 @7", 512, 2048, 7, 1, 1, 1},
    {"1x1 256->512 @56 s2", 256, 512, 56, 1, 2, 1},
    {"1x1 24->144 @56", 24, 144, 56, 1, 1, 1},
    {"1x1 144->24 @56", 144, 24, 56, 1, 1, 1},
    {"1x1 96->576 @14", 96, 576, 14, 1, 1, 1},
    {"1x1 960->160 @7", 960, 160, 7, 1, 1, 1},
    {"3x3 128 @56 group 32", 128, 128, 56, 3, 1, 32},
    {"3x3 512 @14 group 32", 512, 512, 14, 3, 1, 32},
    {"dw3x3 144 @56", 144, 144, 56, 3, 1, 144},
    {"dw3x3 192 @28", 192, 192, 28, 3, 1, 192},
    {"dw3x3 576 @14", 576, 576, 14, 3, 1, 576},
    {"dw3x3 960 @7", 960, 960, 7, 3, 1, 960},
    {"dw3x3 144 @56 s2", 144, 144, 56, 3, 2, 144},
    {"dw5x5 240 @28", 240, 240, 28, 5, 1, 240},
};

void TimeConv(const Report& report, const ConvLayer& layer) {
  ConvParams p{.isa = report.isa,
               .in_channels = layer.in_channels,
               .out_channels = layer.out_channels,
               .group = layer.group};
  const int64_t pad = layer.kernel / 2;
  const int64_t out = (layer.size + 2 * pad - layer.kernel) / layer.stride + 1;
  p.in = {1, layer.size, layer.size};
  p.out = {1, out, out};
  p.kernel = {1, layer.kernel, layer.kernel};
  p.stride = {1, layer.stride, layer.stride};
  p.pad_begin = {0, pad, pad};
  p.plain_src = layer.in_channels <= 4;
  p.epilogue = {.activation = Activation::kClip, .clip_low = 0.0f};
  const int64_t terms = layer.kernel * layer.kernel * layer.in_channels / layer.group;
  const double flops = 2.0 * out * out * layer.out_channels * terms;
  const Floats src = Allocate((layer.in_channels + 16) * layer.size * layer.size, 1.0f);
  const Floats dst = Allocate((layer.out_channels + 16) * out * out, 0.0f);
  const Floats weights = Allocate(layer.out_channels * terms, 0.01f);
  const Floats bias = Allocate(layer.out_channels + 16, 0.1f);
  for (const Algorithm& algorithm : kAlgorithms) {
    if (!algorithm.supports(p)) continue;
    const Floats packed = Allocate(algorithm.packed_floats(p), 0.0f);
    algorithm.pack(p, weights.get(), packed.get());
    const Floats workspace = Allocate(algorithm.workspace_bytes(p, 1) / 4, 0.0f);
    const ConvBuffers buffers{.src = src.get(),
                              .weights = packed.get(),
                              .bias = bias.get(),
                              .dst = dst.get(),
                              .workspace = workspace.get()};
    const double seconds = BestSeconds([&] {
      for (int phase = 0; phase < algorithm.phases(p); ++phase) {
        algorithm.run(p, buffers, phase, {});
      }
    });
    report.Line(layer.name, algorithm.name, flops, seconds, algorithm.estimate(p));
  }
}

struct MatmulLayer {
  const char* name;
  int64_t batch, m, n, k;
  bool packed, transposed;
};

const MatmulLayer kMatmulLayers[] = {
    {"768->768, 128 rows", 1, 128, 768, 768, true, false},
    {"768->3072, 128 rows", 1, 128, 3072, 768, true, false},
    {"3072->768, 128 rows", 1, 128, 768, 3072, true, false},
    {"768->3072, 32 rows", 1, 32, 3072, 768, true, false},
    {"2048->1000, 1 row", 1, 1, 1000, 2048, true, false},
    {"768->768, 1 row", 1, 1, 768, 768, true, false},
    {"768->768, 2 rows", 1, 2, 768, 768, true, false},
    {"768->768, 3 rows", 1, 3, 768, 768, true, false},
    {"768->768, 5 rows", 1, 5, 768, 768, true, false},
    {"scores 12 heads 128x128x64", 12, 128, 128, 64, false, true},
    {"values 12 heads 128x64x128", 12, 128, 64, 128, false, false},
    {"run-time 512x512x512", 1, 512, 512, 512, false, false},
};

void TimeMatmul(const Report& report, const MatmulLayer& layer) {
  MatmulParams p{.isa = report.isa,
                 .batch = {1, 1, layer.batch},
                 .m = layer.m,
                 .n = layer.n,
                 .k = layer.k,
                 .b_packed = layer.packed};
  p.a = {.batch = {0, 0, layer.m * layer.k}, .row = layer.k};
  p.b = {.batch = {0, 0, layer.packed ? 0 : layer.k * layer.n},
         .row = layer.transposed ? 1 : layer.n,
         .column = layer.transposed ? layer.k : 1};
  p.c = {.batch = {0, 0, layer.m * layer.n}, .row = layer.n};
  const Floats a = Allocate(layer.batch * layer.m * layer.k, 1.0f);
  const Floats b = Allocate(layer.batch * layer.k * layer.n, 0.01f);
  const Floats c = Allocate(layer.batch * layer.m * layer.n, 0.0f);
  const Floats bias = Allocate(layer.n + 16, 0.1f);
  const Floats packed = Allocate(MatmulPackedFloats(p.isa, p.k, p.n), 0.0f);
  PackMatmul(p.isa, p.k, p.n, b.get(), p.b.row, p.b.column, packed.get());
  const Floats workspace = Allocate(MatmulWorkspaceBytes(p, 1) / 4, 0.0f);
  const MatmulBuffers buffers{.a = a.get(),
                              .b = layer.packed ? packed.get() : b.get(),
                              .bias = bias.get(),
                              .c = c.get(),
                              .workspace = workspace.get()};
  const double seconds = BestSeconds([&] {
    for (int phase = 0; phase < MatmulPhases(p); ++phase) RunMatmul(p, buffers, phase, {});
  });
  report.Line(layer.name, "matmul", 2.0 * layer.batch * layer.m * layer.n * layer.k, seconds,
              EstimateMatmulCycles(p));
}

}  // namespace

/// Arguments: words a layer's name must contain, none for all layers.
int Main(int argc, char** argv) {
  const auto wanted = [&](const char* name) {
    for (int i = 1; i < argc; ++i) {
      if (std::strstr(name, argv[i]) == nullptr) return false;
    }
    return true;
  };
  for (Isa isa : {Isa::kAvx2, Isa::kAvx3, Isa::kNeon}) {
    if (!IsaAvailable(isa)) continue;
    const Report report{.isa = isa, .peak = machine::MeasurePeakFlops(isa)};
    std::printf("%s peak %.1f GFLOP/s\n", IsaName(isa), report.peak * 1e-9);
    for (const ConvLayer& layer : kConvLayers) {
      if (wanted(layer.name)) TimeConv(report, layer);
    }
    for (const MatmulLayer& layer : kMatmulLayers) {
      if (wanted(layer.name)) TimeMatmul(report, layer);
    }
  }
  return 0;
}

}  // namespace cairn::bench

int main(int argc, char** argv) { return cairn::bench::Main(argc, argv); }
