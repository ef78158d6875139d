"""Shell inside other files (DOC-10): Markdown, workflows of CI, Dockerfiles, Makefiles, justfiles.

`hosts.py` says of what kind a file is and gives its blocks; a reader for each format stands in a module of
its own. Every block knows where each of its characters stands in the host.
"""
