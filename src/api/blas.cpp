// SPDX-License-Identifier: Apache-2.0
// Matrix products: C = alpha op(A) op(B) + beta C, row-major.
#include "acl/ops/acl_cblas.h"

#include "api/data_types.h"
#include "api/op_call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

struct Product {
  aclTransType trans_a = ACL_TRANS_N, trans_b = ACL_TRANS_N, trans_c = ACL_TRANS_N;
  int m = 0, n = 0, k = 0;
  aclDataType a = ACL_FLOAT16, b = ACL_FLOAT16, c = ACL_FLOAT16;
};

struct Operands {
  const void* alpha = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  const void* beta = nullptr;
  void* c = nullptr;
};

Answer CheckTrans(const char* name, aclTransType trans) {
  if (trans == ACL_TRANS_N || trans == ACL_TRANS_T) return {};
  if (trans == ACL_TRANS_NZ || trans == ACL_TRANS_NZ_T)
    return NotSupported(StrCat("Value ", static_cast<int>(trans), " for ", name),
                        "matrices are row-major");
  return InvalidArgument(name, static_cast<int>(trans), "there is no such value");
}

Answer CheckSize(const char* name, int size) {
  if (size > 0) return {};
  return InvalidArgument(name, size, "it must be positive");
}

Answer CheckProduct(const Product& p) {
  ACL_RETURN_IF_FAILED(CheckTrans("transA", p.trans_a));
  ACL_RETURN_IF_FAILED(CheckTrans("transB", p.trans_b));
  if (p.trans_c != ACL_TRANS_N)
    return InvalidArgument("transC", static_cast<int>(p.trans_c), "only ACL_TRANS_N is available");
  ACL_RETURN_IF_FAILED(CheckSize("m", p.m));
  ACL_RETURN_IF_FAILED(CheckSize("n", p.n));
  ACL_RETURN_IF_FAILED(CheckSize("k", p.k));
  const bool half = p.a == ACL_FLOAT16 && p.b == ACL_FLOAT16 &&
                    (p.c == ACL_FLOAT16 || p.c == ACL_FLOAT);
  const bool integer = p.a == ACL_INT8 && p.b == ACL_INT8 && (p.c == ACL_FLOAT || p.c == ACL_INT32);
  const bool single = p.a == ACL_FLOAT && p.b == ACL_FLOAT && p.c == ACL_FLOAT;
  if (half || integer || single) return {};
  return InvalidArgument("dataTypeA", static_cast<int>(p.a),
                         StrCat("with B ", static_cast<int>(p.b), " and C ", static_cast<int>(p.c),
                                " there is no product"),
                         ACL_ERROR_UNSUPPORTED_DATA_TYPE);
}

Answer CheckReserved(const char* name, int value) {
  if (value == -1) return {};
  return InvalidArgument(name, value, "it must be -1");
}

runtime::OperatorSpec SpecOf(const Product& p) {
  const auto matrix = [](aclTransType trans, int rows, int columns) -> std::vector<int64_t> {
    if (trans == ACL_TRANS_T) return {columns, rows};
    return {rows, columns};
  };
  const ElementType c = FromAcl(p.c);
  runtime::OperatorSpec spec;
  spec.type = "GEMM";
  spec.inputs = {{FromAcl(p.a), matrix(p.trans_a, p.m, p.k), {}},
                 {FromAcl(p.b), matrix(p.trans_b, p.k, p.n), {}},
                 {c, {p.m, p.n}, {}},
                 {c, {}, {}},
                 {c, {}, {}}};
  spec.outputs = {{c, std::vector<int64_t>{p.m, p.n}}};
  spec.attributes["transpose_a"] = int64_t{p.trans_a == ACL_TRANS_T};
  spec.attributes["transpose_b"] = int64_t{p.trans_b == ACL_TRANS_T};
  return spec;
}

Answer Run(const Product& product, const Operands& operands, aclrtStream stream) {
  ACL_REQUIRE(operands.alpha);
  ACL_REQUIRE(operands.a);
  ACL_REQUIRE(operands.b);
  ACL_REQUIRE(operands.beta);
  ACL_REQUIRE(operands.c);
  ACL_RETURN_IF_FAILED(CheckProduct(product));
  OpCall call;
  call.spec = SpecOf(product);
  const void* const data[] = {operands.a, operands.b, operands.c, operands.alpha, operands.beta};
  for (size_t i = 0; i < call.spec.inputs.size(); ++i) {
    uint64_t count = 1;
    for (const int64_t dim : call.spec.inputs[i].dims) count *= static_cast<uint64_t>(dim);
    call.inputs.push_back(
        {const_cast<void*>(data[i]), ElementBytes(call.spec.inputs[i].dtype, count)});
  }
  call.outputs.push_back({operands.c, call.inputs[2].bytes});
  PreparedOp op;
  ACL_RETURN_IF_FAILED(Prepare(call, stream, op));
  return Enqueue(std::move(op), stream);
}

/// A handle takes A, B (or x), C (or y), alpha, beta as inputs and C (or y) as output.
Answer MakeHandle(const Product& product, aclopHandle** handle) {
  ACL_RETURN_IF_FAILED(CheckProduct(product));
  const runtime::OperatorSpec spec = SpecOf(product);
  std::vector<aclTensorDesc*> descs;
  const auto add = [&](aclDataType type, const std::vector<int64_t>& dims) {
    descs.push_back(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(),
                                        ACL_FORMAT_ND));
  };
  for (const auto& input : spec.inputs) add(ToAcl(input.dtype), input.dims);
  add(product.c, *spec.outputs[0].dims);
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrBool(attr, "transpose_a", product.trans_a == ACL_TRANS_T);
  aclopSetAttrBool(attr, "transpose_b", product.trans_b == ACL_TRANS_T);
  const aclError code =
      aclopCreateHandle("GEMM", 5, descs.data(), 1, descs.data() + 5, attr, handle);
  aclopDestroyAttr(attr);
  for (aclTensorDesc* desc : descs) aclDestroyTensorDesc(desc);
  if (code == ACL_SUCCESS) return {};
  return {code, Kind::kInner, "The operator GEMM could not be prepared."};
}

}  // namespace

aclError aclblasGemmEx(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n,
                       int k, const void* alpha, const void* matrixA, int lda,
                       aclDataType dataTypeA, const void* matrixB, int ldb, aclDataType dataTypeB,
                       const void* beta, void* matrixC, int ldc, aclDataType dataTypeC,
                       aclComputeType, aclrtStream stream) {
  return Guard("aclblasGemmEx", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckReserved("lda", lda));
    ACL_RETURN_IF_FAILED(CheckReserved("ldb", ldb));
    ACL_RETURN_IF_FAILED(CheckReserved("ldc", ldc));
    return Run({transA, transB, transC, m, n, k, dataTypeA, dataTypeB, dataTypeC},
               {alpha, matrixA, matrixB, beta, matrixC}, stream);
  });
}

aclError aclblasGemvEx(aclTransType transA, int m, int n, const void* alpha, const void* a, int lda,
                       aclDataType dataTypeA, const void* x, int incx, aclDataType dataTypeX,
                       const void* beta, void* y, int incy, aclDataType dataTypeY, aclComputeType,
                       aclrtStream stream) {
  return Guard("aclblasGemvEx", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckReserved("lda", lda));
    ACL_RETURN_IF_FAILED(CheckReserved("incx", incx));
    ACL_RETURN_IF_FAILED(CheckReserved("incy", incy));
    return Run({transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n, dataTypeA, dataTypeX, dataTypeY},
               {alpha, a, x, beta, y}, stream);
  });
}

aclError aclblasHgemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n,
                      int k, const aclFloat16* alpha, const aclFloat16* matrixA, int lda,
                      const aclFloat16* matrixB, int ldb, const aclFloat16* beta,
                      aclFloat16* matrixC, int ldc, aclComputeType type, aclrtStream stream) {
  return aclblasGemmEx(transA, transB, transC, m, n, k, alpha, matrixA, lda, ACL_FLOAT16, matrixB,
                       ldb, ACL_FLOAT16, beta, matrixC, ldc, ACL_FLOAT16, type, stream);
}

aclError aclblasHgemv(aclTransType transA, int m, int n, const aclFloat16* alpha,
                      const aclFloat16* a, int lda, const aclFloat16* x, int incx,
                      const aclFloat16* beta, aclFloat16* y, int incy, aclComputeType type,
                      aclrtStream stream) {
  return aclblasGemvEx(transA, m, n, alpha, a, lda, ACL_FLOAT16, x, incx, ACL_FLOAT16, beta, y,
                       incy, ACL_FLOAT16, type, stream);
}

aclError aclblasS8gemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n,
                       int k, const int32_t* alpha, const int8_t* matrixA, int lda,
                       const int8_t* matrixB, int ldb, const int32_t* beta, int32_t* matrixC,
                       int ldc, aclComputeType type, aclrtStream stream) {
  return aclblasGemmEx(transA, transB, transC, m, n, k, alpha, matrixA, lda, ACL_INT8, matrixB, ldb,
                       ACL_INT8, beta, matrixC, ldc, ACL_INT32, type, stream);
}

aclError aclblasS8gemv(aclTransType transA, int m, int n, const int32_t* alpha, const int8_t* a,
                       int lda, const int8_t* x, int incx, const int32_t* beta, int32_t* y,
                       int incy, aclComputeType type, aclrtStream stream) {
  return aclblasGemvEx(transA, m, n, alpha, a, lda, ACL_INT8, x, incx, ACL_INT8, beta, y, incy,
                       ACL_INT32, type, stream);
}

aclError aclblasCreateHandleForGemmEx(aclTransType transA, aclTransType transB, aclTransType transC,
                                      int m, int n, int k, aclDataType dataTypeA,
                                      aclDataType dataTypeB, aclDataType dataTypeC, aclComputeType,
                                      aclopHandle** handle) {
  return Guard("aclblasCreateHandleForGemmEx", [&] {
    return MakeHandle({transA, transB, transC, m, n, k, dataTypeA, dataTypeB, dataTypeC}, handle);
  });
}

aclError aclblasCreateHandleForGemvEx(aclTransType transA, int m, int n, aclDataType dataTypeA,
                                      aclDataType dataTypeX, aclDataType dataTypeY, aclComputeType,
                                      aclopHandle** handle) {
  return Guard("aclblasCreateHandleForGemvEx", [&] {
    return MakeHandle(
        {transA, ACL_TRANS_N, ACL_TRANS_N, m, 1, n, dataTypeA, dataTypeX, dataTypeY}, handle);
  });
}

aclError aclblasCreateHandleForHgemm(aclTransType transA, aclTransType transB, aclTransType transC,
                                     int m, int n, int k, aclComputeType type,
                                     aclopHandle** handle) {
  return aclblasCreateHandleForGemmEx(transA, transB, transC, m, n, k, ACL_FLOAT16, ACL_FLOAT16,
                                      ACL_FLOAT16, type, handle);
}

aclError aclblasCreateHandleForHgemv(aclTransType transA, int m, int n, aclComputeType type,
                                     aclopHandle** handle) {
  return aclblasCreateHandleForGemvEx(transA, m, n, ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, type,
                                      handle);
}

aclError aclblasCreateHandleForS8gemm(aclTransType transA, aclTransType transB, aclTransType transC,
                                      int m, int n, int k, aclComputeType type,
                                      aclopHandle** handle) {
  return aclblasCreateHandleForGemmEx(transA, transB, transC, m, n, k, ACL_INT8, ACL_INT8,
                                      ACL_INT32, type, handle);
}

aclError aclblasCreateHandleForS8gemv(aclTransType transA, int m, int n, aclComputeType type,
                                      aclopHandle** handle) {
  return aclblasCreateHandleForGemvEx(transA, m, n, ACL_INT8, ACL_INT8, ACL_INT32, type, handle);
}
