"""How processes are found, ended and reaped, also when the server itself is gone."""
