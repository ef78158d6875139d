"""`python -m zsh_ls` is `zsh-ls`."""

from zsh_ls.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
