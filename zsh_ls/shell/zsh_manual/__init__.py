"""What zsh's own manual says of options, parameters, flags of expansions, qualifiers, builtins and functions.

`manual.tsv` has the first sentences of each entry (see LICENSE.zsh); `lookup` finds the entries that a text
speaks of. The manual need not be installed.
"""
