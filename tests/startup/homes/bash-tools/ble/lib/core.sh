#= planted 50 runs value=$(sleep 0.05)
function ble/util/assign { builtin eval "$1=\$(builtin eval -- \"\${@:2}\")"; }
ble/util/assign value 'sleep 0.05'
ble/array#push() { builtin eval "$1+=(\"\${@:2}\")"; }
ble/array#push list one two
#= planted 50 runs (sleep 0.05)
(sleep 0.05)
