# Read twice.
#= planted 60 2
sleep 0.03
