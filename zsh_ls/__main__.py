"""`python -m zsh_ls` is `zsh-ls`."""

import os
import sys

if __name__ == "__main__":
    # Python looks for modules in the folder it was started in before all others: those that are
    # imported from here on would be the workspace's. It stays where this package itself is in it.
    _package = os.path.dirname(os.path.abspath(__file__))
    if sys.path[0] != os.path.dirname(_package) and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]

    from .cli import main

    raise SystemExit(main())
