"""A sidecar in another process: its client, its server, and going on alone when it ends."""
