# Two things can be true of one line.
grep x /nonexistent | grep y | cat      #= 2|1|0
#^^^^^^^^^^^^^^^^^^ warning[masked-pipe-failure]: pipe segment 1 exited 2 (masked by downstream)
#                     ^^^^^^ info[masked-pipe-failure]: pipe segment 2 exited 1 (masked by downstream)

# A plain success says nothing, nor does a plain failure.
echo ok | cat               #= 0|0
sh -c 'exit 3'              #= 3

# A signal masked is a failure masked.
sh -c 'kill -9 $$' | cat    #= 137|0
#^^^^^^^^^^^^^^^^^ warning[masked-pipe-failure]: pipe segment 1 exited 137 (masked by downstream)

# Both the masked segments and the last one may speak.
false | sh -c 'exit 2' | grep x /etc/hostname    #= 1|2|1
#^^^^ warning[masked-pipe-failure]: pipe segment 1 exited 1 (masked by downstream)
#       ^^^^^^^^^^^^^^ warning[masked-pipe-failure]: pipe segment 2 exited 2 (masked by downstream)
#                        ^^^^^^^^^^^^^^^^^^^^ info[grep-no-match]: grep exit 1 = no match (normal)

# The general meanings go before any command's own.
grep-of-nothing x           #= 127
#^^^^^^^^^^^^^^^^ warning[command-not-found]: command not found (exit 127)
