"""What a release is made of, how each artefact is made, and how it is tried.

`python -m tools.releasing` is what `tools/release` starts. An artefact is one
module here with `make`, and `check`, which gives one `Result` for each way
to install it.
"""
