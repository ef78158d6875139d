x=1
y=2
source ~/quick.bash

export z=1
sleep 0.05
