"""Executions of 30 tools that no earlier recording has, what must be kept of each written down first.

`python -m tests.verbosity.record NAME…` runs them anew, `python -m tests.bench verbosity --latest` scores.
"""

# ruff: noqa: E501 - one case a line: a table reads better than a wrapped one
from __future__ import annotations

from .later_cases import CSS, JS_LINT, PLAIN_UNITTEST, TS_ERRORS, TWO, TWO_IDENTS
from .runner_cases import RunnerCase, ident, own_shell, title

_WRONG = (13, 47)
PYTEST = "".join(
    f"def test_{ident(n)}():\n    assert {n * 2} == {n * 2 + (n in _WRONG)}\n" for n in range(60)
)
SUBTESTS = f"def test_shop(subtests):\n    for n in range(60):\n        with subtests.test(n=n):\n            assert n * 2 == n * 2 + (n in {_WRONG})\n"
PROPERTY = "from hypothesis import given, strategies as st\n" + "".join(
    f"@given(st.integers(0, 100))\ndef test_{ident(n)}(x):\n    assert x < {41 if n == 13 else 101}\n"
    for n in range(20)
)
BDD = {
    "test_shop.py": "from pytest_bdd import scenarios, given, then, parsers\nscenarios('shop.feature')\n@given(parsers.parse('a number {n:d}'), target_fixture='number')\ndef number(n):\n    return n\n@then(parsers.parse('its double is {m:d}'))\ndef double(number, m):\n    assert number * 2 == m\n",
    "shop.feature": "Feature: shop\n"
    + "".join(
        f"  Scenario: {title(n)}\n    Given a number {n}\n    Then its double is {n * 2 + (n in _WRONG)}\n"
        for n in range(60)
    ),
}
MAMBA = (
    "from mamba import description, it\nfrom expects import expect, equal\nwith description('shop'):\n"
    + "".join(
        f"    with it('{title(n)}'):\n        expect({n * 2}).to(equal({n * 2 + (n in _WRONG)}))\n"
        for n in range(60)
    )
)
XDOCTEST = "".join(
    f'def {ident(n)}(x):\n    """\n    Example:\n        >>> {ident(n)}({n})\n        {n * 2 + (n in _WRONG)}\n    """\n    return x * 2\n\n\n'
    for n in range(60)
)
TESTIFY = "import testify as T\nclass ShopTest(T.TestCase):\n" + "".join(
    f"    def test_{ident(n)}(self):\n        T.assert_equal({n * 2}, {n * 2 + (n in _WRONG)})\n"
    for n in range(60)
)
SLASH = "import slash\n" + "".join(
    f"def test_{ident(n)}():\n    assert {n * 2} == {n * 2 + (n in _WRONG)}\n" for n in range(60)
)
STESTR = {
    ".stestr.conf": "[DEFAULT]\ntest_path=.\n",
    "test_shop.py": PLAIN_UNITTEST,
}
TAP = "const t = require('tap');\n" + "".join(
    f"t.test('{title(n)}', t => {{ t.equal({n} * 2, {n * 2 + (n in _WRONG)}); t.end(); }});\n"
    for n in range(60)
)
ZORA = "import {test} from 'zora';\n" + "".join(
    f"test('{title(n)}', t => t.equal({n} * 2, {n * 2 + (n in _WRONG)}));\n" for n in range(60)
)
JAPA = {
    "package.json": '{"type": "module"}',
    "bin/test.js": "import {configure, processCLIArgs, run} from '@japa/runner';\nimport {assert} from '@japa/assert';\nprocessCLIArgs(process.argv.slice(2));\nconfigure({files: ['shop.spec.js'], plugins: [assert()]});\nrun();\n",
    "shop.spec.js": "import {test} from '@japa/runner';\n"
    + "".join(
        f"test('{title(n)}', ({{assert}}) => assert.equal({n} * 2, {n * 2 + (n in _WRONG)}));\n"
        for n in range(60)
    ),
}
NODE_TEST = "const test = require('node:test'), assert = require('node:assert');\n" + "".join(
    f"test('{title(n)}', () => assert.strictEqual({n} * 2, {n * 2 + (n in _WRONG)}));\n"
    for n in range(60)
)
PACKAGES = {
    "package.json": '{"name": "shop", "private": true, "workspaces": ["parts/*"], "packageManager": "npm@10.8.2"}',
    "lerna.json": '{"version": "1.0.0", "packages": ["parts/*"]}',
    "turbo.json": '{"tasks": {"test": {}}}',
    ".gitignore": ".turbo\n",
} | {
    f"parts/{name}/{file}": text
    for name in ("till", "shelf", "cellar")
    for file, text in {
        "package.json": f'{{"name": "{name}", "version": "1.0.0", "scripts": {{"test": "node --test"}}}}',
        f"{name}.test.js": NODE_TEST
        if name == "shelf"
        else NODE_TEST.replace("27)", "26)").replace("95)", "94)"),
    }.items()
}
IN_GIT = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm one"
LUA = (
    "local failed = 0\n"
    + "".join(
        f"if {n} * 2 == {n * 2 + (n in _WRONG)} then print('PASS: {title(n)}') else failed = failed + 1; print('FAIL: {title(n)}: {n * 2} is not {n * 2 + 1}') end\n"
        for n in range(60)
    )
    + "print(string.format('%d checks, %d failed', 60, failed))\nos.exit(failed == 0)\n"
)
PHP = (
    "<?php\n$bad = 0;\n"
    + "".join(
        f'if ({n} * 2 === {n * 2 + (n in _WRONG)}) {{ echo "  ✓ {title(n)}\\n"; }} else {{ $bad++; echo "  ✗ {title(n)}\\n    expected {n * 2 + 1}, got {n * 2}\\n"; }}\n'
        for n in range(60)
    )
    + 'echo "\\n", 60 - $bad, " passed, $bad failed\\n";\nexit($bad ? 1 : 0);\n'
)
SQL = "".join(f"SELECT a,b  from shelf_{n} where x=1;\n" for n in range(40))
SPHINX = {
    "conf.py": "project = 'shop'\n",
    "index.rst": "Shop\n====\n\n"
    + "".join(f"Part {n}\n-------\n\nSee :doc:`gone_{n}`.\n\n" for n in range(70)),
}
PLAYBOOK = "- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks:\n" + "".join(
    f"    - name: {title(n)}\n      ansible.builtin.shell: exit {int(n == 13)}\n" for n in range(40)
)
HTML = (
    "<html><body>\n"
    + "".join(f'<div id="same" class=x{n}><p>{n}</div>\n' for n in range(40))
    + "</body></html>\n"
)
TYPOS = "".join(f"line {n}: we recieve teh parcel\n" for n in range(60))
DEAD = "".join(f"def {ident(n)}():\n    unused_{n} = 1\n\n\n" for n in range(60))

LATEST_RUNNERS: tuple[RunnerCase, ...] = (
    RunnerCase("tap-18-fail", "npx tap --disable-coverage shop.test.js", "test", True, TWO, ("shop.test.js:15", "shop.test.js:49"), files={"shop.test.js": TAP, "package.json": "{}"}),
    RunnerCase("tap-18-tap-report-fail", "npx tap -R tap --disable-coverage shop.test.js", "test", True, TWO, files={"shop.test.js": TAP, "package.json": "{}"}),
    RunnerCase("zora-fail", "node shop.mjs", "test", True, TWO, ("shop.mjs:15", "shop.mjs:49"), files={"shop.mjs": ZORA}),
    RunnerCase("japa-fail", "node bin/test.js", "test", True, TWO, ("shop.spec.js:15", "shop.spec.js:49"), files=JAPA),
    RunnerCase("c8-node-test-fail", "npx c8 node --test shop.test.js", "test", True, TWO, ("shop.test.js:15",), files={"shop.test.js": NODE_TEST}),
    RunnerCase("nyc-node-test-masked", "npx nyc node --test shop.test.js | tail -70", "test", True, keep=("fail 2",), files={"shop.test.js": NODE_TEST, "package.json": "{}"}),
    RunnerCase("lerna-run-test-fail", "npx lerna run test --no-bail", "test", True, TWO, ("shelf.test.js:15",), files=PACKAGES, setup=IN_GIT),
    RunnerCase("turbo-run-test-fail", "npx turbo run test --no-daemon --cache-dir=.cache", "test", True, TWO, ("shelf.test.js:15",), files=PACKAGES, setup=IN_GIT),
    RunnerCase("pytest-sugar-fail", "python -m pytest -p no:randomly --force-sugar test_shop.py", "test", True, TWO_IDENTS, ("test_shop.py",), files={"test_shop.py": PYTEST}),
    RunnerCase("pytest-subtests-fail", "python -m pytest -p no:sugar test_shop.py", "test", True, ("n=13", "n=47"), ("test_shop.py:4",), files={"test_shop.py": SUBTESTS}),
    RunnerCase("pytest-hypothesis-fail", "python -m pytest -p no:sugar -q test_shop.py", "test", True, (ident(13), "assert 41 < 41"), ("test_shop.py:",), files={"test_shop.py": PROPERTY}),
    RunnerCase("pytest-bdd-fail", "python -m pytest -p no:sugar --gherkin-terminal-reporter -v", "test", True, TWO, files=BDD),
    RunnerCase("mamba-documentation-fail", "mamba shop_spec.py --format documentation", "test", True, TWO, ("shop_spec.py",), files={"shop_spec.py": MAMBA}),
    RunnerCase("xdoctest-fail", "python -m xdoctest shop.py", "test", True, TWO_IDENTS, files={"shop.py": XDOCTEST}),
    RunnerCase("testify-fail", "python -m testify.test_program shop_test", "test", True, TWO_IDENTS, ("shop_test.py",), files={"shop_test.py": TESTIFY}),
    RunnerCase("slash-fail", "slash run test_shop.py", "test", True, TWO_IDENTS, files={"test_shop.py": SLASH}),
    RunnerCase("stestr-fail", "stestr run", "test", True, TWO_IDENTS, ("test_shop.py",), files=STESTR, setup="stestr init"),
    RunnerCase("own-lua-fail", "lua check.lua", "test", True, TWO, keep=("60 checks, 2 failed",), files={"check.lua": LUA}),
    RunnerCase("own-php-fail", "php tests/run.php", "test", True, TWO, keep=("58 passed, 2 failed",), files={"tests/run.php": PHP}),
    RunnerCase("ansible-playbook-fails", "ansible-playbook site.yml", "command", True, (title(13), "non-zero return code"), keep=("failed=1",), files={"site.yml": PLAYBOOK}),
    RunnerCase("sphinx-warnings-as-errors", "sphinx-build -W --keep-going -b html . out", "build", True, (), ("index.rst:7:", "index.rst:352:"), files=SPHINX),
    RunnerCase("sphinx-warnings-ok", "sphinx-build -b html . out", "build", False, (), ("index.rst:7:", "index.rst:352:"), files=SPHINX),
    RunnerCase("sqlfluff-lint", "sqlfluff lint --dialect ansi shop.sql", "lint", True, (), ("L:   1 |", "L:  40 |"), files={"shop.sql": SQL}),
    RunnerCase("codespell-60", "codespell GUIDE.txt", "lint", True, (), ("GUIDE.txt:1:", "GUIDE.txt:60:"), files={"GUIDE.txt": TYPOS}),
    RunnerCase("vulture-60", "vulture shop.py", "lint", True, (), ("shop.py:1:", "shop.py:237:"), files={"shop.py": DEAD}),
    RunnerCase("jshint-60", "npx jshint shop.js", "lint", True, (), ("line 1,", "line 30,"), files={"shop.js": JS_LINT}),
    RunnerCase("standard-60", "npx standard shop.js", "lint", True, (), ("shop.js:1:", "shop.js:60:"), files={"shop.js": JS_LINT}),
    RunnerCase("htmlhint-40", "npx htmlhint index.html", "lint", True, (), ("L2 ", "L41 "), files={"index.html": HTML}),
    RunnerCase("tsup-dts-errors", "npx tsup shop.ts --dts", "build", True, ("TS2322",), ("shop.ts(1,",), files={"shop.ts": TS_ERRORS, "package.json": "{}", "tsconfig.json": '{"compilerOptions": {"strict": true, "target": "es2020", "moduleResolution": "node10"}}'}),
    RunnerCase("docker-like-lint-script", "./lint.sh", "command", True, ("2 files are not formatted",), ("parts/n13.css", "parts/n47.css"), files={"lint.sh": own_shell("for n in $(seq 60); do case $n in 13|47) echo \"parts/n$n.css needs formatting\";; *) echo \"parts/n$n.css ok\";; esac; done; echo '2 files are not formatted'; exit 1\n"), "a.css": CSS}),
)  # fmt: skip
