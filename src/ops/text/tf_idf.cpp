// SPDX-License-Identifier: Apache-2.0
// TfIdfVectorizer: counts the n-grams of a pool in sequences of words or numbers.
#include <algorithm>
#include <map>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// Words are looked up as text, numbers by their digits.
using Gram = std::vector<std::string>;

struct Pool {
  std::map<Gram, size_t> column;  ///< Output column of each n-gram.
  int64_t columns = 0;
};

int64_t NumColumns(const Node& node) {
  int64_t last = -1;
  for (const int64_t index : node.GetInts("ngram_indexes")) last = std::max(last, index);
  return last + 1;
}

Status CheckLengths(const Node& node) {
  const int64_t min = node.GetInt("min_gram_length", 1), max = node.GetInt("max_gram_length", 1);
  const std::string mode = node.GetString("mode", "TF");
  const auto indexes = node.GetInts("ngram_indexes");
  if (min < 1 || max < min || max > 64 || node.GetInt("max_skip_count", 0) < 0) {
    return Status(Code::kInvalidModel, StrCat("grams of ", min, " to ", max, " words with ",
                                              node.GetInt("max_skip_count", 0),
                                              " skips are not possible"));
  }
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") {
    return Status(Code::kInvalidModel, StrCat("mode is '", mode, "', expected TF, IDF or TFIDF"));
  }
  if (std::any_of(indexes.begin(), indexes.end(),
                  [](int64_t i) { return i < 0 || i > (int64_t{1} << 31); })) {
    return Status(Code::kInvalidModel, "ngram_indexes must be column numbers");
  }
  const auto* weights = node.Get<Floats>("weights");
  if (weights && !weights->empty() && weights->size() != indexes.size()) {
    return Status(Code::kInvalidModel, StrCat("there are ", weights->size(), " weights for ",
                                              indexes.size(), " n-grams"));
  }
  return OkStatus();
}

Gram PoolWords(const Node& node) {
  if (const auto* strings = node.Get<Strings>("pool_strings"); strings && !strings->empty()) {
    return *strings;
  }
  Gram words;
  for (const int64_t number : node.GetInts("pool_int64s")) words.push_back(StrCat(number));
  return words;
}

/// onnx:TfIdfVectorizer ngram_counts: where the pool's 1-grams, 2-grams, ... begin.
Result<Pool> ReadPool(const Node& node) {
  const Gram words = PoolWords(node);
  const Ints counts = node.GetInts("ngram_counts"), indexes = node.GetInts("ngram_indexes");
  Pool pool;
  pool.columns = NumColumns(node);
  size_t gram = 0;
  for (size_t n = 0; n < counts.size(); ++n) {
    const auto total = static_cast<int64_t>(words.size());
    const int64_t begin = counts[n], end = n + 1 < counts.size() ? counts[n + 1] : total;
    const auto length = static_cast<int64_t>(n + 1);
    if (begin < 0 || end < begin || end > total || (end - begin) % length != 0) {
      return Status(Code::kInvalidModel, StrCat("ngram_counts [", StrJoin(counts),
                                                "] do not cut a pool of ", total, " words"));
    }
    for (int64_t at = begin; at < end; at += length, ++gram) {
      if (gram >= indexes.size()) {
        return Status(Code::kInvalidModel, "there are fewer ngram_indexes than n-grams");
      }
      pool.column[Gram(words.begin() + at, words.begin() + at + length)] = gram;
    }
  }
  return pool;
}

/// How often each n-gram of the pool occurs in a row.
std::vector<int64_t> CountGrams(const Node& node, const Pool& pool, const Gram& row,
                                size_t num_grams) {
  std::vector<int64_t> counts(num_grams, 0);
  const int64_t max_length = node.GetInt("max_gram_length", 1);
  const auto size = static_cast<int64_t>(row.size());
  for (int64_t skip = 1; skip <= node.GetInt("max_skip_count", 0) + 1 && skip <= size; ++skip) {
    for (int64_t start = 0; start < size; ++start) {
      Gram gram;
      for (int64_t length = 1; length <= max_length; ++length) {
        const int64_t at = start + (length - 1) * skip;
        if (at >= size) break;
        gram.push_back(row[static_cast<size_t>(at)]);
        // A single word skips nothing: it counts once.
        if (length < node.GetInt("min_gram_length", 1) || (length == 1 && skip > 1)) continue;
        const auto found = pool.column.find(gram);
        if (found != pool.column.end()) ++counts[found->second];
      }
    }
  }
  return counts;
}

Status InferTfIdf(InferContext& in) {
  RETURN_IF_ERROR(CheckLengths(in.node()));
  RETURN_IF_ERROR(ReadPool(in.node()).status());
  const ElementType dtype = in.type(0).dtype;
  if (dtype != ElementType::kUndefined && dtype != ElementType::kString) {
    RETURN_IF_ERROR(RequireIndexType(in, 0));
  }
  TensorType type(ElementType::kF32);
  if (in.dims(0)) {
    if (in.dims(0)->empty() || in.dims(0)->size() > 2) {
      return Status(Code::kInvalidModel,
                    StrCat("input 0 is ", in.type(0).ToString(), ", expected [C] or [N,C]"));
    }
    type.dims = *in.dims(0);
    type.dims->back() = Dim(NumColumns(in.node()));
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalTfIdf(EvalContext& in) {
  const Node& node = in.node();
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const Pool pool, ReadPool(node));
  const std::string mode = node.GetString("mode", "TF");
  const auto* weights = node.Get<Floats>("weights");
  const Ints indexes = node.GetInts("ngram_indexes");
  Shape shape = x.shape();
  const int64_t width = shape.back();
  const int64_t rows = shape.size() == 2 ? shape[0] : 1;
  shape.back() = pool.columns;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kF32, shape));
  for (int64_t r = 0; r < rows; ++r) {
    Gram row;
    for (int64_t i = r * width; i < (r + 1) * width; ++i) {
      row.push_back(x.dtype() == ElementType::kString ? x.strings()[static_cast<size_t>(i)]
                                                      : StrCat(x.GetInt(i)));
    }
    const std::vector<int64_t> counts = CountGrams(node, pool, row, indexes.size());
    for (size_t g = 0; g < counts.size(); ++g) {
      if (counts[g] == 0) continue;
      const double weight = mode != "TF" && weights && !weights->empty() ? (*weights)[g] : 1;
      const double count = mode == "IDF" ? 1 : static_cast<double>(counts[g]);
      y->SetDouble(r * pool.columns + indexes[g], count * weight);
    }
  }
  return OkStatus();
}

}  // namespace

OpDef TfIdfVectorizerOp() {
  return OpDef("TfIdfVectorizer")
      .Input("X")
      .Output("Y")
      .Attr("max_gram_length", AttrKind::kInt, "Words in the longest n-grams.")
      .Attr("max_skip_count", AttrKind::kInt, "Most words left out between two of an n-gram.")
      .Attr("min_gram_length", AttrKind::kInt, "Words in the shortest n-grams.")
      .Attr("mode", AttrKind::kString, "TF: counts; IDF: weights of what occurs; TFIDF: products.")
      .Attr("ngram_counts", AttrKind::kInts, "Where the 1-grams, 2-grams, ... begin in the pool.")
      .Attr("ngram_indexes", AttrKind::kInts, "Output column of each n-gram of the pool.")
      .OptionalAttr("pool_int64s", AttrKind::kInts, "The pool for numbers.")
      .OptionalAttr("pool_strings", AttrKind::kStrings, "The pool for strings.")
      .OptionalAttr("weights", AttrKind::kFloats, "One for each n-gram; 1 when absent.")
      .Doc("For each row of X, [C] or [N,C] strings or integers, the n-grams of the pool that "
           "occur in it. The words of an n-gram are equally far apart.")
      .Infer(InferTfIdf)
      .Reference(EvalTfIdf)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
