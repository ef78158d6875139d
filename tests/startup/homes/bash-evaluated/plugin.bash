if true; then
  :
fi
#= planted 50
eval "$(prints behind_file.bash)"
