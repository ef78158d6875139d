# Each command of the table of known normal exits.
grep -q _none_ /etc/passwd      #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: grep exit 1 = no match (normal)
egrep -q _none_ /etc/passwd     #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: egrep exit 1 = no match (normal)
fgrep -q _none_ /etc/passwd     #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: fgrep exit 1 = no match (normal)
rg -q _none_ /etc/passwd        #= 1
#^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: rg exit 1 = no match (normal)
zgrep -q _none_ /etc/passwd     #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: zgrep exit 1 = no match (normal)
pgrep -x no-such-process        #= 1
#^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: pgrep exit 1 = no match (normal)
diff -q /etc/passwd /etc/hosts  #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[files-differ]: diff exit 1 = files differ (normal)
cmp -s /etc/passwd /etc/hosts   #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[files-differ]: cmp exit 1 = files differ (normal)
test -e /nonexistent            #= 1
#^^^^^^^^^^^^^^^^^^^ info[condition-false]: test exit 1 = condition false (normal)
[ -e /nonexistent ]             #= 1
#^^^^^^^^^^^^^^^^^^ info[condition-false]: [ exit 1 = condition false (normal)
[[ -e /nonexistent ]]           #= 1
#^^^^^^^^^^^^^^^^^^^^ info[condition-false]: [[ exit 1 = condition false (normal)
git -c alias.died='!kill -s PIPE $$' died       #= 141
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[pager-closed]: git exit 141 = pager closed (normal)

# The command that gave the exit is looked for behind what stands before it.
X=1 LC_ALL=C grep -q _none_ /etc/passwd         #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: grep exit 1 = no match (normal)
env -i X=1 grep -q _none_ /etc/passwd           #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: grep exit 1 = no match (normal)
command grep -q _none_ /etc/passwd              #= 1
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: grep exit 1 = no match (normal)

# 2 and above is a real failure, and so is 1 of anything else.
cmp -s /etc/passwd /nonexistent #= 2
ls /nonexistent                 #= 2
cat /nonexistent                #= 1
