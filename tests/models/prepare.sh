#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lays ready what the network tests need: the Python packages, the fetched and the generated networks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scripts/setup_python.sh
scripts/fetch_models.sh --all
.venv/bin/python scripts/models/make_all.py "$@"
