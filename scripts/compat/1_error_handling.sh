# SPDX-License-Identifier: Apache-2.0
# Reads the code and text of a failure, then finds both consumed.
check() { grep -qE "107[0-9]{3}|100000" "$1"; }
