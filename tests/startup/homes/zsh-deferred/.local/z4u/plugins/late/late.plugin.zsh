sleep 0.4
