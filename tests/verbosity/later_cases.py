"""Executions of tools that no earlier recording has, labelled before any rule was changed for them.

`python -m tests.verbosity.record NAME…` runs them anew, `python -m tests.bench verbosity --later` scores.
"""

# ruff: noqa: E501 - one case a line: a table reads better than a wrapped one
from __future__ import annotations

from .runner_cases import RunnerCase, ident, own_shell, title

ROBOT = "*** Test Cases ***\n" + "".join(
    f"{title(n)}\n    Should Be Equal As Integers    {n * 2}    {n * 2 + (n in (13, 47))}\n"
    for n in range(60)
)
TRIAL = "from twisted.trial import unittest\nclass Shop(unittest.TestCase):\n" + "".join(
    f"    def test_{ident(n)}(self):\n        self.assertEqual({n * 2}, {n * 2 + (n in (13, 47))})\n"
    for n in range(60)
)
PLAIN_UNITTEST = TRIAL.replace("from twisted.trial import unittest", "import unittest")
DOCTEST = "".join(
    f'def {ident(n)}(x):\n    """Doubles.\n\n    >>> {ident(n)}({n})\n    {n * 2 + (n in (13, 47))}\n    """\n    return x * 2\n\n\n'
    for n in range(60)
)
DJANGO = {
    "manage.py": "import os, sys\nos.environ['DJANGO_SETTINGS_MODULE'] = 'conf'\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n",
    "conf.py": "SECRET_KEY='x'\nINSTALLED_APPS=['shop']\nDATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}\n",
    "shop/__init__.py": "",
    "shop/tests.py": TRIAL.replace(
        "from twisted.trial import unittest\n", "from django.test import TestCase\n"
    ).replace("unittest.TestCase", "TestCase"),
}
WARD = "from ward import test\n" + "".join(
    f'@test("{title(n)}")\ndef _():\n    assert {n * 2} == {n * 2 + (n in (13, 47))}\n'
    for n in range(60)
)
CUCUMBER = {
    "features/shop.feature": "Feature: shop\n"
    + "".join(
        f"  Scenario: {title(n)}\n    Given a number {n}\n    Then its double is {n * 2 + (n in (13, 47))}\n"
        for n in range(60)
    ),
    "features/steps.js": "const {Given, Then} = require('@cucumber/cucumber');\nconst assert = require('assert');\nGiven('a number {int}', function (n) { this.n = n; });\nThen('its double is {int}', function (m) { assert.strictEqual(this.n * 2, m); });\n",
}
QUNIT = "QUnit.module('shop');\n" + "".join(
    f"QUnit.test('{title(n)}', a => a.equal({n * 2}, {n * 2 + (n in (13, 47))}));\n"
    for n in range(200)
)
PLAYWRIGHT = "const {test, expect} = require('@playwright/test');\n" + "".join(
    f"test('{title(n)}', () => {{ expect({n} * 2).toBe({n * 2 + (n in (13, 47))}); }});\n"
    for n in range(120)
)
LAB = (
    "const Lab = require('@hapi/lab');\nconst {expect} = require('@hapi/code');\nconst {it} = exports.lab = Lab.script();\n"
    + "".join(
        f"it('{title(n)}', () => {{ expect({n * 2}).to.equal({n * 2 + (n in (13, 47))}); }});\n"
        for n in range(120)
    )
)
DENO = "import { strictEqual } from 'node:assert';\n" + "".join(
    f"Deno.test('{title(n)}', () => strictEqual({n} * 2, {n * 2 + (n in (13, 47))}));\n"
    for n in range(200)
)
BUN = "import {test, expect} from 'bun:test';\n" + "".join(
    f"test('{title(n)}', () => {{ expect({n} * 2).toBe({n * 2 + (n in (13, 47))}); }});\n"
    for n in range(200)
)
JEST = "".join(
    f"test('{title(n)}', () => {{ expect({n} * 2).toBe({n * 2 + (n in (13, 147))}); }});\n"
    for n in range(300)
)
MESON = {
    "meson.build": "project('shop', 'c')\nexe = executable('drawer', 'drawer.c')\n"
    + "".join(f"test('drawer_{n}', exe, args: ['{n}'])\n" for n in range(60)),
    "drawer.c": '#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); if (n == 13 || n == 47) { printf("drawer %d is jammed\\n", n); return 1; } return 0; }\n',
}
TS_ERRORS = "".join(f"export const {ident(n)}: number = '{n}';\n" for n in range(80))
CSS = "".join(f"a.{ident(n)} {{ colr: #ff{n % 10}; }}\n" for n in range(60))
JS_LINT = "".join(f"if ({n} == x) {{ debugger; }}\n" for n in range(60))
TOX = "[tox]\nskipsdist = true\nenv_list = one, two\n[testenv]\nallowlist_externals = python\ncommands = python -m unittest -v test_{envname}\n"
NOX = "import nox\n@nox.session(venv_backend='none')\n@nox.parametrize('part', list(range(12)))\ndef check(session, part):\n    session.run('python', '-c', f'import sys; print(\"part {part} was looked at\"); sys.exit({part} == 7)')\n"
DOCKER_LOG = (
    "".join(
        f"#{n} [{n}/40] RUN make part{n}\n#{n} 0.{n:03} compiling part{n}.c\n"
        + (
            f"#{n} 0.9 part{n}.c:4:2: error: unknown type name 'ledgr'\n#{n} ERROR: process \"/bin/sh -c make part{n}\" did not complete successfully: exit code: 2\n"
            if n == 23
            else f"#{n} DONE 0.4s\n"
        )
        for n in range(1, 41)
    )
    + "------\n > [23/40] RUN make part23:\n0.9 part23.c:4:2: error: unknown type name 'ledgr'\n------\nERROR: failed to solve: process \"/bin/sh -c make part23\" did not complete successfully: exit code: 2\n"
)
TERRAFORM_LOG = "".join(
    f"aws_instance.node[{n}]: Creating...\naws_instance.node[{n}]: Still creating... [10s elapsed]\n"
    + (
        f"aws_instance.node[{n}]: Creation complete after 14s [id=i-0a{n}]\n"
        if n not in (17, 61)
        else ""
    )
    for n in range(90)
) + "".join(
    f'╷\n│ Error: creating EC2 Instance: InsufficientInstanceCapacity: no capacity for node {n}\n│ \n│   with aws_instance.node[{n}],\n│   on main.tf line {n + 3}, in resource "aws_instance" "node":\n│   {n + 3}: resource "aws_instance" "node" {{\n│ \n╵\n'
    for n in (17, 61)
)
CATCH_XML = (
    "<testsuites>\n"
    + "".join(
        f'  <testcase classname="shop" name="{title(n)}" time="0.001"'
        + (
            f'>\n    <failure message="{n * 2} == {n * 2 + 1}">shop.cpp:{n + 9}</failure>\n  </testcase>\n'
            if n in (13, 47)
            else "/>\n"
        )
        for n in range(300)
    )
    + "</testsuites>\n"
)
TWO = (title(13), title(47))
TWO_IDENTS = (ident(13), ident(47))

LATER_RUNNERS: tuple[RunnerCase, ...] = (
    RunnerCase("robot-60-fail", "robot --output NONE --log NONE --report NONE shop.robot", "test", True, (*TWO, "26 != 27", "94 != 95"), files={"shop.robot": ROBOT}),
    RunnerCase("robot-60-pass", "robot --output NONE --log NONE --report NONE shop.robot", "test", keep=("60 tests, 60 passed, 0 failed",), files={"shop.robot": ROBOT.replace("    26    27", "    26    26").replace("    94    95", "    94    94")}),
    RunnerCase("trial-fail", "PYTHONPATH=. trial test_shop", "test", True, (*TWO_IDENTS, "26 != 27"), ("test_shop.py",), files={"test_shop.py": TRIAL}),
    RunnerCase("doctest-fail", "python -m doctest shop.py", "test", True, TWO_IDENTS, ('shop.py", line 427', 'shop.py", line 121'), files={"shop.py": DOCTEST}),
    RunnerCase("doctest-v-fail", "python -m doctest -v shop.py", "test", True, (*TWO_IDENTS, "2 failures"), files={"shop.py": DOCTEST}),
    RunnerCase("django-test-fail", "python manage.py test", "test", True, (*TWO_IDENTS, "26 != 27"), ("shop/tests.py",), files=DJANGO),
    RunnerCase("django-test-parallel-v2-fail", "python manage.py test -v 2 --parallel 2", "test", True, TWO_IDENTS, files=DJANGO),
    RunnerCase("ward-fail", "ward", "test", True, TWO, ("test_shop.py",), files={"test_shop.py": WARD}),
    RunnerCase("green-fail", "green -v test_shop.py", "test", True, TWO_IDENTS, files={"test_shop.py": PLAIN_UNITTEST}),
    RunnerCase("zope-testrunner-fail", "PYTHONPATH=. zope-testrunner --path=. -vv", "test", True, TWO_IDENTS, files={"tests.py": PLAIN_UNITTEST}),
    RunnerCase("cucumber-fail", "npx cucumber-js", "test", True, TWO, ("features/steps.js:4",), files=CUCUMBER),
    RunnerCase("cucumber-summary-pass", "npx cucumber-js --tags 'not @slow' --name 'invoice'", "test", keep=("6 scenarios (6 passed)",), files=CUCUMBER),
    RunnerCase("qunit-fail", "npx qunit shop.js", "test", True, TWO, files={"shop.js": QUNIT}),
    RunnerCase("playwright-test-fail", "npx playwright test --reporter=list", "test", True, TWO, ("shop.spec.js:15", "shop.spec.js:49"), files={"shop.spec.js": PLAYWRIGHT}),
    RunnerCase("playwright-json-fail", "npx playwright test --reporter=json", "test", True, TWO, files={"shop.spec.js": PLAYWRIGHT}),
    RunnerCase("lab-v-fail", "npx lab -v shop.js", "test", True, TWO, files={"shop.js": LAB}),
    RunnerCase("deno-test-fail", "npx deno test shop_test.ts", "test", True, TWO, ("shop_test.ts",), files={"shop_test.ts": DENO}),
    RunnerCase("deno-check-errors", "npx deno check shop.ts", "lint", True, (), tuple(f"shop.ts:{n}:" for n in (1, 40, 80)), files={"shop.ts": TS_ERRORS}),
    RunnerCase("bun-test-fail", "npx bun test", "test", True, TWO, ("shop.test.js:15", "shop.test.js:49"), files={"shop.test.js": BUN}),
    RunnerCase("jest-json-fail", "npx jest --json", "test", True, (title(13), title(147)), files={"package.json": "{}", "shop.test.js": JEST}),
    RunnerCase("vitest-json-fail", "npx vitest run --reporter=json", "test", True, (title(13), title(147)), files={"shop.test.js": "import {test, expect} from 'vitest';\n" + JEST}),
    RunnerCase("meson-60-fail", "meson test -C b", "test", True, ("drawer_13", "drawer_47"), files=MESON, setup="meson setup b"),
    RunnerCase("meson-60-print-errors", "meson test -C b --print-errorlogs", "test", True, ("drawer 13 is jammed", "drawer 47 is jammed"), files=MESON, setup="meson setup b"),
    RunnerCase("scons-broken", "scons -k", "build", True, ("gone_17", "gone_44"), ("m17.c:2:", "m44.c:2:"), files={"SConstruct": "for n in range(60):\n    Object(f'm{n}.c')\n", **{f"m{n}.c": f"int part{n}(void) {{ return {n}; }}\n" + (f"int bad(void) {{ return gone_{n}; }}\n" if n in (17, 44) else "") for n in range(60)}}),
    RunnerCase("tox-one-fails", "tox", "test", True, (ident(13), "two: FAIL"), files={"tox.ini": TOX, "test_one.py": PLAIN_UNITTEST.replace("27)", "26)").replace("95)", "94)"), "test_two.py": PLAIN_UNITTEST}),
    RunnerCase("nox-one-fails", "nox", "test", True, ("check(part=7)", "exit code 1"), files={"noxfile.py": NOX}),
    RunnerCase("stylelint-60", "npx stylelint shop.css", "lint", True, (), tuple(f" {n}:" for n in (1, 30, 60)), files={"shop.css": CSS, ".stylelintrc.json": '{"rules": {"property-no-unknown": true, "color-no-invalid-hex": true}}'}),
    RunnerCase("biome-lint-60", "npx biome lint --max-diagnostics=none shop.js", "lint", True, (), ("shop.js:1:", "shop.js:30:", "shop.js:60:"), files={"shop.js": JS_LINT}),
    RunnerCase("oxlint-warnings-ok", "npx oxlint shop.js", "lint", False, (), ("shop.js:1:", "shop.js:30:", "shop.js:60:"), files={"shop.js": JS_LINT}),
    RunnerCase("markdownlint-60", "npx markdownlint GUIDE.md", "lint", True, (), ("GUIDE.md:3", "GUIDE.md:119"), files={"GUIDE.md": "# Guide\n\n" + "".join(f"#Chapter {n}\ntext {n}\n" for n in range(60))}),
    RunnerCase("yamllint-60", "yamllint compose.yaml", "lint", True, (), ("  1:1", "  30:", "  60:"), files={"compose.yaml": "".join(f"service_{n}:   {{a: 1}}  \n" for n in range(60))}),
    RunnerCase("pyright-80", "npx pyright shop.py", "lint", True, (), tuple(f"shop.py:{n}:" for n in (1, 40, 80)), files={"shop.py": "".join(f'{ident(n)}: int = "{n}"\n' for n in range(80))}),
    RunnerCase("prettier-check-fails", "npx prettier --check .", "lint", True, (), ("a0.js", "a59.js"), files={f"a{n}.js": "const   a = 1\n" for n in range(60)}),
    RunnerCase("vite-build-missing", "npx vite build", "build", True, ("./gone.js",), ("main.js",), files={"index.html": '<script type="module" src="./main.js"></script>', "main.js": "import './gone.js';\n"}),
    RunnerCase("docker-build-log", "./image.sh", "command", True, ("unknown type name 'ledgr'",), ("part23.c:4:2",), files={"log.txt": DOCKER_LOG, "image.sh": own_shell("cat log.txt >&2; exit 1\n")}),
    RunnerCase("terraform-log", "./apply.sh", "command", True, ("no capacity for node 17", "no capacity for node 61"), ("main.tf line 20", "main.tf line 64"), files={"log.txt": TERRAFORM_LOG, "apply.sh": own_shell("cat log.txt; exit 1\n")}),
    RunnerCase("junit-xml-300", "./unit -r junit", "test", True, TWO, ("shop.cpp:22", "shop.cpp:56"), files={"report.xml": CATCH_XML, "unit.sh": own_shell("cat report.xml; exit 2\n")}, setup="cp unit.sh unit && chmod +x unit"),
    RunnerCase("named-camel-pass", "./smoke", "test", keep=("40 checks, all good",), files={"smoke.sh": own_shell('for n in $(seq 40); do echo "check $n of the till .......... good"; done; echo "40 checks, all good"\n')}, setup="cp smoke.sh smoke && chmod +x smoke"),
)  # fmt: skip
