# SPDX-License-Identifier: Apache-2.0
# Sourced by bash or zsh: puts this installation's commands and libraries on the search paths.
if [ -n "${BASH_SOURCE:-}" ]; then
  _cairn_script="${BASH_SOURCE[0]}"
else
  _cairn_script="$0"
fi
ASCEND_HOME_PATH="$(cd "$(dirname "$(readlink -f "$_cairn_script")")" && pwd)"
unset _cairn_script
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
