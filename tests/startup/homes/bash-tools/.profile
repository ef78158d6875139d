# ~/.profile: executed by the command interpreter for login shells.
if [ -d ~/.profile.d ]; then
  for i in ~/.profile.d/*.sh ~/.profile.d/sh.local; do
    if [ -r "$i" ]; then
      if [ "${-#*i}" != "$-" ]; then
        . "$i"
      else
        . "$i" >/dev/null
      fi
    fi
  done
  unset i
fi
append_path () {
  case ":$PATH:" in
    *:"$1":*)
      ;;
    *)
      #= planted 60 2
      sleep 0.03
      PATH="${PATH:+$PATH:}$1"
  esac
}
append_path '/usr/local/one'
append_path '/usr/local/two'
append_path '/usr/local/two'
unset -f append_path
