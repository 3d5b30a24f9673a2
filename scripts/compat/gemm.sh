# SPDX-License-Identifier: Apache-2.0
# C = alpha * A * B + beta * C in float16 through the BLAS face.
prepare() {
  mkdir -p run/out/op_models
  (cd run/out/test_data/data && "$COMPAT_PYTHON" generate_data.py)
}
run() { (cd run/out && ./execute_gemm_op); }
check() {
  ! grep -q '\[ERROR\]' "$1" &&
    "$COMPAT_PYTHON" "$COMPAT_SCRIPTS/stand_in.py" check-bytes run/out/result_files/matrix_c.bin \
      run/out/test_data/data/output.bin float16 0.016
}
