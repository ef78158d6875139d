#!/bin/bash
# A line editor in bash: aliases and options put aside, functions with slashes and colons in their names.
{
  _ble_init_alias=$(alias); unalias -a
  IFS=$' \t\n'
} 2>/dev/null
[[ $- == *i* ]] || { return 1 || exit 1; }
function ble/base/sleep {
  #= planted 100 2
  command sleep "$1"
}
function ble/base/load:one { ble/base/sleep 0.05 || return "$?"; }
ble/base/load:one
builtin eval -- "$_ble_init_alias"
ble/base/load:one
_ble_base=${BASH_SOURCE%/*}
source "$_ble_base/lib/core.sh"
function ble-attach {
  set +e
  #= planted 50
  sleep 0.05
}
BLE_VERSION=1
