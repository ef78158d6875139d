"""Options extracted from rendered manual pages, which were written for these tests."""

from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.shell.manpages.option_table import (
    complete,
    find_options,
    named_flags,
    nearest,
    options_table,
    row_forms,
    table_of,
)
from zsh_ls.shell.manpages.options import OptionForm, parse_options

GNU = """FIND-LIKE(1)                     User Commands                     FIND-LIKE(1)

NAME
       find-like - prints lines

SYNOPSIS
       find-like [-e PATTERNS]
       -x is no option here

DESCRIPTION
       Text that speaks of options, and goes on with
       -q in the middle of a sentence.

       --help Output a usage message and exit.

       -V, --version
              Output the version number, e.g. 1.2, and exit.  Then nothing.

   Matching
       -e PATTERNS, --regexp=PATTERNS
              Use PATTERNS as the patterns.  If this option is used twice or is combined with the
              -f (--file) option, search for all patterns given.

       --color[=WHEN], --colour[=WHEN]
              -n and this go well together.

       -A NUM
       --after-context=NUM
              Print NUM lines.

       -h     short
       -i     ignore case, as in
              both of them

       --[no-]verify
              Toggle the hook.

       -D action
              Perform action.

       -- is not to be taken for an option.

EXAMPLES
       -z is shown here
"""


def headings(page: str) -> list[str]:
    return [entry.heading for entry in parse_options(page)]


def test_short_and_long_form_with_their_argument_are_one_option() -> None:
    assert "-e PATTERNS, --regexp=PATTERNS" in headings(GNU)
    entry = next(e for e in parse_options(GNU) if e.heading.startswith("-e"))
    assert entry.forms == (OptionForm("-e", " PATTERNS"), OptionForm("--regexp", "=PATTERNS"))
    assert entry.description == "Use PATTERNS as the patterns"


def test_every_option_of_a_page_is_found_and_prose_is_none() -> None:
    assert headings(GNU) == [
        "--help",
        "-V, --version",
        "-e PATTERNS, --regexp=PATTERNS",
        "--color[=WHEN], --colour[=WHEN]",
        "-A NUM, --after-context=NUM",
        "-h",
        "-i",
        "--verify, --no-verify",
        "-D action",
    ]


def test_the_description_is_the_first_sentence() -> None:
    described = {entry.heading: entry.description for entry in parse_options(GNU)}
    assert described["-V, --version"] == "Output the version number, e.g. 1.2, and exit"
    assert described["-i"] == "ignore case, as in both of them"
    assert described["--help"] == "Output a usage message and exit"
    assert described["--color[=WHEN], --colour[=WHEN]"] == "-n and this go well together"


def test_a_dot_that_is_itself_spoken_of_ends_no_sentence() -> None:
    page = "OPTIONS\n       -a     do not ignore entries starting with .\n"
    assert parse_options(page)[0].description == "do not ignore entries starting with ."


def test_overstrikes_escape_sequences_and_typographic_dashes_are_read_through() -> None:
    page = "OPTIONS\n       -\b-v\bv, \x1b[1m−−verbose\x1b[0m\n              Say more.\n"
    assert headings(page) == ["-v, --verbose"]


@given(st.text(alphabet=" -=[]<>,|abN.\n\t'\\", max_size=400))
def test_any_text_gives_options_whose_flags_begin_with_a_dash(page: str) -> None:
    for entry in parse_options("OPTIONS\n" + page):
        assert entry.forms
        assert all(form.flag.startswith("-") for form in entry.forms)


def test_a_table_has_one_line_for_each_option() -> None:
    table = options_table(GNU)
    assert len(table.splitlines()) == len(headings(GNU))
    row = next(line for line in table.splitlines() if "--regexp" in line)
    heading, _, description = row.strip().partition("  ")
    assert heading == "-e PATTERNS, --regexp=PATTERNS"
    assert description.strip() == "Use PATTERNS as the patterns"


def test_the_rows_of_a_table_give_the_forms_back() -> None:
    entries = parse_options(GNU)
    rows = table_of(entries).splitlines()
    assert [row_forms(row) for row in rows] == [entry.forms for entry in entries]


def test_a_text_without_options_has_an_empty_table() -> None:
    assert options_table("") == ""
    assert options_table("NAME\n       x - y\n") == ""


def test_the_nearest_options_come_first_where_a_failure_names_a_flag() -> None:
    table = options_table(GNU)
    first = nearest(table, "find-like: unrecognized option '--regxp'").splitlines()[0]
    assert first.strip().startswith("-e PATTERNS, --regexp=PATTERNS")
    assert sorted(nearest(table, "unrecognized option '--colr'").splitlines()) == sorted(
        table.splitlines()
    )


def test_a_failure_that_names_no_flag_leaves_the_table_as_it_is() -> None:
    table = options_table(GNU)
    assert nearest(table, "No such file or directory: -x") == table
    assert nearest(table, "") == table


def test_flags_are_found_in_the_words_of_many_programs() -> None:
    said = {
        "grep: unrecognized option '--colour'": ("--colour",),
        "ls: invalid option -- 'y'": ("-y",),
        "cp: illegal option -- z": ("-z",),
        "error: unknown option `colour'": ("--colour",),
        "error: unknown switch `z'": ("-z",),
        "unknown shorthand flag: 'z' in -z": ("-z",),
        "error: unexpected argument '--foo' found": ("--foo",),
        "find: unknown predicate `-nmae'": ("-nmae",),
        "grep: option requires an argument -- 'e'": ("-e",),
        "everything is fine": (),
    }
    assert {text: named_flags(text) for text in said} == said


def test_a_flag_of_a_command_finds_its_option() -> None:
    entries = parse_options(GNU)

    def found(word: str) -> list[str]:
        return [entry.heading for entry in find_options(entries, word)]

    assert found("--regexp=x") == ["-e PATTERNS, --regexp=PATTERNS"]
    assert found("-ex") == ["-e PATTERNS, --regexp=PATTERNS"]
    assert found("-hi") == ["-h", "-i"]
    assert found("--reg") == ["-e PATTERNS, --regexp=PATTERNS"]
    assert found("--colo=auto") == ["--color[=WHEN], --colour[=WHEN]"]
    assert found("--ver") == []  # --version or --verify
    assert found("file") == []
    assert found("-") == []


def test_completion_offers_each_form_once_in_the_order_of_the_page() -> None:
    forms = [form.flag for form, _ in complete(parse_options(GNU), "--c")]
    assert forms == ["--color", "--colour"]


def test_a_line_that_no_page_has_is_not_read_as_options() -> None:
    """Reading forms takes quadratic time in their number: 512,000 characters of `-x, ` took 1.5 s."""
    assert parse_options("OPTIONS\n       " + "-x, " * 100 + "\n") != ()
    assert parse_options("OPTIONS\n       " + "-x, " * 10_000 + "\n") == ()


def test_an_option_has_a_bounded_number_of_forms() -> None:
    lines = [f"       -x{number}\n" for number in range(2_000)]
    found = parse_options("OPTIONS\n" + "".join(lines))
    assert sum(len(entry.forms) for entry in found) == 2_000
    assert max(len(entry.forms) for entry in found) < 1_000


def test_a_form_without_a_name_hides_no_other() -> None:
    page = "OPTIONS\n       -<number>, -n <number>, --max-count=<number>\n           Limit the number.\n"
    [entry] = parse_options(page)
    assert entry.forms == (OptionForm("-n", " <number>"), OptionForm("--max-count", "=<number>"))
