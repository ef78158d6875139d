"""One module for each agent whose hooks are spoken, named after it.

Each has `read`, the run that an event tells of, and `answer`, the words in that agent's protocol;
`HOOKS` are the entries of its configuration.

For `--rewrite` each has `asked`, the command that an event is about to run, `replaced`, the answer that has
another one run in its place, and `REWRITE_HOOKS`.
"""

AGENTS = ("claude", "codex", "cursor", "gemini", "opencode")
