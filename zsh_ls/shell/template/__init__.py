"""What makes two commands the same one: templates, program and subcommand, identity."""
