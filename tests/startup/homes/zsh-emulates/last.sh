#= planted 50
sleep 0.05
#= planted 60
sleep 0.06