"""The LSP frontend: convert the request, call the sidecar once, convert the result."""
