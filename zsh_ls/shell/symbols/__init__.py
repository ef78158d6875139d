"""The functions, parameters and aliases of scripts: definitions, scopes, references and renames."""
