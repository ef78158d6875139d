"""Executions of 30 more tools that no earlier recording has, what must be kept of each written down first.

`python -m tests.verbosity.record NAME…` runs them anew, `python -m tests.bench verbosity --newest` scores.
"""

# ruff: noqa: E501 - one case a line: a table reads better than a wrapped one
from __future__ import annotations

from .later_cases import PLAIN_UNITTEST, TWO, TWO_IDENTS
from .latest_cases import PYTEST
from .runner_cases import RunnerCase, ident, own_shell, title

_WRONG = (13, 47)
POKU = "import {test, assert} from 'poku';\n" + "".join(
    f"test('{title(n)}', () => {{ assert.strictEqual({n} * 2, {n * 2 + (n in _WRONG)}, '{title(n)}'); }});\n"
    for n in range(60)
)
SUPERTAPE = "import test from 'supertape';\n" + "".join(
    f"test('shop: {title(n)}', (t) => {{ t.equal({n} * 2, {n * 2 + (n in _WRONG)}); t.end(); }});\n"
    for n in range(60)
)
VOWS = (
    "const vows = require('vows'), assert = require('assert');\nvows.describe('shop').addBatch({'a shop': {topic: 1,\n"
    + "".join(
        f"  '{title(n)}': () => assert.equal({n} * 2, {n * 2 + (n in _WRONG)}),\n"
        for n in range(60)
    )
    + "}}).export(module);\n"
)
RADISH = {
    "features/shop.feature": "Feature: shop\n"
    + "".join(
        f"  Scenario: {title(n)}\n    Given a number {n}\n    Then its double is {n * 2 + (n in _WRONG)}\n"
        for n in range(60)
    ),
    "radish/steps.py": "from radish import given, then\n@given('a number {n:d}')\ndef number(step, n):\n    step.context.n = n\n@then('its double is {m:d}')\ndef double(step, m):\n    assert step.context.n * 2 == m\n",
}
STYLE = "".join(f"x_{n}=  [ {n},2 ]\n" for n in range(60))
UNUSED = "".join(f"import os as os_{n}\n" for n in range(60))
UNDOCUMENTED = "".join(f"def {ident(n)}():\n    return {n}\n\n\n" for n in range(60))
WRONG_TYPES = "".join(f"{ident(n)}: int = 'part {n}'\n" for n in range(60))
LONG_RST = "Shop\n====\n\n" + "".join("word " * 30 + f"{n}\n\n" for n in range(60))
BAD_RST = "Shop\n====\n\n" + "".join(f"Part {n}\n---\n\n" for n in range(60))
OLD_PYTHON = "".join(
    f"def {ident(n)}(x):\n    if x == '' or x == 'a':\n        return list([])\n\n\n"
    for n in range(40)
)
TEMPLATE = (
    "<div>\n"
    + "".join(f'<img src="{n}.png"><a href="x" >{n}</A>\n' for n in range(40))
    + "</div>\n"
)
CIRCLE = {f"part{n}.js": f"import './part{(n + 1) % 40}.js';\n" for n in range(40)}
DEAD_JS = {
    "package.json": '{"name": "shop", "main": "index.js", "dependencies": {"left-pad": "1"}}',
    "index.js": "import './used.js';\n",
    "used.js": "export const used = 1;\n",
} | {f"gone/part{n}.js": f"export const part{n} = {n};\n" for n in range(30)}
PACKAGE = {
    "package.json": '{"name": "shop", "version": "1.0.0", "type": "module", "main": "./gone.js", "types": "./gone.d.ts", "exports": {".": {"import": "./gone.mjs", "types": "./gone.d.ts"}, "./part": "./part.js"}, "files": ["part.js"]}',
    "part.js": "module.exports = 1\n",
}
PROSE = "".join(f"{n}. He told the guys that whitelist {n} is crazy.\n\n" for n in range(40))
LOOSE_MARKDOWN = "".join(f"# Part {n}\n\n* a\n\n- b\n\nsee [x][gone{n}]\n\n" for n in range(30))
TYPOS = "".join(f"line {n}: a recieved parcle of wodo\n" for n in range(60))
PERL = (
    "my ($good, $bad) = (0, 0);\nfor my $n (0..59) {\n  my $broken = $n == 13 || $n == 47;\n"
    "  $broken ? $bad++ : $good++;\n  printf \"%-30s %s\\n\", \"drawer $n\", $broken ? '** BROKEN **' : 'fine';\n}\n"
    'print "$good fine, $bad broken\\n"; exit($bad ? 1 : 0);\n'
)
RUBY = (
    "bad = []\n60.times do |n|\n  ok = ![13, 47].include?(n)\n  bad << n unless ok\n"
    '  puts "#{ok ? "\\e[32m✔\\e[0m" : "\\e[31m✘\\e[0m"} lamp #{n} lights"\nend\n'
    'puts "", "58 lamps light, #{bad.size} do not: #{bad.join(", ")}"\nexit 1\n'
)
JAVA = (
    "class Check { public static void main(String[] a) { int bad = 0;\n for (int n = 0; n < 60; n++) {\n"
    '  boolean ok = n != 13 && n != 47; if (!ok) bad++;\n  System.out.println((ok ? "PASS: " : "FAIL: ") + "wheel " + n + (ok ? "" : " expected " + 2 * n + " but was " + (2 * n + 1)));\n }\n'
    ' System.out.println("Total: 60  Passed: " + (60 - bad) + "  Failed: " + bad); System.exit(bad); } }\n'
)
RUST_TESTS = "".join(
    f"#[test] fn {ident(n)}() {{ assert_eq!({n} * 2, {n * 2 + (n in _WRONG)}); }}\n"
    for n in range(60)
)
MAKE_PARTS = (
    'PARTS := $(shell seq 30)\nall: $(addprefix part-,$(PARTS))\npart-%:\n\t@echo "checking part $*"; '
    'if [ $* = 7 ] || [ $* = 21 ]; then echo "part $*: seal is broken" >&2; exit 3; fi\n'
)

NEWEST_RUNNERS: tuple[RunnerCase, ...] = (
    RunnerCase("radish-fail", "radish -b radish features/", "test", True, TWO, keep=("60 scenarios",), files=RADISH),
    RunnerCase("pytest-spec-fail", "python -m pytest --spec -p no:randomly test_shop.py", "test", True, TWO_IDENTS, ("test_shop.py:",), files={"test_shop.py": PYTEST}),
    RunnerCase("pytest-instafail", "python -m pytest --instafail -q test_shop.py", "test", True, TWO_IDENTS, ("test_shop.py:",), files={"test_shop.py": PYTEST}),
    RunnerCase("avocado-fail", "avocado run --disable-sysinfo test_shop.py", "test", True, TWO_IDENTS, files={"test_shop.py": PLAIN_UNITTEST}),
    RunnerCase("supertape-tap-min-masked", "npx supertape -f tap shop.mjs | npx tap-min", "test", True, keep=("should equal", "60 tests complete"), files={"shop.mjs": SUPERTAPE}),
    RunnerCase("supertape-faucet-fail", "npx supertape -f tap shop.mjs | npx faucet", "test", True, TWO, files={"shop.mjs": SUPERTAPE}),
    RunnerCase("supertape-tap-difflet-fail", "npx supertape -f tap shop.mjs | npx tap-difflet", "test", True, TWO, files={"shop.mjs": SUPERTAPE}),
    RunnerCase("poku-fail", "npx poku shop.test.mjs", "test", True, TWO, ("shop.test.mjs:15",), files={"shop.test.mjs": POKU}),
    RunnerCase("supertape-fail", "npx supertape shop.mjs", "test", True, TWO, ("shop.mjs:15", "shop.mjs:49"), files={"shop.mjs": SUPERTAPE}),
    RunnerCase("supertape-tap-fail", "npx supertape -f tap shop.mjs", "test", True, TWO, ("shop.mjs:15", "shop.mjs:49"), files={"shop.mjs": SUPERTAPE}),
    RunnerCase("vows-spec-fail", "npx vows shop.js --spec", "test", True, TWO, files={"shop.js": VOWS}),
    RunnerCase("own-perl-fail", "perl t/drawers.pl", "test", True, ("drawer 13", "drawer 47"), keep=("58 fine, 2 broken",), files={"t/drawers.pl": PERL}),
    RunnerCase("own-ruby-marks-fail", "ruby check.rb", "test", True, ("lamp 13", "lamp 47"), keep=("2 do not",), files={"check.rb": RUBY}),
    RunnerCase("own-java-fail", "java Check.java", "test", True, ("wheel 13 expected", "wheel 47 expected"), keep=("Failed: 2",), files={"Check.java": JAVA}),
    RunnerCase("rustc-test-binary-fail", "rustc --test shop.rs -o shop && ./shop", "test", True, TWO_IDENTS, ("shop.rs:14", "shop.rs:48"), files={"shop.rs": RUST_TESTS}),
    RunnerCase("make-k-checks-two-fail", "make -k -j1", "build", True, ("part 7: seal", "part 21: seal"), files={"Makefile": MAKE_PARTS}),
    RunnerCase("pycodestyle-60", "pycodestyle shop.py", "lint", True, (), ("shop.py:1:", "shop.py:60:"), files={"shop.py": STYLE}),
    RunnerCase("pyflakes-60", "pyflakes shop.py", "lint", True, (), ("shop.py:1:", "shop.py:60:"), files={"shop.py": UNUSED}),
    RunnerCase("pydocstyle-60", "pydocstyle shop.py", "lint", True, (), ("shop.py:1 ", "shop.py:237 "), files={"shop.py": UNDOCUMENTED}),
    RunnerCase("interrogate-60", "interrogate -vv shop.py", "lint", True, (), keep=("RESULT: FAILED", ident(13)), files={"shop.py": UNDOCUMENTED}),
    RunnerCase("ty-60", "ty check shop.py", "lint", True, (), ("shop.py:1:", "shop.py:60:"), files={"shop.py": WRONG_TYPES}),
    RunnerCase("doc8-60", "doc8 shop.rst", "lint", True, (), ("shop.rst:4:", "shop.rst:122:"), files={"shop.rst": LONG_RST}),
    RunnerCase("rstcheck-60", "rstcheck shop.rst", "lint", True, (), ("shop.rst:5:", "shop.rst:182:"), files={"shop.rst": BAD_RST}),
    RunnerCase("refurb-40", "refurb shop.py", "lint", True, (), ("shop.py:2:", "shop.py:197:"), files={"shop.py": OLD_PYTHON}),
    RunnerCase("djlint-40", "djlint --lint shop.html", "lint", True, (), ("2:", "41:"), files={"shop.html": TEMPLATE}),
    RunnerCase("madge-circular", "npx madge --circular .", "lint", True, (), keep=("Found 1 circular dependency", "part39.js"), files=CIRCLE),
    RunnerCase("knip-30", "npx knip", "lint", True, (), keep=("Unused files", "gone/part0.js", "gone/part29.js"), files=DEAD_JS),
    RunnerCase("publint-errors", "npx publint", "lint", True, (), keep=("gone.js", "gone.mjs"), files=PACKAGE),
    RunnerCase("alex-40", "npx alex shop.md", "lint", True, (), ("1:",), keep=("guys",), files={"shop.md": PROSE}),
    RunnerCase("remark-frail", "npx remark --frail --use remark-preset-lint-recommended shop.md -o /dev/null", "lint", True, (), keep=("gone0", "gone29"), files={"shop.md": LOOSE_MARKDOWN}),
    RunnerCase("cspell-60", "npx cspell --no-progress shop.txt", "lint", True, (), ("shop.txt:1:", "shop.txt:5:"), keep=("Issues found: 15",), files={"shop.txt": TYPOS}),
    RunnerCase("own-lock-script-or", "./locks.sh || true", "test", True, ("lock 13", "lock 47"), files={"locks.sh": own_shell('for n in $(seq 60); do case $n in 13|47) echo "lock $n: NOT OK (jammed)"; b=1;; *) echo "lock $n: OK";; esac; done\necho "58 OK, 2 NOT OK"\n[ -z "$b" ]\n')}),
)  # fmt: skip
