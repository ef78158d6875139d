"""Tests that the rules file conforms to its published schema."""

import json
from functools import cached_property
from importlib import resources

import jsonschema
import pytest

from zsh_ls.verbosity.rules import rules

PACKAGE = resources.files("zsh_ls.verbosity")


def _json(name: str) -> dict[str, object]:
    return json.loads(PACKAGE.joinpath(name).read_text("utf-8"))


# VERB-6
def test_the_file_fits_its_schema() -> None:
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    schema = _json("verbosity-rules.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema, format_checker=checker)
    problems = [f"{list(e.path)}: {e.message}" for e in validator.iter_errors(_json("rules.json"))]
    assert problems == []


def test_an_unknown_key_does_not_fit_the_schema() -> None:
    schema, data = _json("verbosity-rules.schema.json"), _json("rules.json")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "verbosity": "lean"}, schema)


def test_every_marker_hint_is_lower_case() -> None:
    for marker in (rules().strong_error, rules().warning, rules().hidden_failure):
        assert [hint for hint in marker.hints if hint != hint.lower()] == []


def test_no_rule_is_empty_of_programs() -> None:
    assert all(rule.programs for found in rules().programs.values() for rule in found)


def test_every_part_of_the_file_can_be_read() -> None:
    """Patterns are made when they are first asked for: a bad one would raise in the middle of a run."""
    for name, part in vars(type(rules())).items():
        if isinstance(part, cached_property):
            getattr(rules(), name)
    for runner in rules().runners:
        assert runner.found.pattern
        _ = runner.failed, runner.summary
    for rule in rules().results:
        assert rule.failed
        _ = rule.passed, rule.about
