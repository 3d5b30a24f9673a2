# SPDX-License-Identifier: Apache-2.0
# Compiles and runs the operator Add on 32-bit integers.
prepare() { (cd run/out/test_data/data && "$COMPAT_PYTHON" generate_data.py); }
run() { (cd run/out && ./execute_add_op); }
check() {
  ! grep -q '\[ERROR\]' "$1" &&
    "$COMPAT_PYTHON" scripts/verify_result.py run/out/test_data/data/input_0.bin \
      run/out/test_data/data/input_1.bin run/out/result_files/output_0.bin
}
