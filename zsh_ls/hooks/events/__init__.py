"""One module for each agent whose hooks are spoken, named after it.

Each has `read`, the run that an event tells of, and `answer`, the words in that agent's protocol;
`HOOKS` are the entries of its configuration.
"""

AGENTS = ("claude", "codex", "cursor", "gemini", "opencode")
