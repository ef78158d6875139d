"""The output of `zsh-ls check --format sarif` is valid by the official schema of SARIF 2.1.0."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from zsh_ls.cli.findings import Finding, as_sarif, error_on_line, findings_of
from zsh_ls.insights import static
from zsh_ls.insights.registry import RuleKind, rules_of
from zsh_ls.model.syntax import Dialect

SCHEMA = json.loads(
    (Path(__file__).parents[1] / "data" / "sarif" / "sarif-schema-2.1.0.json").read_text()
)
VALIDATOR = jsonschema.Draft4Validator(SCHEMA)
FAULTY = "#!/bin/bash\nmake test | tee log\ncd $there\nrm -rf *\n"


def findings(file: str) -> list[Finding]:
    found = findings_of(file, FAULTY, static(FAULTY, Dialect.BASH))
    return [*found, error_on_line(file, FAULTY, 2, "syntax error near unexpected token `fi'")]


def test_the_schema_is_valid():
    jsonschema.Draft4Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", ["/a b/é?#.sh", "lib/a:b.zsh", "-", "50%.sh", "a\nb"])
def test_findings_are_valid(file):
    found = findings(file)
    assert len(found) > 1
    VALIDATOR.validate(json.loads(as_sarif(found)))


def test_a_run_that_found_nothing_is_valid():
    VALIDATOR.validate(json.loads(as_sarif([])))


def test_a_finding_of_every_rule_is_valid():
    names = [rule.name for rule in rules_of(RuleKind.STATIC)]
    found = [Finding("a.sh", 1, 1, 1, 2, "info", name, name) for name in names]
    VALIDATOR.validate(json.loads(as_sarif(found)))


def test_the_schema_refuses_what_is_no_sarif():
    log = json.loads(as_sarif(findings("a.sh")))
    log["runs"][0]["results"][0]["level"] = "warn"
    assert not VALIDATOR.is_valid(log)
    assert not VALIDATOR.is_valid({"version": "2.1.0"})


def test_the_schema_that_is_named_is_this_one():
    assert json.loads(as_sarif([]))["$schema"] == SCHEMA["id"]


def test_a_finding_leads_to_the_page_of_its_rule():
    driver = json.loads(as_sarif(findings("a.sh")))["runs"][0]["tool"]["driver"]
    assert driver["informationUri"].startswith("https://")
    pages = {rule["id"]: rule.get("helpUri") for rule in driver["rules"]}
    assert pages["unchecked-cd"] == driver["informationUri"] + "insights/unchecked-cd/"
