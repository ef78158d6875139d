"""The LSP door: converts in, one call of the sidecar, converts out."""
