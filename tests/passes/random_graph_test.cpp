// SPDX-License-Identifier: Apache-2.0
// Property: any subset of passes leaves the results of random graphs as they are.
#include <cstdlib>
#include <random>

#include "ir/text.h"
#include "passes/pass_test.h"

namespace cairn {
namespace {

/// Writes random graphs as text: tensors [2,C,H,W] under convolutions, norms, activations in
/// several spellings, pools, transposes, reshapes, concatenations, reductions and matrix products.
class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed) : random_(seed) {}

  std::string Text(int num_steps) {
    values_ = {{"x", {2, 4, 4, 4}}, {"z", {2, 4, 4, 4}}};
    for (int i = 0; i < num_steps; ++i) Step();
    std::string outputs;
    for (size_t i = values_.size() - 3; i < values_.size(); ++i) {
      outputs += (outputs.empty() ? "%" : ", %") + values_[i].name;
    }
    return "graph @g(%x: f32[2,4,4,4], %z: f32[2,4,4,4]) -> (" + outputs + ") {\n" + body_ + "}\n";
  }

 private:
  struct Item {
    std::string name;
    Shape shape;
  };

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  /// Recent values are likelier, so that chains form.
  const Item Pick() {
    const int n = static_cast<int>(values_.size());
    const int back = std::min(Below(n), Below(n));
    return values_[static_cast<size_t>(n - 1 - std::min(back, Below(4) == 0 ? back : 1))];
  }

  std::string Constant(const Shape& shape) {
    const std::string name = "k" + std::to_string(next_++);
    body_ += "  const %" + name + ": f32" + ShapeToString(shape) + " = random<" +
             std::to_string(Below(1000)) + ">\n";
    return "%" + name;
  }
  std::string Number(const std::string& text) {
    const std::string name = "k" + std::to_string(next_++);
    body_ += "  const %" + name + ": f32[] = dense<" + text + ">\n";
    return "%" + name;
  }
  std::string Ints(const Shape& values) {
    const std::string name = "k" + std::to_string(next_++);
    body_ += "  const %" + name + ": i64[" + std::to_string(values.size()) + "] = dense<" +
             ShapeToString(values) + ">\n";
    return "%" + name;
  }

  std::string Emit(const std::string& op, const std::string& arguments,
                   const std::string& attributes = "") {
    const std::string name = "v" + std::to_string(next_++);
    body_ += "  %" + name + " = " + op + "(" + arguments + ")" +
             (attributes.empty() ? "" : " {" + attributes + "}") + "\n";
    return "%" + name;
  }
  void Keep(const std::string& value, Shape shape) {
    values_.push_back({value.substr(1), std::move(shape)});
  }

  void Step() {
    const Item x = Pick();
    const std::string name = "%" + x.name;
    switch (Below(20)) {
      case 0:
        return Keep(Emit("Relu", name), x.shape);
      case 1:
        return Keep(Emit("Mul", name + ", " + Emit("Sigmoid", name)), x.shape);
      case 2:
        return HardSwish(x);
      case 3:
        return Gelu(x);
      case 4:
        return Convolution(x);
      case 5:
        return BatchNorm(x);
      case 6:
        return Binary(x);
      case 7:
        return TransposeBy(x);
      case 8:
        return ReshapeTo(x);
      case 9:
        return Product(x);
      case 10:
        return LayerNorm(x);
      case 11:
        return Keep(Emit("Softmax", name, "axis = -1"), x.shape);
      case 12:
        return Concatenate(x);
      case 13:
        return Identities(x);
      case 14:
        return Pool(x);
      default:
        return Scale(x);
    }
  }

  void HardSwish(const Item& x) {
    const std::string name = "%" + x.name;
    const std::string sum = Emit("Add", name + ", " + Number("3"));
    const std::string clip = Emit("Clip", sum + ", " + Number("0") + ", " + Number("6"));
    const std::string product = Emit("Mul", name + ", " + clip);
    Keep(Emit("Div", product + ", " + Number("6")), x.shape);
  }

  void Gelu(const Item& x) {
    const std::string name = "%" + x.name;
    const std::string erf = Emit("Erf", Emit("Div", name + ", " + Number("1.4142135")));
    const std::string sum = Emit("Add", erf + ", " + Number("1"));
    Keep(Emit("Mul", Emit("Mul", name + ", " + sum) + ", " + Number("0.5")), x.shape);
  }

  void Convolution(const Item& x) {
    if (x.shape.size() != 4 || x.shape[2] < 2 || x.shape[3] < 2) return;
    std::string source = "%" + x.name;
    if (Below(3) == 0) {
      source = Emit("Pad", source + ", " + Ints({0, 0, 1, 1, 0, 0, 1, 1}), "mode = \"constant\"");
      const std::string w = Constant({4, x.shape[1], 3, 3});
      return Keep(Emit("Conv", source + ", " + w), {x.shape[0], 4, x.shape[2], x.shape[3]});
    }
    const std::string w = Constant({4, x.shape[1], 1, 1});
    Keep(Emit("Conv", source + ", " + w), {x.shape[0], 4, x.shape[2], x.shape[3]});
  }

  void BatchNorm(const Item& x) {
    if (x.shape.size() < 2) return;
    const Shape channels = {x.shape[1]};
    const std::string s = Constant(channels), t = Constant(channels), m = Constant(channels);
    const std::string variance = Emit("Exp", Constant(channels));
    Keep(
        Emit("BatchNormalization", "%" + x.name + ", " + s + ", " + t + ", " + m + ", " + variance),
        x.shape);
  }

  void Binary(const Item& x) {
    static const char* kOps[] = {"Add", "Sub", "Mul", "Max"};
    for (size_t i = values_.size(); i-- > 0;) {
      if (values_[i].shape != x.shape || (values_[i].name == x.name && Below(2) == 0)) continue;
      return Keep(Emit(kOps[Below(4)], "%" + x.name + ", %" + values_[i].name), x.shape);
    }
  }

  void TransposeBy(const Item& x) {
    std::vector<size_t> perm(x.shape.size());
    for (size_t i = 0; i < perm.size(); ++i) perm[i] = i;
    std::shuffle(perm.begin(), perm.end(), random_);
    Shape shape, axes;
    for (const size_t axis : perm) {
      shape.push_back(x.shape[axis]);
      axes.push_back(static_cast<int64_t>(axis));
    }
    Keep(Emit("Transpose", "%" + x.name, "perm = " + ShapeToString(axes)), shape);
  }

  void ReshapeTo(const Item& x) {
    int64_t count = 1;
    for (const int64_t dim : x.shape) count *= dim;
    const Shape shape =
        count % 32 == 0 && Below(2) == 0 ? Shape{2, 4, 4, count / 32} : Shape{count / 4, 4};
    if (Below(2) == 0 && x.shape.size() < 5) {
      Shape grown = x.shape;
      grown.insert(grown.begin(), 1);
      return Keep(Emit("Unsqueeze", "%" + x.name + ", " + Ints({0})), grown);
    }
    Keep(Emit("Reshape", "%" + x.name + ", " + Ints(shape)), shape);
  }

  void Product(const Item& x) {
    const std::string w = Constant({x.shape.back(), 4});
    Shape shape = x.shape;
    shape.back() = 4;
    const std::string y = Emit("MatMul", "%" + x.name + ", " + w);
    Keep(Emit("Add", y + ", " + Constant({4})), shape);
  }

  void LayerNorm(const Item& x) {
    const std::string name = "%" + x.name, axes = Ints({-1});
    const std::string centered = Emit("Sub", name + ", " + Emit("ReduceMean", name + ", " + axes));
    const std::string square = Emit("Mul", centered + ", " + centered);
    const std::string sum =
        Emit("Add", Emit("ReduceMean", square + ", " + axes) + ", " + Number("0.1"));
    const std::string plain = Emit("Div", centered + ", " + Emit("Sqrt", sum));
    Keep(Emit("Mul", plain + ", " + Constant({x.shape.back()})), x.shape);
  }

  void Concatenate(const Item& x) {
    Shape shape = x.shape;
    const auto axis = static_cast<size_t>(Below(static_cast<int>(shape.size())));
    if (shape[axis] > 8) return;
    shape[axis] *= 2;
    Keep(Emit("Concat", "%" + x.name + ", %" + x.name, "axis = " + std::to_string(axis)), shape);
  }

  void Identities(const Item& x) {
    std::string value = Emit("Identity", "%" + x.name);
    value = Emit("Mul", value + ", " + Number("1"));
    value = Emit("Add", value + ", " + Number(Below(2) ? "0" : "-0"));
    Keep(Emit("Cast", value, "to = type f32[*]"), x.shape);
  }

  void Pool(const Item& x) {
    if (x.shape.size() != 4 || x.shape[2] < 2 || x.shape[3] < 2) return;
    Keep(Emit("MaxPool", "%" + x.name, "kernel_shape = [2, 2], pads = [0, 0, 1, 1]"), x.shape);
  }

  void Attention(const Item& x) {
    if (x.shape.size() < 3) return;
    Shape perm;
    for (size_t i = 0; i < x.shape.size(); ++i) perm.push_back(static_cast<int64_t>(i));
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    const std::string name = "%" + x.name;
    const std::string keys = Emit("Transpose", name, "perm = " + ShapeToString(perm));
    const std::string scores = Emit("MatMul", name + ", " + keys);
    const std::string scaled = Emit(Below(2) ? "Mul" : "Div", scores + ", " + Number("0.5"));
    const std::string weights = Emit("Softmax", scaled, "axis = -1");
    Keep(Emit("MatMul", weights + ", " + name), x.shape);
  }

  void Gemm(const Item& x) {
    if (x.shape.size() != 2) return;
    const std::string w = Constant({3, x.shape[1]}), c = Constant({1, 3});
    Keep(Emit("Gemm", "%" + x.name + ", " + w + ", " + c, "transB = 1, alpha = 0.5, beta = 2.0"),
         {x.shape[0], 3});
  }

  void TransposedConvolution(const Item& x) {
    if (x.shape.size() != 4 || x.shape[1] % 2 != 0 || x.shape[2] > 8 || x.shape[3] > 8) return;
    const std::string w = Constant({x.shape[1], 2, 2, 2});
    Keep(Emit("ConvTranspose", "%" + x.name + ", " + w, "group = 2, strides = [2, 2]"),
         {x.shape[0], 4, x.shape[2] * 2, x.shape[3] * 2});
  }

  void Reduce(const Item& x) {
    Shape shape = x.shape;
    const auto axis = static_cast<size_t>(Below(static_cast<int>(shape.size())));
    shape[axis] = 1;
    static const char* kOps[] = {"ReduceMean", "ReduceMax", "ReduceSum"};
    const std::string axes = Ints({static_cast<int64_t>(axis)});
    const std::string reduced = Emit(kOps[Below(3)], "%" + x.name + ", " + axes, "keepdims = 1");
    Keep(Emit("Sub", "%" + x.name + ", " + reduced), x.shape);
  }

  void Scale(const Item& x) {
    if (x.shape.size() != 4) return;
    const std::string channel = Constant({x.shape[1], 1, 1});
    Keep(Emit(Below(2) ? "Mul" : "Add", "%" + x.name + ", " + channel), x.shape);
  }

  std::mt19937_64 random_;
  std::vector<Item> values_;
  std::string body_;
  int next_ = 0;
};

/// CAIRN_TEST_SEEDS asks for more than the default suite runs.
uint64_t NumSeeds() {
  const char* given = std::getenv("CAIRN_TEST_SEEDS");
  return given ? std::strtoull(given, nullptr, 10) : 150;
}

TEST(RandomGraphs, AnySubsetOfPassesKeepsTheResults) {
  int changes = 0;
  for (uint64_t seed = 1; seed <= NumSeeds(); ++seed) {
    const std::string text = RandomGraph(seed).Text(14);
    const auto original = ParseAndInfer(text);
    ASSERT_NE(original, nullptr) << text;
    std::mt19937_64 random(seed);
    PassOptions options;
    if (seed % 3 != 0) {
      for (const PassDef& pass : AllPasses()) options.switches[pass.name] = random() % 2 == 0;
    }
    const auto graph = original->Clone();
    auto records = RunPasses(*graph, options);
    ASSERT_TRUE(records.ok()) << records.status().ToString() << "\n" << text;
    for (const PassRecord& record : *records) changes += record.changes;
    // Rounding differences grow through up to 14 layers.
    EXPECT_LE(ResultDifference(*original, *graph, seed), 2e-3) << "seed " << seed << "\n" << text;
    // Idempotent: the second run finds nothing.
    ASSERT_FALSE(HasFailure()) << text;
    const std::string once = PrintGraph(*graph, {.max_constant_elements = -1});
    auto again = RunPasses(*graph, options);
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    EXPECT_EQ(PrintGraph(*graph, {.max_constant_elements = -1}), once) << text;
  }
  EXPECT_GT(changes, 500);
}

TEST(RandomGraphs, TheSameGraphGivesTheSameText) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto original = ParseAndInfer(RandomGraph(seed).Text(14));
    ASSERT_NE(original, nullptr);
    const auto a = original->Clone(), b = original->Clone();
    ASSERT_TRUE(RunPasses(*a, PassOptions()).ok());
    ASSERT_TRUE(RunPasses(*b, PassOptions()).ok());
    EXPECT_EQ(PrintGraph(*a, {.max_constant_elements = -1}),
              PrintGraph(*b, {.max_constant_elements = -1}));
  }
}

}  // namespace
}  // namespace cairn
