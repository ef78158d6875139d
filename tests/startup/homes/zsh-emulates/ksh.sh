for it in 1 2 3; do
  #= planted 60 3
  sleep 0.02
done
#= planted 50 runs sleep 0.05
while sleep 0.05; do
  break
done
