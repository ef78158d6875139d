"""What an editor asks of a script: navigation, completion, hovers, lenses, actions."""
