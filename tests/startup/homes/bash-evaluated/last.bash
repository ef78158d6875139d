x=1

y=2
sleep 0.05
