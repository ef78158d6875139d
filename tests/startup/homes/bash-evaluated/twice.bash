x=1

source ~/quick.bash
sleep 0.05


f() {
  sleep 0.05
}
f
