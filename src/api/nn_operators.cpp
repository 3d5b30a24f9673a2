// SPDX-License-Identifier: Apache-2.0
// The operators of the two-phase interface.
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_tanh.h"
#include "api/nn_executor.h"

using namespace cairn::api;  // NOLINT: the C functions are the file's only content

namespace {

/// 1 when the scalar is absent.
double ValueOf(const aclScalar* scalar) { return scalar == nullptr ? 1 : scalar->value; }

}  // namespace

// Parameters of the first phase that every operator has.
#define NN_OUT uint64_t *workspaceSize, aclOpExecutor **executor
// The second phase of operator `name`.
#define NN_LAUNCH(name)                                                                      \
  aclnnStatus aclnn##name(void*, uint64_t, aclOpExecutor* executor, aclrtStream stream) {    \
    return LaunchNn("aclnn" #name, executor, stream);                                        \
  }
// out = type(self).
#define NN_UNARY(name)                                                                       \
  aclnnStatus aclnn##name##GetWorkspaceSize(const aclTensor* self, aclTensor* out, NN_OUT) { \
    return PrepareNn("aclnn" #name "GetWorkspaceSize", #name, {self}, out, {}, workspaceSize, \
                     executor);                                                              \
  }                                                                                          \
  NN_LAUNCH(name)
// out = type(self, other).
#define NN_BINARY(name, type)                                                                \
  aclnnStatus aclnn##name##GetWorkspaceSize(const aclTensor* self, const aclTensor* other,   \
                                            aclTensor* out, NN_OUT) {                        \
    return PrepareNn("aclnn" #name "GetWorkspaceSize", type, {self, other}, out, {},         \
                     workspaceSize, executor);                                               \
  }                                                                                          \
  NN_LAUNCH(name)
// out = self + sign * alpha * other.
#define NN_SUM(name, sign)                                                                   \
  aclnnStatus aclnn##name##GetWorkspaceSize(const aclTensor* self, const aclTensor* other,   \
                                            const aclScalar* alpha, aclTensor* out, NN_OUT) { \
    return PrepareNn("aclnn" #name "GetWorkspaceSize", "ScaledAdd", {self, other}, out,      \
                     {{"alpha", sign * ValueOf(alpha)}}, workspaceSize, executor);           \
  }                                                                                          \
  NN_LAUNCH(name)
// out = factor * self + addend; the scalar operand must be there.
#define NN_SCALAR(name, parameters, factor, addend)                                          \
  aclnnStatus aclnn##name##GetWorkspaceSize parameters {                                     \
    if (other == nullptr) return NnNull("aclnn" #name "GetWorkspaceSize", "other");          \
    return PrepareNn("aclnn" #name "GetWorkspaceSize", "Affine", {self}, out,                \
                     {{"factor", double{factor}}, {"addend", double{addend}}}, workspaceSize, \
                     executor);                                                              \
  }                                                                                          \
  NN_LAUNCH(name)
#define NN_PRODUCT(name, type)                                                               \
  aclnnStatus aclnn##name##GetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,    \
                                            aclTensor* out, int8_t, NN_OUT) {                \
    return PrepareNn("aclnn" #name "GetWorkspaceSize", type, {self, mat2}, out, {},          \
                     workspaceSize, executor);                                               \
  }                                                                                          \
  NN_LAUNCH(name)

NN_UNARY(Abs)
NN_UNARY(Ceil)
NN_UNARY(Cos)
NN_UNARY(Erf)
NN_UNARY(Exp)
NN_UNARY(Floor)
NN_UNARY(Log)
NN_UNARY(Neg)
NN_UNARY(Reciprocal)
NN_UNARY(Relu)
NN_UNARY(Round)
NN_UNARY(Rsqrt)
NN_UNARY(Sigmoid)
NN_UNARY(Sin)
NN_UNARY(Sqrt)
NN_UNARY(Tanh)

NN_BINARY(Mul, "Mul")
NN_BINARY(Div, "RealDiv")
NN_BINARY(Maximum, "Maximum")
NN_BINARY(Minimum, "Minimum")
NN_SUM(Add, 1)
NN_SUM(Sub, -1)
NN_SCALAR(Adds,
          (const aclTensor* self, const aclScalar* other, const aclScalar* alpha, aclTensor* out,
           NN_OUT),
          1.0, ValueOf(alpha) * other->value)
NN_SCALAR(Subs,
          (const aclTensor* self, const aclScalar* other, const aclScalar* alpha, aclTensor* out,
           NN_OUT),
          1.0, -ValueOf(alpha) * other->value)
NN_SCALAR(Muls, (const aclTensor* self, const aclScalar* other, aclTensor* out, NN_OUT),
          other->value, 0.0)
NN_SCALAR(Divs, (const aclTensor* self, const aclScalar* other, aclTensor* out, NN_OUT),
          1.0 / other->value, 0.0)
NN_PRODUCT(Matmul, "MatMul")
NN_PRODUCT(Mm, "MatMul")
NN_PRODUCT(BatchMatMul, "BatchMatMul")

aclnnStatus aclnnInplaceAddGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            const aclScalar* alpha, NN_OUT) {
  return PrepareNn("aclnnInplaceAddGetWorkspaceSize", "ScaledAdd", {selfRef, other}, selfRef,
                   {{"alpha", ValueOf(alpha)}}, workspaceSize, executor);
}
NN_LAUNCH(InplaceAdd)

aclnnStatus aclnnInplaceMulGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other, NN_OUT) {
  return PrepareNn("aclnnInplaceMulGetWorkspaceSize", "Mul", {selfRef, other}, selfRef, {},
                   workspaceSize, executor);
}
NN_LAUNCH(InplaceMul)

aclnnStatus aclnnSoftmaxGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* out,
                                         NN_OUT) {
  return PrepareNn("aclnnSoftmaxGetWorkspaceSize", "SoftmaxV2", {self}, out,
                   {{"axes", std::vector<int64_t>{dim}}}, workspaceSize, executor);
}
NN_LAUNCH(Softmax)

aclnnStatus aclnnCastGetWorkspaceSize(const aclTensor* self, const aclDataType dtype,
                                      aclTensor* out, NN_OUT) {
  return PrepareNn("aclnnCastGetWorkspaceSize", "Cast", {self}, out,
                   {{"dst_type", int64_t{static_cast<int>(dtype)}}}, workspaceSize, executor);
}
NN_LAUNCH(Cast)

aclnnStatus aclnnInit(const char*) { return OK; }
aclnnStatus aclnnFinalize() { return OK; }
