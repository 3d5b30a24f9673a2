# SPDX-License-Identifier: Apache-2.0
# Copies between host and device memory, both ways.
run() {
  (
    cd out
    ./main --release_cycle 2 --number_of_cycles 2 --device_id 0 --memory_size 1048576 --write_back_host 1 \
      --memory_reuse 1
  )
}
check() { ! grep -q '\[ERROR\]' "$1"; }
