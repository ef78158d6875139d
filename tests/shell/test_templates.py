"""What makes a text a template, and what is said of one (FATE-11)."""

import pytest

from zsh_ls.insights import static
from zsh_ls.machine.syntax_check import complaints
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.templates import is_template, placeholders, without_placeholders

TEMPLATES = [
    '#!/bin/bash\nport=<%= p("port") %>\n',
    "#!/bin/bash\n<% if carthage? -%>\ncarthage update\n<% end -%>\n",
    '#!/bin/bash\nurl="http://<%= p("host") %>/x"\n',
    "#!/bin/bash\n<%\n  ips = spec.ips\n%>\nrun\n",
    "#!/bin/sh\n{% if proxy %}\nexport http_proxy={{ proxy }}\n{% endif %}\n",
    "#!/bin/zsh\n{# a comment #}\nname={{ module_name }}\n",
    "#!/bin/bash\nname={{name}}\n",
    '#!/bin/bash\n{{- if eq .chezmoi.os "darwin" }}\nbrew update\n{{- end }}\n',
    "#!/bin/bash\n{{#each servers}}\nping {{this}}\n{{/each}}\n",
    "#!/bin/sh\nx=$(( 1 << 2 ))\nport={{ port }}\n",
    "#!/bin/sh\n# don't\nport={{ port }}\n",
    "#!/bin/sh\ncat <<EOF\nit's\nEOF\nport={{ port }}\n",
]
SCRIPTS = [
    "#!/bin/bash\ndocker ps --format '{{ .Names }}'\n",
    '#!/bin/bash\ndocker ps --format "{{ .Names }} {{ .ID }}"\n',
    '#!/bin/bash\nid="$(docker inspect -f "{{ .Id }}" "$1")"\n',
    "#!/bin/bash\ndocker ps --format {{.Names}}\n",
    "#!/bin/bash\necho {{a,b},c}\n",
    "#!/bin/bash\ncat > x.erb <<'EOF'\nport=<%= port %>\nEOF\n",
    "#!/bin/bash\n# x {{ y }} and <%= z %>\necho\n",
    "#!/bin/bash\necho '<%= port %>' | erb\n",
    "#!/bin/zsh\nPROMPT=%{%F{red}%}%n%{%f%}\n",
    "#!/bin/zsh\nPS1='%20<..<%~%<< %# '\n",
    "#!/bin/zsh\nx=${${:-a}##b} y=${#x}\n",
    "#!/bin/bash\nprintf '<%s>\\n' a\n",
    "#!/bin/zsh\n() {{ print a; print b }}\n",
]


@pytest.mark.parametrize("text", TEMPLATES)
async def test_no_syntax_error_is_said_of_a_template(text):
    assert is_template(text)
    assert await complaints(text, Dialect.BASH) == []


@pytest.mark.parametrize("text", SCRIPTS)
def test_what_other_programs_or_the_shell_read_makes_no_template(text):
    assert not is_template(text)


def test_a_name_of_an_engine_makes_quoted_placeholders_count():
    text = '#!/bin/sh\nport="{{ port }}"\n'
    assert not is_template(text, "x.sh")
    assert is_template(text, "x.sh.j2")
    assert not is_template("#!/bin/sh\nport=1\n", "x.sh.j2")
    assert is_template('eval "$({{.chezmoi.config.brew}} shellenv)"\n', "zshrc.tmpl")


async def test_an_error_of_a_script_is_still_said():
    assert await complaints("#!/bin/bash\nid='{{ .Id }}'\nif a; then b\n", Dialect.BASH)


FINDING = "cd $1\nrm -rf build\n"


def found_on_lines(text):
    """The lines on which a static rule finds something."""
    return {text.count("\n", 0, each.span.start) for each in static(text, Dialect.BASH)}


def test_findings_are_said_only_where_no_placeholder_is_near():
    far = "echo\n" * 3
    assert found_on_lines(f"#!/bin/bash\n{far}{FINDING}") == {4}
    assert found_on_lines(f"#!/bin/bash\n{{{{ x }}}}\n{far}{FINDING}") == {5}
    assert found_on_lines(f"#!/bin/bash\n{FINDING}{{{{ x }}}}\n") == set()
    assert found_on_lines(f"#!/bin/bash\n{FINDING}{far}<% x %>\n") == {1}
    assert found_on_lines(f"#!/bin/bash\n<% if x('(' %>\n{far}{FINDING}") == {5}


def test_nothing_is_said_of_another_languages_lines():
    start = "#!/bin/bash\n''':'\nexec python3 \"$0\" \"$@\"\n'''\n"
    assert found_on_lines(f"{start}{FINDING}") == set()
    assert found_on_lines(f'#!/bin/bash\n{FINDING}exec python3 "$0"\n') == {1}
    assert found_on_lines(f"#!/bin/bash\na || exec python3 x.py\n{FINDING}") == {2}


def test_placeholders_become_words_or_blanks_of_the_same_length():
    text = "<% if x %>\na=<%= x %>b {{ y }}\n{{ end }}"
    assert without_placeholders(text, placeholders(text)) == (
        "          \na=xxxxxxxxb xxxxxxx\n         "
    )
    assert not parse(without_placeholders(text, placeholders(text))).problems


@pytest.mark.parametrize("sign", ["<% ", "<%=x", "{{ x", "{% x", "{# x", "{{#x ", "{{!--", "<<E\n"])
def test_hostile_texts_take_linear_time(sign):
    # In quadratic time this would time out.
    assert placeholders("'{{ x }}'\n" + sign * 300_000) == ()
