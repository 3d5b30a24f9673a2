// SPDX-License-Identifier: Apache-2.0
// The activations that recurrent operators name in attributes.
#include <algorithm>
#include <cmath>

#include "ops/nn/recurrent.h"

namespace cairn {
namespace {

using Parameterized = double (*)(double x, double alpha, double beta);

/// An activation; parameters it does not take are not consumed from the attributes' lists.
struct NamedActivation {
  const char* name;
  Parameterized f;
  bool takes_alpha, takes_beta;
  double alpha, beta;  ///< Defaults.
};

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

constexpr NamedActivation kActivations[] = {
    {"Relu", [](double x, double, double) { return x < 0 ? 0 : x; }, false, false, 0, 0},
    {"Tanh", [](double x, double, double) { return std::tanh(x); }, false, false, 0, 0},
    {"Sigmoid", [](double x, double, double) { return Sigmoid(x); }, false, false, 0, 0},
    {"Softsign", [](double x, double, double) { return x / (1 + std::fabs(x)); }, false, false, 0,
     0},
    {"Softplus",
     [](double x, double, double) {
       return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
     },
     false, false, 0, 0},
    {"Affine", [](double x, double a, double b) { return a * x + b; }, true, true, 1, 0},
    {"LeakyRelu", [](double x, double a, double) { return x < 0 ? a * x : x; }, true, false, 0.01,
     0},
    {"ThresholdedRelu", [](double x, double a, double) { return x > a ? x : 0; }, true, false, 1,
     0},
    {"ScaledTanh", [](double x, double a, double b) { return a * std::tanh(b * x); }, true, true, 1,
     1},
    {"HardSigmoid", [](double x, double a, double b) { return std::clamp(a * x + b, 0.0, 1.0); },
     true, true, 0.2, 0.5},
    {"Elu", [](double x, double a, double) { return x < 0 ? a * std::expm1(x) : x; }, true, false,
     1, 0}};

bool SameName(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
           return std::tolower(x) == std::tolower(y);
         });
}

Result<const NamedActivation*> FindActivation(const std::string& name) {
  for (const NamedActivation& activation : kActivations) {
    if (SameName(activation.name, name)) return &activation;
  }
  std::vector<std::string> names;
  for (const NamedActivation& activation : kActivations) names.emplace_back(activation.name);
  return Status(Code::kInvalidModel, StrCat("activation '", name, "' is unknown, expected one of ",
                                            StrJoin(names, ", ")));
}

/// The next of `values`, or `fallback` when they are used up.
double Next(const Floats* values, size_t& used, double fallback) {
  return values && used < values->size() ? static_cast<double>((*values)[used++]) : fallback;
}

}  // namespace

Result<std::vector<ActivationFn>> ReadActivations(const Node& node, int64_t directions,
                                                  const std::vector<std::string>& defaults) {
  std::vector<std::string> names;
  if (const Strings* given = node.Get<Strings>("activations")) names = *given;
  if (names.empty()) {
    for (int64_t d = 0; d < directions; ++d) {
      names.insert(names.end(), defaults.begin(), defaults.end());
    }
  }
  const size_t expected = defaults.size() * static_cast<size_t>(directions);
  if (names.size() != expected) {
    return Status(Code::kInvalidModel,
                  StrCat("'activations' has ", names.size(), " names, expected ", expected));
  }
  const float* clip = node.Get<float>("clip");
  const double bound = clip && *clip > 0 ? static_cast<double>(*clip) : INFINITY;
  size_t alphas = 0, betas = 0;
  std::vector<ActivationFn> result;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const NamedActivation* activation, FindActivation(name));
    double alpha = activation->alpha, beta = activation->beta;
    if (activation->takes_alpha) alpha = Next(node.Get<Floats>("activation_alpha"), alphas, alpha);
    if (activation->takes_beta) beta = Next(node.Get<Floats>("activation_beta"), betas, beta);
    result.push_back([f = activation->f, alpha, beta, bound](double x) {
      return f(std::isnan(x) ? x : std::clamp(x, -bound, bound), alpha, beta);
    });
  }
  return result;
}

}  // namespace cairn
