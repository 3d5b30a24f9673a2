# SPDX-License-Identifier: Apache-2.0
# Sourced by bash or zsh: puts this installation's commands and libraries on the search paths. Other
# shells (sh in a Dockerfile) do not say where a sourced file lies; they get the default installation.
if [ -n "${BASH_SOURCE:-}" ]; then
  _cairn_script="${BASH_SOURCE[0]}"
else
  _cairn_script="$0"
fi
_cairn_home="$(cd "$(dirname "$(readlink -f "$_cairn_script")")" && pwd)"
[ -x "$_cairn_home/bin/atc" ] || _cairn_home=/usr/local/Ascend/ascend-toolkit/latest
if [ ! -x "$_cairn_home/bin/atc" ]; then
  echo "set_env.sh: this shell does not say where the file lies; source it in bash or zsh" >&2
  unset _cairn_script _cairn_home
  return 1
fi
ASCEND_HOME_PATH="$_cairn_home"
unset _cairn_script _cairn_home
export ASCEND_HOME_PATH
export ASCEND_TOOLKIT_HOME="$ASCEND_HOME_PATH"
export ASCEND_AICPU_PATH="$ASCEND_HOME_PATH"
export ASCEND_OPP_PATH="$ASCEND_HOME_PATH/opp"
export DDK_PATH="$ASCEND_HOME_PATH"
export NPU_HOST_LIB="$ASCEND_HOME_PATH/runtime/lib64/stub"
export CMAKE_PREFIX_PATH="$ASCEND_HOME_PATH${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
case ":$PATH:" in
  *":$ASCEND_HOME_PATH/bin:"*) ;;
  *) export PATH="$ASCEND_HOME_PATH/bin:$PATH" ;;
esac
case ":${LD_LIBRARY_PATH:-}:" in
  *":$ASCEND_HOME_PATH/lib64:"*) ;;
  *) export LD_LIBRARY_PATH="$ASCEND_HOME_PATH/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" ;;
esac
