# What an interactive fish evaluates so that memory learns from it (`zsh-ls init fish | source`). It stays within
# the shell: nothing is started at a prompt. Its records are those of `zsh_ls/alan/terminal.py`.
if status is-interactive
    set -g _zsh_ls_file
    set -g _zsh_ls_session cli-$fish_pid
    set -g _zsh_ls_folder $PWD
    set -g _zsh_ls_bytes 0
    set -g _zsh_ls_tells '^Xy'
    set -g _zsh_ls_failed
    set -g _zsh_ls_rows
    set -g _zsh_ls_news

    # The name that memory gives this terminal, and a private file for what runs in it.
    function _zsh_ls_begin
        set -l spool $HOME/.local/share/zsh-ls
        if test -n "$_zsh_ls_database$ALAN_DB_PATH"
            set -l database $ALAN_DB_PATH
            test -n "$_zsh_ls_database"; and set database $_zsh_ls_database
            set spool (path dirname -- (path resolve -- $database))
        else if test (uname) = Darwin
            set spool "$HOME/Library/Application Support/zsh-ls"
        else if test -n "$XDG_DATA_HOME"
            set spool $XDG_DATA_HOME/zsh-ls
        end
        set spool $spool/terminal
        if not test -e $spool
            set -l before (umask)
            umask 077
            command mkdir -p -- $spool 2>/dev/null
            umask $before
        end
        # What others could write to holds nothing of this terminal.
        if test -O $spool; and command ls -ld -- $spool 2>/dev/null | string match -qr '^d.{4}[^w].{2}[^w]'
            set -g _zsh_ls_file $spool/$fish_pid.log
            echo -n >$spool/$fish_pid.hook 2>/dev/null
        end
        if test -r /proc/$fish_pid/stat
            read -l line </proc/$fish_pid/stat
            set -l fields (string split ' ' -- (string replace -r '.*\) ' '' -- $line))
            set -l leader $fields[4]
            test "$leader" = 0; and set leader 1
            set -g _zsh_ls_session cli-$leader
            if test -r /proc/$leader/stat
                read -l line </proc/$leader/stat
                set fields (string split ' ' -- (string replace -r '.*\) ' '' -- $line))
                set -g _zsh_ls_session cli-$leader-$fields[20]
            end
        end
    end

    function _zsh_ls_preexec --on-event fish_preexec
        set -g _zsh_ls_folder $PWD
    end

    function _zsh_ls_postexec --on-event fish_postexec
        set -l codes $status $pipestatus
        set -l took $CMD_DURATION
        set -l text $argv[1]
        test -n "$text" -a -z "$ZSH_LS_OFF" -a -z "$fish_private_mode"; or return
        if test -n "$ZSH_LS_IGNORE"; and string match -q -- $ZSH_LS_IGNORE $text
            return
        end
        string match -qr '^\s*(exit|logout)\b' -- $text; and return
        # Where the folder is gone fish would say so, whatever standard error is.
        test -n "$_zsh_ls_file"; and not test -d (path dirname -- $_zsh_ls_file); and set -g _zsh_ls_file
        # fish has no clock of its own but that of a file that was just written.
        set -l now 0
        if test -n "$_zsh_ls_file"
            echo -n >$_zsh_ls_file.last
            set now (path mtime -- $_zsh_ls_file.last)
        end
        # It remembers what it ran itself, and the key asks memory.
        if string match -qr '(?:^|[ /])zsh-ls (run|trace) ' -- $text
            set -l names (_zsh_ls_read_names $text)
            if test (count $names) -eq 1; and test (path basename -- $names) = zsh-ls
                set -g _zsh_ls_failed
                return
            end
        end
        _zsh_ls_pass $text
        set -l record $_zsh_ls_session\n$_zsh_ls_folder (math $now - $took / 1000) $now $codes[1] "$codes[2..]" $text
        # No line says what a pipeline hid, but the key does.
        if test $codes[1] -le 1 -a (count $codes) -gt 2; and string match -qvr '^(0|141)$' -- $codes[2..-2]
            set -g _zsh_ls_failed $record ''
        end
        if test $codes[1] -ne 0; or set -q _zsh_ls_rows[1]
            _zsh_ls_judge $record
        end
        test -n "$_zsh_ls_file"; and not string match -qr '^\s' -- $text; or return
        set -g _zsh_ls_bytes (math $_zsh_ls_bytes + (string length -- "$text") + 100)
        test $_zsh_ls_bytes -lt 4194304; or return
        printf '%s\0' $record >>$_zsh_ls_file
    end

    # Adds one to the row of failures $argv[1] and prints how long it is; begins it anew where $argv[2] is 0.
    function _zsh_ls_count
        set -l at (contains -i -- $argv[1] $_zsh_ls_rows)
        if test "$argv[2]" = 0
            test -n "$at"; and set -ge _zsh_ls_rows[$at..(math $at + 1)]
        else if test -n "$at"
            set -l next (math $at + 1)
            set _zsh_ls_rows[$next] (math $_zsh_ls_rows[$next] + 1)
            echo $_zsh_ls_rows[$next]
        else
            set -ga _zsh_ls_rows $argv[1] 1
            echo 1
        end
    end

    # Notes for the key that the line $argv[1] came behind what failed.
    function _zsh_ls_pass
        set -q _zsh_ls_failed[7]; and not string match -qr '^\s' -- $argv[1]; and set -g _zsh_ls_failed[8] $argv[1]
    end

    # Prints the words of $argv[1] that stand where a command's name does, as far as spaces outside of quotes tell.
    function _zsh_ls_read_names
        set -l first 1
        set -l plain (string replace -ra "'[^']*'|\"[^\"]*\"" _ -- $argv[1])
        for word in (string split -n -- ' ' (string replace -ra '\s*(\|\||&&|[|;&\n()])\s*' ' $1 ' -- $plain))
            switch $word
                case '|' '||' '&&' ';' '&' \n '(' not and or if while begin else time '!'
                    set first 1
                case sudo command exec builtin env nohup '-*' '*=*'
                case '*'
                    test $first = 1; and echo $word
                    set first 0
            end
        end
    end

    # Tells what is news about the command that just ended, whose record is $argv.
    function _zsh_ls_judge
        set -l code $argv[4]
        set -l text $argv[6]
        set -l names (_zsh_ls_read_names $text)
        set -q names[1]; or return
        set -l name (path basename -- $names[-1])
        set -l project $_zsh_ls_folder
        while test -n "$project" -a "$project" != /
            test -e $project/.git -o -e $project/.hg -o -e $project/.jj; and break
            set project (path dirname -- $project)
        end
        test "$project" = /; and set project $_zsh_ls_folder
        # A second worktree's runs are its repository's.
        if test -f $project/.git
            read -l line <$project/.git
            set -l main (string match -r '^gitdir: (.*)/\.git/worktrees/' -- $line)
            set -q main[2]; and set project $main[2]
        end
        set -l of_usage "$project usage $name"
        set -l of_text "$project text $text"
        if test $code -eq 0
            _zsh_ls_count $of_usage 0
            _zsh_ls_count $of_text 0
            return
        end
        set -l usage ''
        set -l key $of_text
        switch $name:$code
            case grep:1 egrep:1 fgrep:1 rg:1 zgrep:1 pgrep:1 diff:1 cmp:1 test:1 '[:1'
                return
            case '*:64' curl:2 jq:2 wget:2 rsync:1 git:129
                set usage 'usage '
                set key $of_usage
            case '*:130' '*:131' '*:141' '*:143' '*:145' '*:146' '*:147' '*:148' '*:149' '*:150'
                # What somebody stopped, and what wrote to nobody.
                return
            case '*'
                _zsh_ls_count $of_usage 0
        end
        set -g _zsh_ls_failed $argv ''
        set -l row (_zsh_ls_count $key)
        if contains -- 127 $code (string split ' ' -- $argv[5])
            for name in $names
                type -q -- $name; and continue
                set -l near (_zsh_ls_find_near $name)
                set -g _zsh_ls_failed[7] "$near"
                test -n "$near"; and _zsh_ls_say "$name: not found; $near?"
                break
            end
        else if test $row -eq 3
            _zsh_ls_say "$name: "$usage"failed 3 times in a row here; $_zsh_ls_tells tells why"
        end
    end

    # One dim line at the next prompt; nothing with ZSH_LS_QUIET.
    function _zsh_ls_say
        test -n "$ZSH_LS_QUIET"; or set -g _zsh_ls_news (string replace -ra '[[:cntrl:]]' '?' -- $argv[1])
    end

    # Said at the prompt: what is printed behind a command without output fish would wipe away.
    function _zsh_ls_tell --on-event fish_prompt
        set -q _zsh_ls_news[1]; or return
        set -l said $_zsh_ls_news
        set -g _zsh_ls_news
        if test -n "$NO_COLOR" -o "$TERM" = dumb
            printf '%s\n' $said
        else
            printf '\e[2m%s\e[0m\n' $said
        end
    end

    # Prints the command that is one slip of the fingers away from $argv[1], or nothing.
    function _zsh_ls_find_near
        set -l name $argv[1]
        string match -qr '^[[:alnum:]_.+-]{2,39}$' -- $name; or return
        set -l long (string length -- $name)
        set -l swapped
        set -l near
        for at in (seq $long)
            set -l before (string sub -l (math $at - 1) -- $name)
            set -l this (string sub -s $at -l 1 -- $name)
            set -l after (string sub -s (math $at + 1) -- $name)
            set -a swapped (string escape --style=regex -- $before(string sub -l 1 -- $after)$this(string sub -s 2 -- $after))
            set before (string escape --style=regex -- "$before")
            set after (string escape --style=regex -- "$after")
            set -a near "$before."(string escape --style=regex -- $this)"$after"
            test $long -gt 3; and set -a near "$before.$after" "$before$after"
        end
        set -l known (builtin -n) (functions -n) (path basename -- $PATH/(string sub -l 1 -- $name)* $PATH/(string sub -s 2 -l 1 -- $name)*)
        set -l found (string match -r -- '^(?:'(string join '|' -- $swapped)')$' $known)
        if not set -q found[1]; and test $long -gt 2
            set found (string match -r -- '^(?:'(string join '|' -- $near (string escape --style=regex -- $name).)')$' $known | sort)
            set -l alike (string match -- (string sub -l 1 -- $name)'*' $found)
            set -q alike[1]; and set found $alike
        end
        echo $found[1]
    end

    # At the first prompt, when the rc file has run: a key that is bound already stays what it is.
    function _zsh_ls_bind --on-event fish_prompt
        functions -e _zsh_ls_bind
        set -l bound (bind \cxy 2>/dev/null)
        if test -n "$bound"; and not string match -q '*_zsh_ls_why*' -- "$bound"
            set -g _zsh_ls_tells 'zsh-ls why'
        else
            bind \cxy _zsh_ls_why
            bind -M insert \cxy _zsh_ls_why 2>/dev/null
        end
        if test -n "$_zsh_ls_ctrl_r"
            bind \cr _zsh_ls_history
            bind -M insert \cr _zsh_ls_history 2>/dev/null
        end
    end

    # Tells why the last command failed, above the line that is being typed.
    function _zsh_ls_why
        echo
        printf '%s\0' $_zsh_ls_failed | command $_zsh_ls_program why -
        commandline -f repaint
    end

    # Lets a line be chosen from what was run, beginning with the line that is being typed.
    function _zsh_ls_history
        set -lx ZSH_LS_QUERY (commandline | string collect)
        set -l line (command $_zsh_ls_program history --pick </dev/tty | string collect)
        test -n "$line"; and commandline -r -- $line
        commandline -f repaint
    end

    # `zsh-ls history` puts the chosen line on the prompt; everything else is the program's.
    function zsh-ls
        if test "$argv[1]" = history; and isatty stdin; and isatty stdout
            and not contains -- --json $argv; and not contains -- --pick $argv
            and not contains -- --help $argv; and not contains -- -h $argv
            set -l line (command $_zsh_ls_program $argv --pick | string collect)
            # To leave the list is no failure, for memory and for the prompt.
            set -l code $pipestatus[1]
            test -n "$line"; and commandline -r -- $line
            test $code -le 1; or return $code
            return 0
        else
            command $_zsh_ls_program $argv
        end
    end

    function _zsh_ls_leave --on-event fish_exit
        test -n "$_zsh_ls_file"; and command rm -f -- (string replace -r 'log$' hook -- $_zsh_ls_file) $_zsh_ls_file.last
    end

    _zsh_ls_begin
end
