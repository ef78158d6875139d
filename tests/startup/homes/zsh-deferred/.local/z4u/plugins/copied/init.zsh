sleep 0.05
