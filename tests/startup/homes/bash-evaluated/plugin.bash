if true; then
  :
fi
#= planted 50 runs eval "$(prints behind_file.bash)"
eval "$(prints behind_file.bash)"
#= planted 50 runs eval "$(prints behind_substitution.bash)"
eval "$(prints behind_substitution.bash)"


: the line that bash counts for the substitution, with its first word
