"""Shell inside other files (DOC-10): which text is a shell's, and where it stands in its host."""

from __future__ import annotations

from textwrap import dedent

import pytest

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.embedded.block import MASK, Block, joined, renumbered
from zsh_ls.shell.embedded.hosts import HostKind, blocks_of, kind_of
from zsh_ls.shell.embedded.rules import rule_at
from zsh_ls.shell.embedded.yaml_scalars import NoYaml
from zsh_ls.shell.syntax.parser import parse

MARKDOWN = """\
# Setup

```bash title="first"
echo one |
  sort
```

```python
print("no shell")
```

- in a list

  ```zsh
  print two
    print deeper
  ```

> ```sh
> ls
> ```

~~~console
$ make test
ok: 12 tests
me@host:~/src$ cat <<END > a
> text
> END
(venv) $ pip install \\
>   zsh-ls
# a remark
~~~

```shell
$ git status
nothing to commit
```

```sh
never closed
"""

WORKFLOW = """\
on: push
defaults:
  run:
    shell: sh
jobs:
  build:
    steps:
      - uses: actions/checkout@v4
      - run: make | tee log
        shell: bash
      - run: |
          cat <<EOF
            text
          EOF
          echo ${{ github.sha }}
      - run: "echo \\"a\\" | wc"
      - run: >-
          echo folded
          text
      - run: 'it''s | cat'
      - run: Write-Host no
        shell: pwsh
      - run: print zsh
        shell: zsh -e {0}
  other:
    runs-on: windows-latest
    defaults: {run: {shell: python}}
    steps:
      - run: print("no")
"""

GITLAB = """\
default:
  before_script:
    - apt-get update
build:
  script:
    - make
    - |
      if true; then
        echo "$[[ inputs.name ]]"
      fi
    - !reference [.setup, script]
  after_script: echo done
"""

DOCKERFILE = """\
# escape=\\
FROM debian
RUN apt-get update && \\
    # a comment of the Dockerfile
    apt-get install -y curl \\
    && curl x | sh
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN --mount=type=cache,target=/x curl x | bash
run <<EOF
set -x
echo in a script
EOF
RUN cat <<END > /etc/motd
hello
END
RUN ["no", "shell"]
CMD exec server --port 80
FROM alpine
ENTRYPOINT echo done
SHELL ["powershell", "-c"]
RUN Write-Host no
"""

MAKEFILE = """\
SHELL := /bin/bash
.SHELLFLAGS := -eo pipefail -c
NAME = x
objects := $(wildcard *.o)

define help
\tno recipe
endef

all: build ; echo inline
build: $(objects)
\t@echo $$HOME $(NAME) | cat
\t-rm -f $@ \\
\t  other
ifdef DEBUG
\t$(call run,it)
endif

# a remark
\techo after
.PHONY: all
"""

JUSTFILE = """\
set shell := ["bash", "-uc"]
name := "x"

# a remark
build target='all':
    @echo {{ target }} | cat
    make \\
      {{name}}

script:
    #!/usr/bin/env zsh
    print one
    for x in a; do
      print $x
    done

py:
    #!/usr/bin/env python
    print("no")
"""


def code(found: list[Block]) -> list[str]:
    """The code of blocks, with a sign for what the host puts in."""
    return [block.code.replace(MASK, "¤") for block in found]


def test_fenced_blocks_of_markdown_by_language_with_sessions_without_prompts() -> None:
    """DOC-10."""
    found = blocks_of(MARKDOWN, HostKind.MARKDOWN)
    assert code(found) == [
        "echo one |\n  sort\n",
        "print two\n  print deeper\n",
        "ls\n",
        "make test\ncat <<END > a\ntext\nEND\npip install \\\n  zsh-ls\n",
        "git status\n",
        "never closed\n",
    ]
    assert [block.language for block in found] == [
        *("bash", "zsh", "sh", "shellscript", "shellscript", "sh")
    ]
    assert all(block.is_typed for block in found)
    assert MARKDOWN[found[1].at :].startswith("  ```zsh")


def test_steps_of_a_workflow_with_the_options_that_github_gives_their_shells() -> None:
    """DOC-10."""
    found = blocks_of(WORKFLOW, HostKind.WORKFLOW)
    assert code(found) == [
        "make | tee log\n",
        "cat <<EOF\n  text\nEOF\necho ¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤\n",
        'echo "a" | wc\n',
        "echo folded text\n",
        "it's | cat\n",
        "print zsh\n",
    ]
    prefixes = [block.text[: block.prefix_length] for block in found]
    sh = "#!/bin/sh -e\n"
    assert prefixes == [*("#!/bin/bash -e\nset -o pipefail\n", sh, sh, sh, sh, "#!/bin/zsh -e\n")]
    unnamed = blocks_of("jobs: {a: {steps: [{run: make}]}}\n", HostKind.WORKFLOW)
    assert unnamed[0].text == "#!/bin/bash -e\nmake\n"


def test_a_composite_action_has_its_steps_below_runs() -> None:
    """DOC-10."""
    text = "runs:\n  using: composite\n  steps:\n    - run: make\n      shell: bash\n"
    assert code(blocks_of(text, HostKind.WORKFLOW)) == ["make\n"]


def test_scripts_of_gitlab_are_one_text_each() -> None:
    """DOC-10."""
    found = blocks_of(GITLAB, HostKind.GITLAB)
    assert code(found) == [
        "apt-get update\n",
        'make\nif true; then\n  echo "¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤"\nfi\n',
        "echo done\n",
    ]


@pytest.mark.parametrize("written", ["git check", "git "])
@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("build:\n  script:\n    - make\n    - ", HostKind.GITLAB),
        ("build:\n  script: ", HostKind.GITLAB),
        ("jobs:\n  a:\n    steps:\n      - run: ", HostKind.WORKFLOW),
        ("build:\n  script:\n    - |\n      make\n      ", HostKind.GITLAB),
        ("FROM debian\nRUN ", HostKind.DOCKERFILE),
        ("FROM debian\nRUN make && \\\n    ", HostKind.DOCKERFILE),
        ("all:\n\tmake\n\t", HostKind.MAKEFILE),
        ("all: x; ", HostKind.MAKEFILE),
        ("all:\n  make\n  ", HostKind.JUSTFILE),
        ("```sh\nmake\n", HostKind.MARKDOWN),
        ("```console\n$ ", HostKind.MARKDOWN),
    ],
)
@pytest.mark.parametrize("below", ["", "\n\n"])
def test_the_end_of_a_line_is_where_somebody_writes(
    head: str, written: str, below: str, kind: HostKind
) -> None:
    """DOC-10: YAML ends the value there, before blanks, and no line."""
    end = "\n```\n" if kind is HostKind.MARKDOWN else below
    block = blocks_of(head + written + end, kind)[-1]
    at = block.own_offset(len(head + written))
    assert at is not None
    assert block.text[:at].endswith(written)
    assert block.in_host(Span(at, at)) == Span(len(head + written), len(head + written))


def test_instructions_of_a_dockerfile_with_the_shell_that_it_names() -> None:
    """DOC-10."""
    found = blocks_of(DOCKERFILE, HostKind.DOCKERFILE)
    assert [block.code.lstrip() for block in found] == [
        "apt-get update && \\\n    apt-get install -y curl \\\n    && curl x | sh\n",
        "curl x | bash\n",
        "set -x\necho in a script\n",
        "cat <<END > /etc/motd\nhello\nEND\n",
        "exec server --port 80\n",
        "echo done\n",
    ]
    pipefail = ["set -o pipefail" in block.text for block in found]
    assert pipefail == [False, True, True, True, True, False]


def test_recipes_of_a_makefile_as_make_hands_them_to_the_shell() -> None:
    """DOC-10."""
    found = blocks_of(MAKEFILE, HostKind.MAKEFILE)
    assert code(found) == [
        "echo inline\n".rjust(13),
        "echo $HOME ¤¤¤¤¤¤¤ | cat\n",
        "rm -f ¤¤ \\\n  other\n",
        "echo after\n",
    ]
    assert found[1].text.startswith("#!/bin/bash -e\nset -o pipefail\n")


def test_one_shell_for_all_lines_of_a_recipe_and_another_prefix() -> None:
    """DOC-10."""
    text = ".ONESHELL:\n.RECIPEPREFIX = >\nall:\n> cd x\n> make\nother: ; true\n"
    assert code(blocks_of(text, HostKind.MAKEFILE)) == [" cd x\n make\n", " true\n"]


def test_recipes_of_a_justfile_line_by_line_and_scripts_whole() -> None:
    """DOC-10."""
    found = blocks_of(JUSTFILE, HostKind.JUSTFILE)
    assert [each.rstrip("\n") for each in code(found)] == [
        "echo ¤¤¤¤¤¤¤¤¤¤¤¤ | cat",
        "make \\\n  ¤¤¤¤¤¤¤¤",
        "#!/usr/bin/env zsh\nprint one\nfor x in a; do\n  print $x\ndone",
    ]


HOSTS = {
    HostKind.MARKDOWN: MARKDOWN,
    HostKind.WORKFLOW: WORKFLOW,
    HostKind.GITLAB: GITLAB,
    HostKind.DOCKERFILE: DOCKERFILE,
    HostKind.MAKEFILE: MAKEFILE,
    HostKind.JUSTFILE: JUSTFILE,
}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("kind", HOSTS)
def test_every_character_stands_where_the_host_has_it(kind: HostKind, ends: str) -> None:
    """DOC-10: ranges are exact in the host, whatever ends its lines."""
    text = HOSTS[kind].replace("\n", ends)
    found = blocks_of(text, kind)
    assert code(found) == code(blocks_of(HOSTS[kind], kind))
    for block in found:
        for at in range(block.prefix_length, len(block.text)):
            char, there = block.text[at], block.in_host(Span(at, at + 1))
            assert there is not None
            here = text[there.start : there.end]
            if char == MASK:
                assert len(here) == 1
            elif char.isspace():
                assert not here.strip()
            else:
                assert here in {char, f"\\{char}", "''", "$$"}
                assert block.own_offset(there.start) == at


@pytest.mark.parametrize("kind", HOSTS)
def test_no_prefix_of_a_host_is_too_much_for_its_reader(kind: HostKind) -> None:
    """DOC-10: a text is incomplete while it is written."""
    text = HOSTS[kind]
    for end in range(len(text)):
        try:
            found = blocks_of(text[:end], kind)
        except NoYaml:
            assert kind in {HostKind.WORKFLOW, HostKind.GITLAB}
            continue
        assert all(block.host_span.end <= end for block in found)


@pytest.mark.parametrize(
    ("path", "language_id", "kind"),
    [
        ("/x/README.md", "", HostKind.MARKDOWN),
        ("/x/README.md", "markdown", HostKind.MARKDOWN),
        ("untitled:1", "markdown", HostKind.MARKDOWN),
        ("/x/notes.md", "zsh", None),
        ("/x/.github/workflows/ci.yml", "yaml", HostKind.WORKFLOW),
        ("/x/tools/action.yaml", "yaml", HostKind.WORKFLOW),
        ("/x/.gitlab-ci.yml", "", HostKind.GITLAB),
        ("/x/values.yaml", "yaml", HostKind.OTHER),
        ("/x/values.yaml", "", None),
        ("/x/Dockerfile", "", HostKind.DOCKERFILE),
        ("/x/Dockerfile.dev", "dockerfile", HostKind.DOCKERFILE),
        ("/x/web.Dockerfile", "", HostKind.DOCKERFILE),
        ("/x/GNUmakefile", "make", HostKind.MAKEFILE),
        ("/x/rules.mk", "", HostKind.MAKEFILE),
        ("/x/.justfile", "", HostKind.JUSTFILE),
        ("/x/makefile.py", "", None),
        ("/x/dockerfile.sh", "sh", None),
        ("/x/run.sh", "shellscript", None),
    ],
)
def test_what_kind_of_host_a_file_is(path: str, language_id: str, kind: HostKind | None) -> None:
    """DOC-10."""
    assert kind_of(path, language_id) is kind


def test_messages_speak_of_the_lines_of_the_host() -> None:
    """DOC-10."""
    block = blocks_of(WORKFLOW, HostKind.WORKFLOW)[1]
    message = f"here-document at line 2 delimited by end-of-file near {MASK}{MASK}"
    assert renumbered(message, block, WORKFLOW) == (
        "here-document at line 12 delimited by end-of-file near …"
    )


def test_blocks_joined_keep_their_places() -> None:
    """DOC-10, SESS-3."""
    text = dedent("""\
        ```bash
        a=1
        ```

        ```bash
        echo $a
        ```
        """)
    whole = joined(blocks_of(text, HostKind.MARKDOWN))
    assert whole.text == "a=1\necho $a\n"
    place = whole.in_host(Span(4, 11))
    assert place is not None
    assert text[slice(*place)] == "echo $a"
    assert whole.own_span(place) == Span(4, 11)


MAKE = """\
VERSION := $(shell git describe)
.PHONY: all
all: build \\
  test  # everything

build test: %.o
\techo $@
ifdef X
\techo x
endif

\techo behind

$(OUT): x
\ttouch $@
%.o: %.c
\tcc $<
define help
\ttext
endef
x.min.js: ; uglify
"""
JUST = """\
set shell := ["bash", "-c"]
version := `git describe`

@_quiet name='a: b':
  echo {{name}}

  echo behind
deploy-to target +FLAGS: _quiet
    #!/usr/bin/env bash
    echo x
"""


# DOC-10
def test_what_make_fills_in_over_several_lines_is_no_text_of_a_shell() -> None:
    whole = "all:\n\t@$(foreach it, $(X), \\\n\t\trm -f (it); \\\n\t)\n"
    assert blocks_of(whole, HostKind.MAKEFILE) == []
    text = "all:\n\techo a $(foreach it, $(X), \\\n\t\t'$(it) \\\n\t\tb) && \\\n\t\techo c\n"
    [block] = blocks_of(text, HostKind.MAKEFILE)
    assert not parse(block.text, Dialect.SH).problems
    words = block.code.replace(MASK, "").split()
    assert words == ["echo", "a", "&&", "\\", "echo", "c"]
    at = text.index("echo c")
    own = block.own_offset(at)
    assert own is not None
    assert block.text.startswith("echo c", own)


# By line.
MAKE_RUNS = (
    "- - make_all make_all - make_build make_build - make_build - - make_build"
    " - - - - - - - - make_x.min.js"
)
JUST_RUNS = (
    "- - - just_-f_x.just__quiet just_-f_x.just__quiet - just_-f_x.just__quiet"
    " just_-f_x.just_deploy-to just_-f_x.just_deploy-to just_-f_x.just_deploy-to"
)


# DOC-10
@pytest.mark.parametrize(
    ("text", "path", "commands"),
    [
        (
            MAKE,
            "/a/Makefile",
            MAKE_RUNS,
        ),
        (
            JUST,
            "/a/x.just",
            JUST_RUNS,
        ),
    ],
)
def test_a_place_in_a_rule_is_run_by_what_runs_the_rule(
    text: str, path: str, commands: str
) -> None:
    kind = kind_of(path)
    assert kind is not None
    lines = text.splitlines(keepends=True)
    found = [rule_at(text, kind, sum(map(len, lines[:at])), path) for at in range(len(lines))]
    assert " ".join(it.command.replace(" ", "_") if it else "-" for it in found) == commands


# DOC-10
def test_a_rule_goes_as_far_as_its_recipe() -> None:
    rules = {
        it.command: text[it.span.start : it.span.end]
        for text, kind in ((MAKE, HostKind.MAKEFILE), (JUST, HostKind.JUSTFILE))
        for at in range(len(text))
        if (it := rule_at(text, kind, at, "/a/Makefile")) is not None
    }
    assert rules["make all"] == "all: build \\\n  test  # everything"
    assert rules["make build"].splitlines()[-1] == "\techo behind"
    assert rules["make x.min.js"] == "x.min.js: ; uglify"
    assert rules["just _quiet"].splitlines()[-1] == "  echo behind"
