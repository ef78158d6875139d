: first
if true; then
  #= planted 50
  sleep 0.05
fi
#= planted 60 3
for each in 1 2 3; do sleep 0.02; done
