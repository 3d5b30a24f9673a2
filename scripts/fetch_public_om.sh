#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches offline models that the original tool chain wrote, for the tests that read such files.
# Usage: fetch_public_om.sh [FOLDER]; default: build/public-om. The files are not ours to pass on.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/public-om}
base=${CAIRN_PUBLIC_OM_URL:-https://raw.githubusercontent.com/hicann/ge/ffdcbc9f7496c17a98c1d12762c61ed608ef3503}
mkdir -p "$folder"
for name in root_model dynamic_and_static_graph_without_unfold flow_model; do
  [ -s "$folder/$name.om" ] && continue
  curl -fsSL --retry 3 -o "$folder/$name.om.part" \
    "$base/tests/ge/st/st_run_data/origin_model/$name.om"
  mv "$folder/$name.om.part" "$folder/$name.om"
done
echo "$folder"
