"""How well findings hold on repositories that nobody tuned the rules on.

`repositories-N.tsv` names the repositories (with their commits) and the seed of draw N, and was
committed before anything was drawn; `findings-N.tsv` has what was drawn and how it was judged.
"""
