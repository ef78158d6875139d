# Sourced by a relative name, with arguments.
(( $# == 2 )) || return
#= planted 50
sleep 0.05
