"""Where the time of a shell's start goes: from the trace of one to lines, files, plugins and causes (START).

Values to values: `tasks.starts` starts the shell, `sidecar.startup` says how often and in which order.
"""
