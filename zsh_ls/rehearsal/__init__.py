"""Rehearsals: a script runs in a sandbox, and what it would do is said line by line (REH).

`request.RehearsalRequest` in, `report.Rehearsal` out, by `rehearse.rehearse`. What is pure is in
`report`, `recording`, `dependence`, `proof`; what touches the system in the other modules. Nothing
a script runs is ever started outside the sandbox.
"""
