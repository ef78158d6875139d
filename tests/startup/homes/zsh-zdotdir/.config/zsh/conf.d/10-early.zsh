#= planted 50 runs value=$(slowtool word)
early=$(slowtool word)
return 0
sleep 9
