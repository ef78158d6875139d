y=1
/bin/true
