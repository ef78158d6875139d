"""A wrong value keeps the one before and is named; all ways of setting agree."""

from __future__ import annotations

import pytest

from zsh_ls.sidecar.config import Settings, changed, from_environment


def test_nested_and_dotted_names_mean_the_same() -> None:
    assert changed(Settings(), {"history": {"hints": False}}) == changed(
        Settings(), {"history.hints": False}
    )


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("timeout", "soon"),
        ("timeout", -3),
        ("timeout", True),
        ("timeout", float("nan")),
        ("timeoutMax", "none"),
        ("trusted", "no"),
        ("shell", 5),
        ("shell", "fish"),
        ("shell", "/no/such/zsh"),
        ("shell", "/etc/passwd"),
        ("shell", "bin/zsh"),
        ("database", "relative/alan.db"),
        ("redact", "x"),
        ("redact", ["("]),
        ("history.hints", 1),
    ],
)
def test_a_wrong_value_keeps_the_old_one_and_is_named(name: str, wrong: object) -> None:
    before = Settings(timeout_s=7.0)
    after, problems = changed(before, {name: wrong})
    assert after == before
    assert len(problems) == 1
    assert problems[0].startswith(f"{name}: expected ")


def test_a_null_or_an_unknown_name_changes_nothing() -> None:
    assert changed(Settings(), {"timeout": None, "nonsense": 3}) == (Settings(), [])


def test_a_time_limit_of_0_is_a_setting_of_its_own() -> None:
    assert changed(Settings(), {"timeout": 0})[0].timeout_s == 0


def test_a_maximum_of_0_is_no_maximum() -> None:
    assert from_environment({"NEVERHANG_TIMEOUT_MAX": "0"})[0].agent_timeout_max_s is None
    assert changed(Settings(), {"timeoutMax": 0})[0].agent_timeout_max_s is None


def test_the_environment_sets_the_defaults() -> None:
    settings, problems = from_environment(
        {
            "NEVERHANG_TIMEOUT_DEFAULT": "30",
            "NEVERHANG_TIMEOUT_MAX": "60",
            "ALAN_DB_PATH": "/somewhere/alan.db",
            "ALAN_MANOPT_ENABLED": "0",
            "ALAN_MANOPT_FAIL_TRIGGER": "4",
            "ALAN_MANOPT_FAIL_PRESENT": "",
        }
    )
    assert problems == []
    assert settings == Settings(
        agent_timeout_s=30.0,
        agent_timeout_max_s=60.0,
        database="/somewhere/alan.db",
        manopt_enabled=False,
        manopt_fail_trigger=4,
    )


@pytest.mark.parametrize("wrong", ["soon", "0", "-1", "nan"])
def test_a_wrong_variable_keeps_the_default_and_is_named(wrong: str) -> None:
    settings, problems = from_environment({"NEVERHANG_TIMEOUT_DEFAULT": wrong})
    assert settings == Settings()
    assert problems[0].startswith("NEVERHANG_TIMEOUT_DEFAULT: expected a number")


def test_a_pattern_that_cannot_be_used_is_named_and_all_others_hold() -> None:
    before = Settings(redact=("old",))
    after, problems = changed(before, {"redact": [r"nr=(\d+)", r"(?<=x)y", "("]})
    assert set(after.redact) == {r"nr=(\d+)", "old"}
    assert len(problems) == 2
    assert problems[0].startswith("redact: expected a pattern in RE2's syntax, got '(?<=x)y': ")
    assert "look-around is not supported" in problems[0]
    assert problems[0].endswith("; it is not used, all others are")
