x="$(bash --norc -ec 'IFS=:; p=(a b);
for i in ${!p[@]}; do
if [[ ${p[i]} == "c" ]]; then unset p; fi; done;
echo done')"
export y=2
source ~/quick.bash
sleep 0.05
