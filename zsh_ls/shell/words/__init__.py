"""The words of commands as a shell reads them: quoting, expansions, wrappers, builtins and reserved words."""
