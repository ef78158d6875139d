# Only source this once.
if [ -n "$__HM_SESS_VARS_SOURCED" ]; then return; fi
export __HM_SESS_VARS_SOURCED=1

#= planted 50 runs value=$(sleep 0.05; echo /store/locale)
export LOCALE_ARCHIVE_2_27="$(sleep 0.05; echo /store/locale)"
export TERMINFO_DIRS="/home/me/.nix-profile/share/terminfo:$TERMINFO_DIRS${TERMINFO_DIRS:+:}/etc/terminfo"; export PATH="$PATH${PATH:+:}$HOME/.local/bin"
