"""The hooks of agents: what they tell of a command in their own shell, and what is news of it (HOOK-1).

`events` has one module for each agent, which reads and writes its protocol. A hook's process loads these
alone, so they use what Python has loaded anyway. `news` judges a run; it is loaded where a server runs, or
where an output looks as if something had failed.
"""
