"""Which commands count as the same one: templates, programs and subcommands, identity."""
