# Evaluated texts of several lines: each command of them is the line with the eval, also what is behind a file
# that they read, and in the process of a substitution.
prints() {
  cat ~/"$1"
}
#= planted 50 runs eval "$(prints last.bash)"
eval "$(prints last.bash)"
#= planted 50 runs eval "$(prints behind_file.bash)"
eval "$(prints behind_file.bash)"
#= planted 50 runs eval "$(prints behind_substitution.bash)"
eval "$(prints behind_substitution.bash)"
#= planted 50 runs eval "$(prints in_substitution.bash)"
eval "$(prints in_substitution.bash)"
#= planted 100 runs eval "$(prints twice.bash)"
eval "$(prints twice.bash)"
evaluates() {
  #= planted 50 runs eval "$(prints behind_file.bash)"
  eval "$(prints behind_file.bash)"
}
evaluates
source ~/plugin.bash
