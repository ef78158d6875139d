#= planted 50
sleep 0.05
