"""Generators of docs/protocol.md and of the types of the editors' plugins, from the message classes.

A development tool: the server imports none of it.
"""
