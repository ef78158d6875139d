"""Run by file name, with nothing on the path (`python -IS`): becomes the keeper of a detached run (RUN-20).

The first line of standard input is the path of modules, as JSON, the rest is for `keeper.main`. The
file's name is what `ps` shows.
"""

import json
import sys

if __name__ == "__main__":
    sys.path[:] = json.loads(sys.stdin.buffer.readline())
    from zsh_ls.sidecar.detached.keeper import main

    main(sys.stdin.buffer.read())
