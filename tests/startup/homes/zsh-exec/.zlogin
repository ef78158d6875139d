#= planted 50 runs value=$(sleep 0.05)
value=$(sleep 0.05)
