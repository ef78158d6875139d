"""Names that scripts define and use: functions, parameters, aliases; their scopes, references and renames."""
