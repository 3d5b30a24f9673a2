# SPDX-License-Identifier: Apache-2.0
# Reads the code and text of a failure, then finds both consumed.
check() { grep -q 107\\\|100000 "$1"; }
