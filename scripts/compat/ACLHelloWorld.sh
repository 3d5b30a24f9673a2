# SPDX-License-Identifier: Apache-2.0
# Initialises, opens the device and ends.
run() { (cd out && ./main); }
check() { ! grep -q ERROR "$1" && grep -q 'Acl Finalize Success' "$1"; }
