x=1


y="$(sleep 0.05
echo two)"
export z=1
