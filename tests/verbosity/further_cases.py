"""Executions of tools that no earlier recording has, what must be kept of each written down first.

`python -m tests.verbosity.record NAME…` runs them anew, `python -m tests.bench verbosity --further` scores.
"""

# ruff: noqa: E501 - one case a line: a table reads better than a wrapped one
from __future__ import annotations

from .later_cases import PLAIN_UNITTEST, TWO, TWO_IDENTS
from .runner_cases import RunnerCase, ident, title

_WRONG = (13, 47)


def _wrong(n: int) -> int:
    return n * 2 + (n in _WRONG)


ZIG_TESTS = 'const std = @import("std");\n' + "".join(
    f'test "{title(n)}" {{ try std.testing.expectEqual(@as(i32, {_wrong(n)}), {n} * 2); }}\n'
    for n in range(60)
)
ZIG_ERRORS = "".join(f'pub const {ident(n)}: u32 = "part {n}";\n' for n in range(40)) + (
    "pub fn main() void {\n" + "".join(f"    _ = {ident(n)};\n" for n in range(40)) + "}\n"
)
BRITTLE = "const test = require('brittle')\n" + "".join(
    f"test('{title(n)}', (t) => {{ t.is({n} * 2, {_wrong(n)}, '{title(n)}') }})\n"
    for n in range(60)
)
BARETEST = (
    "const test = require('baretest')('shop'), assert = require('assert')\n"
    + "".join(
        f"test('{title(n)}', () => {{ assert.strictEqual({n} * 2, {_wrong(n)}) }})\n"
        for n in range(60)
    )
    + "test.run()\n"
)
XV = "const assert = require('assert')\n" + "".join(
    f"exports['{title(n)}'] = () => assert.strictEqual({n} * 2, {_wrong(n)})\n" for n in range(60)
)
FLOW = "// @flow\n" + "".join(f"const {ident(n)}: number = 'part {n}';\n" for n in range(40))
SVELTE = {
    f"src/Part{n}.svelte": f'<script lang="ts">\n  let price: number = "{n}";\n</script>\n<img src="{n}.png">\n{{price}}\n'
    for n in range(20)
} | {
    "package.json": '{"name": "shop", "type": "module"}',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "target": "esnext", "types": []}, "include": ["src"]}',
}
PROTO = 'syntax = "proto3";\npackage shop;\n' + "".join(
    f"message Part{n} {{ Gone{n} gone = 1; int32 price = {1 + n % 2}; }}\n" for n in range(30)
)
LOOSE_PROTO = {
    "buf.yaml": "version: v2\nlint:\n  use: [STANDARD]\n",
    "shop.proto": 'syntax = "proto3";\npackage Shop;\n'
    + "".join(
        f"message part_{n} {{ string Price{n} = 1; }}\nenum kind{n} {{ Some{n} = 0; }}\n"
        for n in range(20)
    ),
}
TEMPLATE = "Resources:\n" + "".join(
    f"  Bucket{n}:\n    Type: AWS::S3::Bucket\n    Properties:\n      BucketNome: !Ref Gone{n}\n"
    for n in range(20)
)
LEAKS = (
    "#include <stdlib.h>\n"
    + "".join(
        f"__attribute__((noinline)) int {ident(n)}(int *p) {{ return p[{n}] > {n} ? 1 : 2; }}\n"
        for n in range(8)
    )
    + "int main(void) {\n  int *p = malloc(4), sum = 0;\n"
    + "".join(f"  sum += {ident(n)}(p);\n" for n in range(8))
    + "  return sum == 3;\n}\n"
)
FORTRAN = (
    "program shop\n  implicit none\n"
    + "".join(f'  integer :: part{n} = "p{n}"\n' for n in range(30))
    + "".join(f"  gone{n} = {n}\n" for n in range(30))
    + "end program shop\n"
)
NASM = (
    "section .text\nglobal _start\n_start:\n"
    + "".join(f"  movq rax, [gone{n}\n  mov eax, gone{n}\n" for n in range(30))
    + "  ret\n"
)
VERILOG = (
    "module shop;\n"
    + "".join(f"  wire [3:0] part{n} = gone{n};\n" for n in range(30))
    + "endmodule\n"
)
GRAMMAR = (
    "%token A\n%%\n"
     "start: " + " | ".join(f"part{n}" for n in range(30)) + ";\n"
    + "".join(f"part{n}: A | gone{n};\n" for n in range(30))
)  # fmt: skip
SCHEMA = {
    "schema.json": '{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "array", "items": {"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}}}}',
    "shop.json": "["
    + ", ".join(f'{{"price": "{n}"}}' if n % 2 else f'{{"prize": {n}}}' for n in range(40))
    + "]",
}
XSD = {
    "shop.xsd": '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="shop"><xs:complexType><xs:sequence><xs:element name="part" maxOccurs="unbounded" type="xs:integer"/></xs:sequence></xs:complexType></xs:element></xs:schema>',
    "shop.xml": "<shop>\n"
    + "".join(f"<part>{n if n % 2 else 'no number'}</part>\n" for n in range(60))
    + "</shop>\n",
}
SASS = "@use 'gone';\n" + "".join(f".part{n} {{ width: {n}px; }}\n" for n in range(80))
TEXT = "".join(f"This is is line {n}, very very unique.\n\n" for n in range(40))
UNUSED_PACKAGES = {
    "package.json": '{"name": "shop", "dependencies": {'
    + ", ".join(f'"gone-{n}": "1"' for n in range(30))
    + "}}",
    "index.js": "".join(f"require('absent-{n}');\n" for n in range(10)),
}
IMPORTS = {
    "pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\ndependencies = ["
    + ", ".join(f"'unused-{n}'" for n in range(20))
    + "]\n",
    "shop.py": "".join(f"import absent_{n}\n" for n in range(20)),
}
SOLIDITY = (
    "pragma solidity ^0.8.0;\ncontract shop {\n"
    + "".join(f"  function Part{n}() {{ tx.origin; }}\n" for n in range(30))
    + "}\n"
)
TABLE_ROWS = "".join(f"  ('{title(n)}', {n} * 2, {_wrong(n)}),\n" for n in range(60))
OWN_TABLE = (
    f"rows = [\n{TABLE_ROWS}]\nbad = 0\nprint('%-34s %8s %8s  verdict' % ('check', 'got', 'want'))\n"
    "for name, got, want in rows:\n    ok = got == want\n    bad += not ok\n"
    "    print('%-34s %8d %8d  %s' % (name, got, want, 'good' if ok else 'WRONG'))\n"
    "print(f'{len(rows) - bad} good, {bad} wrong')\nraise SystemExit(bad > 0)\n"
)

FURTHER_RUNNERS: tuple[RunnerCase, ...] = (
    RunnerCase("zig-test-fail", "python -m ziglang test shop.zig", "test", True, ("case 13", "case 47"), ("shop.zig:15", "shop.zig:49"), files={"shop.zig": ZIG_TESTS}),
    RunnerCase("zig-build-40-errors", "python -m ziglang build-exe shop.zig", "build", True, (), ("shop.zig:1:",), files={"shop.zig": ZIG_ERRORS}),
    RunnerCase("brittle-fail", "npx brittle-node shop.js", "test", True, TWO, ("shop.js:15", "shop.js:49"), files={"shop.js": BRITTLE}),
    RunnerCase("baretest-fail", "node shop.js", "test", False, ("case 13",), ("shop.js:15",), files={"shop.js": BARETEST}),
    RunnerCase("xv-fail", "npx xv shop.test.js", "test", True, ("case 47",), ("shop.test.js:49",), files={"shop.test.js": XV}),
    RunnerCase("teamcity-unittest-fail", "python -m teamcity.unittestpy discover -p 'shop.py'", "test", True, TWO_IDENTS, ("shop.py",), files={"shop.py": PLAIN_UNITTEST}),
    RunnerCase("xmlrunner-fail", "python -m xmlrunner discover -p 'shop.py'", "test", True, TWO_IDENTS, ("shop.py",), files={"shop.py": PLAIN_UNITTEST}),
    RunnerCase("own-table-fail", "python check_prices.py", "test", True, TWO, keep=("58 good, 2 wrong",), files={"check_prices.py": OWN_TABLE}),
    RunnerCase("flow-check-40", "npx flow check", "lint", True, (), ("shop.js:2:", "shop.js:41:"), files={"shop.js": FLOW, ".flowconfig": "[options]\n"}),
    RunnerCase("svelte-check-20", "npx svelte-check --tsconfig ./tsconfig.json", "lint", True, (), ("Part0.svelte:2:", "Part19.svelte:2:"), files=SVELTE),
    RunnerCase("protoc-30", "python -m grpc_tools.protoc -I. --python_out=. shop.proto", "build", True, (), ("shop.proto:3:", "shop.proto:32:"), files={"shop.proto": PROTO}),
    RunnerCase("buf-lint-20", "npx buf lint", "lint", True, (), ("shop.proto:2:", "shop.proto:42:"), files=LOOSE_PROTO),
    RunnerCase("cfn-lint-20", "cfn-lint template.yaml", "lint", True, (), ("template.yaml:5:", "template.yaml:81:"), files={"template.yaml": TEMPLATE}),
    RunnerCase("valgrind-errors", "gcc -g -O0 shop.c -o shop && valgrind --error-exitcode=9 ./shop", "command", True, (), ("shop.c:2", "shop.c:9"), keep=("ERROR SUMMARY",), files={"shop.c": LEAKS}),
    RunnerCase("gfortran-60", "gfortran -c shop.f90", "build", True, (), ("shop.f90:3:", "shop.f90:20:"), files={"shop.f90": FORTRAN}),
    RunnerCase("nasm-60", "nasm -f elf64 shop.asm", "build", True, (), ("shop.asm:4:", "shop.asm:62:"), files={"shop.asm": NASM}),
    RunnerCase("iverilog-30", "iverilog -o shop shop.v", "build", True, (), ("shop.v:2:", "shop.v:31:"), files={"shop.v": VERILOG}),
    RunnerCase("bison-30", "bison shop.y", "build", True, (), ("shop.y:4", "shop.y:33"), files={"shop.y": GRAMMAR}),
    RunnerCase("check-jsonschema-40", "check-jsonschema --schemafile schema.json shop.json", "lint", True, (), ("$[0]", "$[39]"), files=SCHEMA),
    RunnerCase("xmllint-schema-30", "xmllint --noout --schema shop.xsd shop.xml", "lint", True, (), ("shop.xml:2:", "shop.xml:60:"), keep=("fails to validate",), files=XSD),
    RunnerCase("sass-missing-module", "npx sass shop.scss shop.css", "build", True, (), ("shop.scss 1:1",), files={"shop.scss": SASS}),
    RunnerCase("write-good-40", "npx write-good shop.md", "lint", True, (), keep=("on line 1 ", "on line 79 "), files={"shop.md": TEXT}),
    RunnerCase("depcheck-40", "npx depcheck", "lint", True, (), keep=("gone-0", "gone-29", "absent-9"), files=UNUSED_PACKAGES),
    RunnerCase("deptry-40", "deptry .", "lint", True, (), ("shop.py:1:", "shop.py:20:"), keep=("unused-19",), files=IMPORTS),
    RunnerCase("solhint-30", "npx solhint shop.sol", "lint", True, (), keep=("3:", "32:"), files={"shop.sol": SOLIDITY, ".solhint.json": '{"extends": "solhint:recommended"}'}),
)  # fmt: skip
