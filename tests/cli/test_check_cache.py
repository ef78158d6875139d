"""CLI-2: results of `zsh-ls check` are kept by the content of files, and used only where they still hold."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from zsh_ls.cli import check_cache, checking, script_reports
from zsh_ls.cli.check_cache import CheckCache, Kept
from zsh_ls.cli.check_report import CheckReport
from zsh_ls.lazy import attrs
from zsh_ls.machine import syntax_check
from zsh_ls.model.syntax import Dialect

FAULTY = "#!/bin/bash\nmake test | tee log\n"
CLEAN = "#!/bin/bash\nmake test\n"
BROKEN = "if true; fi\n"

Check = Callable[..., list[CheckReport]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "check"


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were not found in the cache, in the order in which they were checked."""
    paths: list[str] = []
    whole = script_reports._by_rules

    def noted(script, *others):  # type: ignore[no-untyped-def]
        paths.append(os.path.basename(script.path))
        return whole(script, *others)

    monkeypatch.setattr(script_reports, "_by_rules", noted)
    return paths


@pytest.fixture
def check(folder: Path) -> Check:
    """Check files as one call of the command does."""

    def once(*paths: Path, wanted: frozenset[str] = frozenset()) -> list[CheckReport]:
        cache = CheckCache(str(folder), wanted)
        reports = list(checking.check_all([str(path) for path in paths], wanted, cache))
        cache.save()
        return reports

    return once


def write(place: Path, text: str) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def rules(reports: list[CheckReport]) -> list[list[str]]:
    return [[each.rule for each in report.findings] for report in reports]


def test_what_did_not_change_is_not_worked_out_again(
    check: Check, tmp_path: Path, worked_out: list[str]
) -> None:
    files = [write(tmp_path / f"{n}.sh", text) for n, text in enumerate((FAULTY, CLEAN, BROKEN))]
    first = check(*files)
    assert check(*files) == [attrs.evolve(report, kept=None) for report in first]
    assert worked_out == ["0.sh", "1.sh", "2.sh"]
    files[1].write_text(FAULTY)
    assert rules(check(*files)) == [
        ["masked-build-failure"],
        ["masked-build-failure"],
        ["syntax-error"],
    ]
    # The name is another.
    assert worked_out[3:] == ["1.sh"]


def test_where_a_file_lies_does_not_matter(
    check: Check, tmp_path: Path, worked_out: list[str]
) -> None:
    check(write(tmp_path / "a" / "build.sh", FAULTY))
    (found,) = check(write(tmp_path / "b" / "build.sh", FAULTY))
    assert [each.file for each in found.findings] == [str(tmp_path / "b" / "build.sh")]
    assert worked_out == ["build.sh"]


def test_a_name_that_tells_the_shell_is_part_of_what_is_known(check: Check, tmp_path: Path) -> None:
    text = "f() echo x\n"
    zsh, bash = (write(tmp_path / name, text) for name in ("a.zsh", "a.bash"))
    assert rules(check(zsh)) == [[]]
    assert rules(check(bash)) == [["syntax-error"]]


def test_other_rules_are_another_question(check: Check, tmp_path: Path) -> None:
    file = write(tmp_path / "build", FAULTY)
    assert rules(check(file)) == [["masked-build-failure"]]
    assert rules(check(file, wanted=frozenset({"unchecked-cd"}))) == [[]]


def test_another_version_of_the_program_or_of_a_shell_works_everything_out_anew(
    check: Check, tmp_path: Path, worked_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "build", FAULTY)
    check(file)
    monkeypatch.setattr(check_cache, "judges", lambda: b"others")
    check(file)
    assert worked_out == ["build", "build"]


def test_each_module_of_the_program_counts() -> None:
    named = check_cache.judges().decode()
    for module in (script_reports, syntax_check):
        assert f"{module.__file__} {os.path.getsize(module.__file__)} " in named


def test_a_sourced_file_that_changed_changes_what_is_found(
    check: Check, tmp_path: Path, worked_out: list[str]
) -> None:
    """FATE-12."""
    script = write(tmp_path / "cd.sh", '#!/bin/bash\n. ./names.sh\ncd "$1"\nrm -rf x\n')
    names = write(tmp_path / "names.sh", "#!/bin/bash\nx() { :; }\n")
    assert rules(check(script)) == [[]]
    assert rules(check(script, names)) == [["unchecked-cd"], []]
    assert rules(check(script, names)) == [["unchecked-cd"], []]
    assert worked_out == ["cd.sh", "cd.sh", "names.sh"]
    names.write_text("#!/bin/bash\nset -e\n")
    assert rules(check(script, names)) == [[], []]


def test_a_result_that_quotes_a_secret_is_not_kept(
    check: Check, tmp_path: Path, worked_out: list[str], folder: Path
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    file = write(tmp_path / "build", f"#!/bin/bash\nTOKEN={secret} make test | tee log\n")
    (found,) = check(file)
    assert any(secret in each.message for each in found.findings)
    check(file)
    assert worked_out == ["build", "build"]
    assert not any(secret in kept.read_text() for kept in folder.glob("*"))


def test_what_no_shell_judged_in_time_is_not_kept(
    check: Check, tmp_path: Path, worked_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "build", "#!/bin/bash\nif true; fi\n")
    (usual,) = syntax_check.CHECKERS[Dialect.BASH]
    hanging = syntax_check.Checker(("sleep", "1000"), usual.message)
    with monkeypatch.context() as busy:
        busy.setitem(syntax_check.CHECKERS, Dialect.BASH, (hanging,))
        busy.setattr(syntax_check, "LIMIT_S", 0.05)
        assert rules(check(file)) == [[]]
    assert rules(check(file)) == [["syntax-error"]]
    assert worked_out == ["build", "build"]


def test_the_folder_is_the_users_own(check: Check, tmp_path: Path, folder: Path) -> None:
    check(write(tmp_path / "build", FAULTY))
    (kept,) = folder.iterdir()
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, kept)] == [0o700, 0o600]


@pytest.mark.parametrize(
    "broken", ["", "{", "[]", "[" * 100_000, '{"KEY": 1}', '{"KEY": [[[1]], {}]}']
)
def test_what_cannot_be_read_is_worked_out_and_written_anew(
    check: Check, tmp_path: Path, folder: Path, worked_out: list[str], broken: str
) -> None:
    file = write(tmp_path / "build", FAULTY)
    check(file)
    (kept,) = folder.iterdir()
    (key,) = json.loads(kept.read_text())
    kept.write_text(broken.replace("KEY", key))
    assert rules(check(file)) == [["masked-build-failure"]]
    assert rules(check(file)) == [["masked-build-failure"]]
    assert worked_out == ["build", "build"]


def test_what_was_used_longest_ago_makes_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_cache, "MOST_IN_SHARD", 2)

    def key(number: int) -> str:
        return f"{0:031x}{number}"

    for number in range(3):
        cache = CheckCache(str(folder), set())
        cache.get(key(0))
        cache.put(key(number), Kept([], {}))
        cache.save()
    left = CheckCache(str(folder), set())
    assert [left.get(key(number)) is not None for number in range(3)] == [True, False, True]


async def test_many_documents_are_judged_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["a\n", "if b; then\ndone\nc\n", 'echo "a\n', "a )\n", "", "f() {\n", "cat <<E\nx\n"]
    documents = [
        syntax_check.Document(f"{head}{text}", dialect)
        for text in texts
        for head, dialect in (
            ("", Dialect.ZSH),
            ("#!/bin/bash\n", Dialect.BASH),
            ("#!/bin/sh\n", Dialect.SH),
        )
    ]
    alone = [await syntax_check.complaints(each.text, each.dialect) for each in documents]
    assert await syntax_check.complaints_of_all(documents) == alone
    assert sum(map(bool, alone)) > 9
    # The one zsh of many ends at the second: the others are asked about one by one.
    ended = syntax_check.ZSH_OF_MANY.replace("print", '[[ "$copy" == *3 ]] && kill -9 $$; print')
    monkeypatch.setattr(syntax_check, "ZSH_OF_MANY", ended)
    assert await syntax_check.complaints_of_all(documents) == alone
