"""One fixed day of work, recorded from outside: what a user sees of every request, command and tool.

    python -m tests.transcripts record [PART…]    write golden/*.txt anew
    python -m tests.transcripts compare [PART…]   run the day, show what differs; exits 1 if anything does

The parts are `wire` (an editor: every zsh/* request and every LSP feature the server announces), `plain`
(an editor that declares nothing), `cli` (every `zsh-ls COMMAND`), `mcp` (every tool, by the SDK's own
client) and `shared` (one server that all three join). `test_golden.py` compares them all.

Nothing here knows how the program is made: it is started as `python -m zsh_ls …`, spoken to over its pipes
and read from its output, so that a redesign can be held to the same day. Two things make a day repeatable:

- **A held clock.** `held/sitecustomize.py` stands in for the clock of every process of the day: time passes
  when the day says so, and all processes agree. So elapsed times, estimates, kills, dates are exact.
- **Gates.** A command of the day that takes its time waits at a FIFO until the day lets it through; nothing
  sleeps, and the load of the machine changes nothing.

What still varies is replaced, by the rules in `plain_text.py`. They are few, and each says why.

Whoever changes on purpose what a user sees records anew and commits the difference with the change.
"""
