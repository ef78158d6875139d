# Read by both shells.
#= planted 100 2
sleep 0.05
common() {
  #= planted 100 2
  sleep 0.05
}
common
