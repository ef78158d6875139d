"""The syntax of shell text: lexer, parser, dialects, lines and statements."""
