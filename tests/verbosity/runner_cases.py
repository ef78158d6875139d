"""Executions of runners, builds and searches, labelled by hand before the rules that they judge.

`failures` are the failures a reader has to see (the test's name, or what it says), `places` the error
locations, `asked` what a flag or an amount asked for; `keep` is what matters besides. About a third is held
out: looked at only for the last figure. The seed is 25 (`is_held_out`).
"""

# ruff: noqa: E501 - one case a line: a table reads better than a wrapped one
from __future__ import annotations

import hashlib
from typing import NamedTuple

SEED = 25
Files = dict[str, str]


class RunnerCase(NamedTuple):
    """One command to record in a fresh folder with `files`, after `setup` and the runs `before`."""

    name: str
    command: str
    operation: str
    failed: bool = False
    failures: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    files: Files = {}  # noqa: RUF012 - a NamedTuple's default is a value, never changed
    setup: str = ""
    before: tuple[str, ...] = ()
    change: str = ""
    via: str = "pipe"
    shell: str = "bash"
    timeout_s: float = 300.0


def is_held_out(name: str) -> bool:
    """Whether a case is kept aside: about every third, by its name and the seed."""
    return hashlib.sha256(f"{SEED}:{name}".encode()).digest()[0] % 3 == 0


SUBJECTS = ("invoice", "parcel", "ledger", "tenant", "cursor", "branch", "voucher", "shelf", "ticket", "courier")  # fmt: skip
DEEDS = ("rounds", "merges", "rejects", "sorts", "parses", "counts", "expires", "locks", "renames", "restores")  # fmt: skip


def title(n: int) -> str:
    """A test's name that looks as people write them."""
    return f"{SUBJECTS[n % 10]} {DEEDS[n // 10 % 10]} case {n}"


def ident(n: int) -> str:
    return title(n).replace(" ", "_")


def camel(n: int) -> str:
    return "".join(word.capitalize() for word in title(n).split())


# --- node:test
def node_suite(first: int, count: int, failing: tuple[int, ...] = ()) -> str:
    tests = "".join(
        f"  it('{title(n)}', () => {{ assert.strictEqual({n} * 2, {n * 2 + (n in failing)}); }});\n"
        for n in range(first, first + count)
    )
    return f"const {{describe, it}} = require('node:test');\nconst assert = require('node:assert');\ndescribe('group {first}', () => {{\n{tests}}});\n"


def node_files(files: int, each: int, failing: tuple[int, ...] = ()) -> Files:
    return {f"test/part{k}.test.js": node_suite(k * each, each, failing) for k in range(files)}


NODE_1373 = {f"test/part{k}.test.js": node_suite(k * 153, 153 if k < 8 else 149, (801,)) for k in range(9)}  # fmt: skip

NODE = (
    RunnerCase("node-test-1373-one-fails", "node --test", "test", True, (title(801), "1603"), ("part5.test.js",), files=NODE_1373),
    RunnerCase("node-test-1373-one-fails-spec", "node --test --test-reporter=spec", "test", True, (title(801), "1602 !== 1603"), ("part5.test.js:",), files=NODE_1373),
    RunnerCase("node-test-npm-400-three-fail", "npm test", "test", True, (title(17), title(218), title(399)), (), files={"package.json": '{"scripts": {"test": "node --test test/"}}', **node_files(4, 100, (17, 218, 399))}),
    RunnerCase("node-test-pass-tap", "node --test test/", "test", keep=("# pass 120", "# fail 0"), files=node_files(2, 60)),
    RunnerCase("node-test-name-pattern", "node --test --test-name-pattern='ledger sorts' --test-reporter=spec test/", "test", asked=(title(32), title(132)), files=node_files(2, 100)),
    RunnerCase("node-test-hook-throws", "node --test a.test.js", "test", True, ("vault is sealed",), ("a.test.js:2",), files={"a.test.js": "const {test, before} = require('node:test');\nbefore(() => { throw new Error('vault is sealed'); });\ntest('x', () => {});\n"}),
    RunnerCase("node-test-syntax", "node --test a.test.js", "test", True, ("SyntaxError",), ("a.test.js:3",), files={"a.test.js": "const {test} = require('node:test');\ntest('x', () => {});\nlet = = 2;\n"}),
    RunnerCase("node-test-script-dot", "./check.sh", "test", True, (title(5),), files={"check.sh": "#!/bin/sh\nexec node --test --test-reporter=dot --test-reporter-destination=stdout --test-reporter=spec --test-reporter-destination=stderr test/\n", **node_files(1, 40, (5,))}),
    RunnerCase("node-test-masked", "node --test test/ | tail -12", "test", True, ("# fail 1",), files=node_files(2, 60, (77,))),
    RunnerCase("node-test-rerun-same", "node --test test/", "test", True, (title(17), title(45)), keep=("same 2 failures as before",), files=node_files(1, 60, (17, 45)), before=("node --test test/",)),
    RunnerCase("node-test-rerun-other", "node --test test/", "test", True, (title(45), title(50)), keep=("new: ", "gone: "), files=node_files(1, 60, (17, 45)), before=("node --test test/",), change="sed -i 's/17 \\* 2, 35/17 * 2, 34/; s/50 \\* 2, 100/50 * 2, 101/' test/part0.test.js"),
)  # fmt: skip


# --- Go
def go_suite(first: int, count: int, failing: tuple[int, ...] = ()) -> str:
    tests = "".join(
        f'func Test{camel(n)}(t *testing.T) {{\n\tif got := {n} * 2; got != {n * 2 + (n in failing)} {{\n\t\tt.Errorf("{SUBJECTS[n % 10]} %d: got %d", {n}, got)\n\t}}\n}}\n'
        for n in range(first, first + count)
    )
    return f'package p\n\nimport "testing"\n\n{tests}'


GOMOD = "module example.org/shop\n\ngo 1.19\n"
GO_PASS: Files = {"go.mod": GOMOD, "a_test.go": go_suite(0, 60)}
GO_FAIL: Files = {"go.mod": GOMOD, "a_test.go": go_suite(0, 200, (41, 160))}
GO_TABLE = 'package p\n\nimport "testing"\n\nfunc TestParse(t *testing.T) {\n\tfor _, in := range []string{"alpha", "beta", "gamma"} {\n\t\tt.Run(in, func(t *testing.T) {\n\t\t\tif in == "beta" {\n\t\t\t\tt.Fatalf("cannot parse %q", in)\n\t\t\t}\n\t\t})\n\t}\n}\n'  # fmt: skip
GO_BENCH = 'package p\n\nimport "testing"\n\n' + "".join(f"func Benchmark{camel(n)}(b *testing.B) {{\n\tfor i := 0; i < b.N; i++ {{\n\t\t_ = i * {n}\n\t}}\n}}\n" for n in range(24))  # fmt: skip
GO_MANY = "package p\n\n" + "".join(f"func f{n}() int {{ return missing{n} }}\n" for n in range(9))

GO = (
    RunnerCase("go-test-json-1000-one-fails", "go test -json ./...", "test", True, (f"Test{camel(541)}", f"{SUBJECTS[1]} 541: got 1082"), ("a_test.go:",), files={"go.mod": GOMOD, "a_test.go": go_suite(0, 1000, (541,))}),
    RunnerCase("go-test-json-pass", "go test -json ./...", "test", keep=("ok  \\texample.org/shop",), files=GO_PASS),
    RunnerCase("go-test-json-table", "go test -json -run TestParse ./...", "test", True, ("TestParse/beta", 'cannot parse \\"beta\\"'), ("a_test.go:9",), files={"go.mod": GOMOD, "a_test.go": GO_TABLE}),
    RunnerCase("go-test-fail", "go test ./...", "test", True, (f"Test{camel(41)}", f"Test{camel(160)}"), ("a_test.go:",), files=GO_FAIL),
    RunnerCase("go-test-v-200-two-fail", "go test -v ./...", "test", True, (f"Test{camel(41)}", f"Test{camel(160)}"), ("a_test.go:",), files=GO_FAIL),
    RunnerCase("go-test-v-pass", "go test -v ./...", "test", asked=(f"--- PASS: Test{camel(3)}", f"--- PASS: Test{camel(57)}"), keep=("ok  \texample.org/shop",), files=GO_PASS),
    RunnerCase("go-test-pass-packages", "go test ./...", "test", keep=("ok  \texample.org/shop/a", "ok  \texample.org/shop/d"), files={"go.mod": GOMOD, **{f"{d}/x_test.go": go_suite(0, 3) for d in "abcd"}}),
    RunnerCase("go-test-bench", "go test -bench . -benchtime 10x -run NONE ./...", "test", asked=(f"Benchmark{camel(0)}", f"Benchmark{camel(23)}"), files={"go.mod": GOMOD, "b_test.go": GO_BENCH}),
    RunnerCase("go-test-cover-pass", "go test -cover ./...", "test", asked=("coverage: ",), files={"go.mod": GOMOD, "a.go": "package p\n\nfunc Sum(a, b int) int { return a + b }\n", "a_test.go": 'package p\n\nimport "testing"\n\nfunc TestSum(t *testing.T) { Sum(1, 2) }\n'}),
    RunnerCase("go-test-build-failed", "go test ./...", "test", True, ("undefined: Missing",), ("a_test.go:5",), files={"go.mod": GOMOD, "a_test.go": 'package p\n\nimport "testing"\n\nfunc TestX(t *testing.T) { Missing() }\n'}),
    RunnerCase("go-test-panic", "go test ./...", "test", True, ("nil pointer dereference",), ("a_test.go:7",), files={"go.mod": GOMOD, "a_test.go": 'package p\n\nimport "testing"\n\nfunc TestX(t *testing.T) {\n\tvar p *int\n\t_ = *p\n}\n'}),
    RunnerCase("go-build-nine-errors", "go build ./...", "build", True, tuple(f"missing{n}" for n in range(9)), tuple(f"a.go:{n + 3}:" for n in range(9)), files={"go.mod": GOMOD, "a.go": GO_MANY}),
    RunnerCase("go-build-packages-fail", "go build ./...", "build", True, ("missing0",), tuple(f"{d}/a.go:3:" for d in ("north", "south", "east", "west")), files={"go.mod": GOMOD, **{f"{d}/a.go": GO_MANY for d in ("north", "south", "east", "west")}}),
    RunnerCase("go-vet", "go vet ./...", "lint", True, ("Printf format",), ("a.go:5",), files={"go.mod": GOMOD, "a.go": 'package p\n\nimport "fmt"\n\nfunc F() { fmt.Printf("%d\\n", "x") }\n'}),
    RunnerCase("go-test-rerun-same", "go test ./...", "test", True, (f"Test{camel(41)}", f"Test{camel(160)}"), keep=("same 2 failures as before",), files=GO_FAIL, before=("go test ./...",)),
    RunnerCase("go-test-list", "go test -list . ./...", "test", asked=(f"Test{camel(0)}", f"Test{camel(59)}"), files=GO_PASS),
)  # fmt: skip

# --- Rust
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n'


def rust_suite(count: int, failing: tuple[int, ...] = ()) -> str:
    return (
        "#[cfg(test)]\nmod tests {\n"
        + "".join(
            f'    #[test]\n    fn {ident(n)}() {{ assert_eq!({n} * 2, {n * 2 + (n in failing)}, "batch {n}"); }}\n'
            for n in range(count)
        )
        + "}\n"
    )


def rust_mismatches(count: int, module: str) -> str:
    return "".join(f'pub fn {module}_{n}() -> u32 {{\n    "text"\n}}\n\n' for n in range(count))


def rust_unused(count: int) -> str:
    return "".join(f"pub fn f{n}() {{\n    let spare = {n};\n}}\n\n" for n in range(count))


RUST = (
    RunnerCase(
        "cargo-build-60-mismatches",
        "cargo build",
        "build",
        True,
        ("mismatched types",),
        tuple(f"src/{m}.rs:{4 * n + 2}:5" for m in ("front", "back", "side") for n in range(20)),
        files={"Cargo.toml": CARGO, "src/lib.rs": "mod front;\nmod back;\nmod side;\n", **{f"src/{m}.rs": rust_mismatches(20, m) for m in ("front", "back", "side")}},
    ),
    RunnerCase("cargo-check-one-error-many-warnings", "cargo check", "build", True, ("cannot find value `lost`",), ("src/lib.rs:162:",), files={"Cargo.toml": CARGO, "src/lib.rs": rust_unused(40) + "pub fn g() -> u32 {\n    lost\n}\n"}),
    RunnerCase("cargo-build-warnings-ok", "cargo build", "build", False, (), ("src/lib.rs:2:9", "src/lib.rs:46:9"), keep=("unused variable", "Finished"), files={"Cargo.toml": CARGO, "src/lib.rs": rust_unused(12)}),
    RunnerCase("cargo-build-short-format", "cargo build --message-format short", "build", True, ("mismatched types",), tuple(f"src/lib.rs:{4 * n + 2}:5" for n in range(90)), files={"Cargo.toml": CARGO, "src/lib.rs": rust_mismatches(90, "m")}),
    RunnerCase("cargo-test-fail-two", "cargo test", "test", True, (ident(7), ident(88)), ("src/lib.rs:",), files={"Cargo.toml": CARGO, "src/lib.rs": rust_suite(120, (7, 88))}),
    RunnerCase("cargo-test-pass", "cargo test", "test", keep=("test result: ok. 120 passed",), files={"Cargo.toml": CARGO, "src/lib.rs": rust_suite(120)}),
    RunnerCase("cargo-test-nocapture", "cargo test -- --nocapture", "test", asked=("opened shelf 4",), keep=("test result: ok. 6 passed",), files={"Cargo.toml": CARGO, "src/lib.rs": "#[cfg(test)]\nmod tests {\n" + "".join(f'    #[test]\n    fn t{n}() {{ println!("opened shelf {n}"); }}\n' for n in range(6)) + "}\n"}),
    RunnerCase("cargo-test-compile-error", "cargo test", "test", True, ("cannot find function `absent`",), ("src/lib.rs:3:",), files={"Cargo.toml": CARGO, "src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test] fn t() { absent(); }\n}\n"}),
    RunnerCase("cargo-run-panic", "cargo run", "command", True, ("vault is empty",), ("src/main.rs:3:",), files={"Cargo.toml": CARGO, "src/main.rs": 'fn main() {\n    for n in 0..90 { println!("opening {n}"); }\n    panic!("vault is empty");\n}\n'}),
    RunnerCase("cargo-doc-warnings", "cargo doc --no-deps", "build", False, (), ("src/lib.rs:1:", "src/lib.rs:89:"), keep=("unresolved link",), files={"Cargo.toml": CARGO, "src/lib.rs": "".join(f"/// See [`Gone{n}`].\npub fn f{n}() {{}}\n\n\n" for n in range(23))}),
    RunnerCase("cargo-test-rerun-other", "cargo test", "test", True, (ident(8), ident(88)), keep=("new: ",), files={"Cargo.toml": CARGO, "src/lib.rs": rust_suite(120, (7, 88))}, before=("cargo test",), change="sed -i 's/7 \\* 2, 15/7 * 2, 14/; s/(8 \\* 2, 16/(8 * 2, 17/' src/lib.rs"),
)  # fmt: skip

# --- C and C++
CMAKE = "cmake_minimum_required(VERSION 3.13)\nproject(shop C)\nenable_testing()\n"
CHECKER = '#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); if (n == 7 || n == 31) { fprintf(stderr, "drawer %d is jammed\\n", n); return 1; } printf("drawer %d opens\\n", n); return 0; }\n'  # fmt: skip
CTESTS = CMAKE + "add_executable(drawer drawer.c)\nforeach(n RANGE 1 40)\n  add_test(NAME drawer_${n} COMMAND drawer ${n})\nendforeach()\n"  # fmt: skip


def c_errors(count: int, name: str) -> str:
    return "".join(f"int {name}_{n}(void) {{ return absent_{name}_{n}; }}\n" for n in range(count))


def c_sources(count: int, broken: tuple[int, ...] = ()) -> Files:
    return {
        f"src/m{n}.c": f"int m{n}(void) {{ return {n}; }}\n"
        + (f"int bad{n}(void) {{ return gone_{n}; }}\n" if n in broken else "")
        for n in range(count)
    }


CMAKE_LIB = CMAKE + "file(GLOB S src/*.c)\nadd_library(shop ${S})\n"
LIBCHECK = (
    "#include <check.h>\n#include <stdlib.h>\n"
    + "".join(f"START_TEST({ident(n)}) {{ ck_assert_int_eq({n} * 2, {n * 2 + (n == 13)}); }} END_TEST\n" for n in range(30))
    + 'int main(void) { Suite *s = suite_create("shop"); TCase *c = tcase_create("core");\n'
    + "".join(f"tcase_add_test(c, {ident(n)});\n" for n in range(30))
    + "suite_add_tcase(s, c); SRunner *r = srunner_create(s); srunner_run_all(r, CK_ENV); int f = srunner_ntests_failed(r); srunner_free(r); return f ? EXIT_FAILURE : EXIT_SUCCESS; }\n"
)  # fmt: skip
LIBCHECK_OK = LIBCHECK.replace("13 * 2, 27", "13 * 2, 26")
BUILD_CHECK = "gcc t.c -o t $(pkg-config --cflags --libs check)"
CPPCHECK_C = "#include <stdlib.h>\n" + "".join(f"void leak_{n}(void) {{\n    char *p = malloc({n + 1});\n    p[0] = 1;\n}}\n" for n in range(30))  # fmt: skip
TIDY_CPP = "#include <cstdio>\n" + "".join(f'void f{n}(int *p) {{\n    if (p == 0) printf("{n}");\n    int i; if ((i = *p)) {{ }}\n}}\n' for n in range(25))  # fmt: skip
GTEST = "#include <gtest/gtest.h>\n" + "".join(f"TEST(Shop, {camel(n)}) {{ EXPECT_EQ({n} * 2, {n * 2 + (n == 21)}); }}\n" for n in range(50))  # fmt: skip
CATCH = "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n" + "".join(f'TEST_CASE("{title(n)}") {{ REQUIRE({n} * 2 == {n * 2 + (n == 9)}); }}\n' for n in range(12))  # fmt: skip
SANITIZER_C = '#include <stdlib.h>\n#include <stdio.h>\nint main(void) {\n  for (int n = 0; n < 80; n++) printf("step %d\\n", n);\n  char *p = malloc(4);\n  p[5] = 1;\n  return 0;\n}\n'  # fmt: skip

C = (
    RunnerCase("gcc-300-errors", "gcc -c big.c", "build", True, tuple(f"absent_big_{n}" for n in (0, 17, 150, 299)), tuple(f"big.c:{n + 1}:" for n in range(0, 300, 7)), files={"big.c": c_errors(300, "big")}),
    RunnerCase("gcc-warnings-ok", "gcc -Wall -Wextra -c w.c", "build", False, (), ("w.c:1:", "w.c:40:"), keep=("unused variable",), files={"w.c": "".join(f"void f{n}(void) {{ int spare_{n}; }}\n" for n in range(40))}),
    RunnerCase("clang-same-message", "clang -c -ferror-limit=0 a.c b.c", "build", True, ("use of undeclared identifier 'lost'",), tuple(f"{f}.c:{n}:" for f in "ab" for n in range(1, 61)), files={f"{f}.c": "".join(f"int {f}{n}(void) {{ return lost; }}\n" for n in range(60)) for f in "ab"}),
    RunnerCase("gpp-template-error", "g++ -c t.cpp", "build", True, ("no match for", "operator<"), ("t.cpp:5",), files={"t.cpp": "#include <algorithm>\n#include <vector>\nstruct Shelf { int n; };\nint main() { std::vector<Shelf> v;\n  std::sort(v.begin(), v.end());\n  return 0; }\n"}),
    RunnerCase("make-k-two-broken", "make -k", "build", True, ("gone_3", "gone_77"), ("src/m3.c:2:", "src/m77.c:2:"), files={"Makefile": "O=$(patsubst %.c,%.o,$(wildcard src/*.c))\nall: $(O)\n%.o: %.c\n\t$(CC) -c $< -o $@\n", **c_sources(100, (3, 77))}),
    RunnerCase("cmake-configure-error", "cmake -S . -B b", "build", True, ("widgets.cmake",), ("CMakeLists.txt:3",), files={"CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\nproject(shop C)\ninclude(widgets.cmake)\n"}),
    RunnerCase("cmake-build-fails", "cmake --build b", "build", True, ("gone_17",), ("src/m17.c:2:",), files={"CMakeLists.txt": CMAKE_LIB, **c_sources(60, (17,))}, setup="cmake -S . -B b"),
    RunnerCase("cmake-build-keep-going", "cmake --build b -- -k", "build", True, ("gone_17", "gone_44"), ("src/m17.c:2:", "src/m44.c:2:"), files={"CMakeLists.txt": CMAKE_LIB, **c_sources(60, (17, 44))}, setup="cmake -S . -B b"),
    RunnerCase("ninja-one-broken", "ninja -C b -k 0", "build", True, ("gone_17",), ("src/m17.c:2:",), files={"CMakeLists.txt": CMAKE_LIB, **c_sources(80, (17,))}, setup="cmake -G Ninja -S . -B b"),
    RunnerCase("ninja-verbose-ok", "ninja -v -C b", "build", False, (), keep=("[81/81]",), files={"CMakeLists.txt": CMAKE_LIB, **c_sources(80)}, setup="cmake -G Ninja -S . -B b"),
    RunnerCase("ninja-warnings-ok", "ninja -C b", "build", False, (), ("src/w4.c:1:", "src/w19.c:1:"), files={"CMakeLists.txt": CMAKE_LIB + "target_compile_options(shop PRIVATE -Wall)\n", **{f"src/w{n}.c": f"void f{n}(void) {{ int spare_{n}; }}\n" for n in range(20)}}, setup="cmake -G Ninja -S . -B b"),
    RunnerCase("ctest-two-fail", "ctest --test-dir b", "test", True, ("drawer_7", "drawer_31"), files={"CMakeLists.txt": CTESTS, "drawer.c": CHECKER}, setup="cmake -S . -B b && cmake --build b"),
    RunnerCase("ctest-output-on-failure", "ctest --test-dir b --output-on-failure", "test", True, ("drawer 7 is jammed", "drawer 31 is jammed"), files={"CMakeLists.txt": CTESTS, "drawer.c": CHECKER}, setup="cmake -S . -B b && cmake --build b"),
    RunnerCase("ctest-v-pass", "ctest --test-dir b -V -R drawer_2", "test", asked=("drawer 2 opens", "drawer 29 opens"), keep=("100% tests passed",), files={"CMakeLists.txt": CTESTS, "drawer.c": CHECKER}, setup="cmake -S . -B b && cmake --build b"),
    RunnerCase("ctest-rerun-same", "ctest --test-dir b", "test", True, ("drawer_7", "drawer_31"), keep=("same 2 failures as before",), files={"CMakeLists.txt": CTESTS, "drawer.c": CHECKER}, setup="cmake -S . -B b && cmake --build b", before=("ctest --test-dir b",)),
    RunnerCase("cmake-target-test", "cmake --build b --target test", "test", True, ("drawer_7", "drawer_31"), files={"CMakeLists.txt": CTESTS, "drawer.c": CHECKER}, setup="cmake -S . -B b && cmake --build b"),
    RunnerCase("libcheck-fail", "./t", "test", True, (ident(13), "Assertion '13 * 2 == 27' failed"), ("t.c:16",), files={"t.c": LIBCHECK}, setup=BUILD_CHECK),
    RunnerCase("libcheck-verbose-fail", "CK_VERBOSITY=verbose ./t", "test", True, (ident(13),), ("t.c:16",), files={"t.c": LIBCHECK}, setup=BUILD_CHECK),
    RunnerCase("libcheck-pass", "./t", "test", keep=("100%: Checks: 30, Failures: 0, Errors: 0",), files={"t.c": LIBCHECK_OK}, setup=BUILD_CHECK),
    RunnerCase("libcheck-make-check", "make check", "test", True, (ident(13),), ("t.c:16",), files={"t.c": LIBCHECK, "Makefile": f"check: t\n\t./t\nt: t.c\n\t{BUILD_CHECK.replace('$', '$$').replace('$$(', '$$(')}\n"}),
    RunnerCase("cppcheck-findings", "cppcheck --enable=all leak.c", "lint", False, (), ("leak.c:5:", "leak.c:121:"), keep=("Memory leak: p",), files={"leak.c": CPPCHECK_C}),
    RunnerCase("cppcheck-exit", "cppcheck --error-exitcode=2 leak.c", "lint", True, ("memleak",), ("leak.c:5:", "leak.c:121:"), files={"leak.c": CPPCHECK_C}),
    RunnerCase("cppcheck-clean", "cppcheck ok.c", "lint", False, files={"ok.c": "int f(void) { return 1; }\n"}),
    RunnerCase("clang-tidy-warnings", "clang-tidy -checks='bugprone-*,modernize-use-nullptr' f.cpp --", "lint", False, (), ("f.cpp:3:", "f.cpp:99:"), keep=("modernize-use-nullptr",), files={"f.cpp": TIDY_CPP}),
    RunnerCase("clang-tidy-error", "clang-tidy f.cpp --", "lint", True, ("unknown type name 'Shelf'",), ("f.cpp:1:",), files={"f.cpp": "Shelf s;\n"}),
    RunnerCase("gtest-fail", "./unit", "test", True, (f"Shop.{camel(21)}",), ("g.cpp:23",), files={"g.cpp": GTEST}, setup="g++ g.cpp -o unit -lgtest -lgtest_main -lpthread"),
    RunnerCase("gtest-pass-brief", "./unit --gtest_filter='-*21'", "test", keep=("[  PASSED  ] 49 tests",), files={"g.cpp": GTEST}, setup="g++ g.cpp -o unit -lgtest -lgtest_main -lpthread"),
    RunnerCase("catch2-fail", "./unit", "test", True, (title(9), "18 == 19"), ("c.cpp:12",), files={"c.cpp": CATCH}, setup="g++ c.cpp -o unit"),
    RunnerCase("asan-program", "./app", "command", True, ("heap-buffer-overflow",), ("app.c:6",), files={"app.c": SANITIZER_C}, setup="gcc -g -fsanitize=address app.c -o app"),
    RunnerCase("linker-40-undefined", "gcc main.c -o app", "build", True, tuple(f"undefined reference to `part_{n}'" for n in (0, 21, 39)), (), files={"main.c": "".join(f"int part_{n}(void);\n" for n in range(40)) + "int main(void) { return 0" + "".join(f" + part_{n}()" for n in range(40)) + "; }\n"}),
    RunnerCase(
        "make-check-c-runner",
        "make check",
        "test",
        True,
        ("drawer 31 is jammed",),
        files={"drawer.c": CHECKER.replace("n == 7 || ", ""), "Makefile": 'check: drawer\n\t@f=0; for n in $$(seq 40); do ./drawer $$n || f=$$((f+1)); done; echo "$$f of 40 drawers failed"; test $$f = 0\ndrawer: drawer.c\n\tgcc drawer.c -o drawer\n'},
    ),
)  # fmt: skip


# --- JavaScript
def jest_suite(first: int, count: int, failing: tuple[int, ...] = (), head: str = "") -> str:
    tests = "".join(
        f"  test('{title(n)}', () => {{ expect({n} * 2).toBe({n * 2 + (n in failing)}); }});\n"
        for n in range(first, first + count)
    )
    return f"{head}describe('group {first}', () => {{\n{tests}}});\n"


VITEST = "import {describe, test, expect} from 'vitest';\n"


def mocha_suite(count: int, failing: tuple[int, ...] = ()) -> str:
    tests = "".join(
        f"  it('{title(n)}', () => {{ assert.strictEqual({n} * 2, {n * 2 + (n in failing)}); }});\n"
        for n in range(count)
    )
    return f"const assert = require('assert');\ndescribe('shop', () => {{\n{tests}}});\n"


TSC = '{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2020", "types": []}, "include": ["src"]}'  # fmt: skip
TS_BAD = "".join(f"export const price{n}: number = 'text';\n" for n in range(45))
ESLINT = '{"root": true, "env": {"node": true, "es2021": true}, "rules": {"no-unused-vars": "LEVEL", "eqeqeq": "LEVEL"}}'  # fmt: skip
JS_LINT = "".join(f"const spare{n} = {n} == '{n}';\n" for n in range(60))
TAPE = "const test = require('tape');\n" + "".join(f"test('{title(n)}', t => {{ t.equal({n} * 2, {n * 2 + (n == 22)}); t.end(); }});\n" for n in range(60))  # fmt: skip
AVA = "const test = require('ava');\n" + "".join(f"test('{title(n)}', t => {{ t.is({n} * 2, {n * 2 + (n == 14)}); }});\n" for n in range(40))  # fmt: skip
UVU = "const {test} = require('uvu');\nconst assert = require('uvu/assert');\n" + "".join(f"test('{title(n)}', () => {{ assert.is({n} * 2, {n * 2 + (n == 14)}); }});\n" for n in range(40)) + "test.run();\n"  # fmt: skip
JASMINE = "describe('shop', () => {\n" + "".join(f"  it('{title(n)}', () => {{ expect({n} * 2).toBe({n * 2 + (n == 14)}); }});\n" for n in range(40)) + "});\n"  # fmt: skip

JS = (
    RunnerCase("jest-two-fail", "npx jest", "test", True, (title(3), title(81)), ("a.test.js:5:", "b.test.js:13:"), files={"package.json": "{}", "a.test.js": jest_suite(0, 70, (3,)), "b.test.js": jest_suite(70, 70, (81,))}),
    RunnerCase("jest-verbose-pass", "npx jest --verbose", "test", asked=(title(0), title(69)), keep=("70 passed",), files={"package.json": "{}", "a.test.js": jest_suite(0, 70)}),
    RunnerCase("jest-named-pass", "npx jest -t 'ledger sorts' --verbose", "test", asked=(title(32),), files={"package.json": "{}", "a.test.js": jest_suite(0, 70)}),
    RunnerCase(
        "jest-coverage-pass",
        "npx jest --coverage",
        "test",
        asked=("sum.js", "5-8"),
        keep=("1 passed",),
        files={"package.json": "{}", "sum.js": "exports.sum = (a, b) => {\n  return a + b;\n};\nexports.no = (a) => {\n  if (a) {\n    return 1;\n  }\n  return 2;\n};\n", "a.test.js": "const {sum} = require('./sum');\ntest('sum', () => expect(sum(1, 2)).toBe(3));\n"},
    ),
    RunnerCase("jest-rerun-other", "npx jest", "test", True, (title(4), title(60)), keep=("new: ", "gone: "), files={"package.json": "{}", "a.test.js": jest_suite(0, 70, (3, 60))}, before=("npx jest",), change="sed -i 's/toBe(7)/toBe(6)/; s/toBe(8)/toBe(9)/' a.test.js"),
    RunnerCase("vitest-two-fail", "npx vitest run", "test", True, (title(3), title(81)), ("6:54", "14:57"), files={"package.json": "{}", "a.test.js": jest_suite(0, 70, (3,), VITEST), "b.test.js": jest_suite(70, 70, (81,), VITEST)}),
    RunnerCase("vitest-verbose-pass", "npx vitest run --reporter=verbose", "test", asked=(title(0), title(69)), files={"package.json": "{}", "a.test.js": jest_suite(0, 70, (), VITEST)}),
    RunnerCase("vitest-junit-fail", "npx vitest run --reporter=junit", "test", True, (title(3),), files={"package.json": "{}", "a.test.js": jest_suite(0, 70, (3,), VITEST)}),
    RunnerCase("mocha-300-one-fails", "npx mocha test.js", "test", True, (title(201), "402 !== 403"), ("test.js:204:",), files={"test.js": mocha_suite(300, (201,))}),
    RunnerCase("mocha-dot-pass", "npx mocha -R dot test.js", "test", keep=("300 passing",), files={"test.js": mocha_suite(300)}),
    RunnerCase("mocha-json-fail", "npx mocha -R json test.js", "test", True, (title(201),), files={"test.js": mocha_suite(300, (201,))}),
    RunnerCase("mocha-script-fail", "npm run verify", "test", True, (title(5),), files={"package.json": '{"scripts": {"verify": "mocha test.js"}}', "test.js": mocha_suite(80, (5,))}),
    RunnerCase("tape-fail-named", "node test.js", "test", True, (title(22),), ("test.js:24:",), files={"test.js": TAPE}),
    RunnerCase("ava-fail-named", "npx ava", "test", True, (title(14),), ("test.js:16",), files={"package.json": "{}", "test.js": AVA}),
    RunnerCase("uvu-fail-named", "node test.js", "test", True, (title(14),), ("test.js:17:",), files={"test.js": UVU}),
    RunnerCase("jasmine-fail-named", "npx jasmine spec/a.spec.js", "test", True, (title(14),), ("a.spec.js:16:",), files={"spec/a.spec.js": JASMINE}),
    RunnerCase("tsc-90-errors", "npx tsc -p .", "build", True, ("TS2322",), tuple(f"src/{f}.ts({n},14)" for f in "ab" for n in range(1, 46)), files={"tsconfig.json": TSC, "src/a.ts": TS_BAD, "src/b.ts": TS_BAD}),
    RunnerCase("tsc-build-script", "npm run build", "build", True, ("TS2322",), tuple(f"src/{f}.ts({n},14)" for f in "ab" for n in range(1, 46)), files={"package.json": '{"scripts": {"build": "tsc -p ."}}', "tsconfig.json": TSC, "src/a.ts": TS_BAD, "src/b.ts": TS_BAD}),
    RunnerCase("tsc-pretty", "npx tsc -p . --pretty", "build", True, ("TS2322",), ("src/a.ts",), files={"tsconfig.json": TSC, "src/a.ts": TS_BAD}),
    RunnerCase("eslint-errors", "npx eslint .", "lint", True, ("120 problems",), ("1:7", "60:7"), files={".eslintrc.json": ESLINT.replace("LEVEL", "error"), "a.js": JS_LINT}),
    RunnerCase("eslint-warnings-ok", "npx eslint .", "lint", False, (), ("1:7", "60:7"), keep=("120 problems",), files={".eslintrc.json": ESLINT.replace("LEVEL", "warn"), "a.js": JS_LINT}),
    RunnerCase("eslint-unix-warnings", "npx eslint -f unix .", "lint", False, (), ("a.js:1:7", "a.js:60:7"), files={".eslintrc.json": ESLINT.replace("LEVEL", "warn"), "a.js": JS_LINT}),
    RunnerCase("esbuild-error", "npx esbuild a.js --bundle --outfile=o.js", "build", True, ("Could not resolve",), ("a.js:1:",), files={"a.js": "import x from './gone.js';\nconsole.log(x);\n"}),
    RunnerCase("node-stack-long-log", "node app.js", "command", True, ("TypeError", "deep"), ("app.js:2:",), files={"app.js": "for (let n = 0; n < 200; n++) console.log('warm up', n);\nfunction deep(x) { return x.y.z; }\ndeep({});\n"}),
)  # fmt: skip


# --- Python
def py_suite(count: int, failing: tuple[int, ...] = ()) -> str:
    return "".join(
        f"def test_{ident(n)}():\n    print('looked at {SUBJECTS[n % 10]} {n}')\n    assert {n} * 2 == {n * 2 + (n in failing)}\n\n"
        for n in range(count)
    )


def unit_suite(count: int, failing: tuple[int, ...] = ()) -> str:
    return (
        "import unittest\n\n\nclass Shop(unittest.TestCase):\n"
        + "".join(
            f"    def test_{ident(n)}(self):\n        self.assertEqual({n} * 2, {n * 2 + (n in failing)})\n\n"
            for n in range(count)
        )
        + "\nif __name__ == '__main__':\n    unittest.main()\n"
    )


PY_SHOP: Files = {
    "shop.py": "def total(rows):\n    return sum(rows)\n\n\ndef refund(rows):\n    if rows:\n        return -sum(rows)\n    return 0\n",
    "test_shop.py": "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n",
}
MYPY_BAD = "".join(f"def f{n}() -> int:\n    return 'text'\n\n\n" for n in range(60))
PYLINT_BAD = "".join(f"def f{n}(a):\n    b = {n}\n    return a\n\n\n" for n in range(40))

PYTHON = (
    RunnerCase("pytest-500-two-fail-v", "pytest -v -p no:cacheprovider", "test", True, (ident(41), ident(444)), ("test_a.py:",), files={"test_a.py": py_suite(500, (41, 444))}),
    RunnerCase("pytest-v-pass", "pytest -v", "test", asked=(f"test_{ident(0)} PASSED", f"test_{ident(89)} PASSED"), keep=("90 passed",), files={"test_a.py": py_suite(90)}),
    RunnerCase("pytest-s-pass", "pytest -s -q", "test", asked=("looked at invoice 0", "looked at courier 59"), keep=("60 passed",), files={"test_a.py": py_suite(60)}),
    RunnerCase("pytest-rs-pass", "pytest -q -rs", "test", asked=("SKIPPED", "no vault here"), keep=("60 passed, 5 skipped",), files={"test_a.py": py_suite(60) + "import pytest\n\n" + "".join(f"@pytest.mark.skip(reason='no vault here {n}')\ndef test_skip{n}(): pass\n\n" for n in range(5))}),
    RunnerCase("pytest-durations-pass", "pytest -q --durations=8 -vv", "test", asked=("slowest 8 durations",), files={"test_a.py": "import time\nimport pytest\n\n@pytest.mark.parametrize('n', range(40))\ndef test_sleep(n): time.sleep(n / 2000)\n"}),
    RunnerCase("pytest-durations-many-pass", "pytest --durations=15", "test", asked=("slowest 15 durations", "test_sleep[39]", "test_sleep[30]"), keep=("40 passed",), files={"test_a.py": "import time\nimport pytest\n\n@pytest.mark.parametrize('n', range(40))\ndef test_sleep(n): time.sleep(n / 1000)\n"}),
    RunnerCase("pytest-cov-missing", "pytest -q --cov=shop --cov-report=term-missing", "test", asked=("6-8", "TOTAL"), keep=("1 passed",), files=PY_SHOP),
    RunnerCase("pytest-benchmark", "pytest -q bench_test.py", "test", asked=("test_b0", "test_b9"), keep=("10 passed",), files={"bench_test.py": "".join(f"def test_b{n}(benchmark): benchmark.pedantic(sum, args=([1] * {n + 1},), rounds=3)\n\n" for n in range(10))}),
    RunnerCase("pytest-xdist-fail", "pytest -n 2 -q", "test", True, (ident(41),), ("test_a.py:",), files={"test_a.py": py_suite(120, (41,))}),
    RunnerCase("pytest-collect-only", "pytest --collect-only -q", "test", asked=(ident(0), ident(89)), files={"test_a.py": py_suite(90)}),
    RunnerCase("pytest-rerun-same", "pytest -q", "test", True, (ident(41), ident(44)), keep=("same 2 failures as before",), files={"test_a.py": py_suite(80, (41, 44))}, before=("pytest -q",)),
    RunnerCase("pytest-rerun-other", "pytest -q", "test", True, (ident(42), ident(44)), keep=("new: ", "gone: "), files={"test_a.py": py_suite(80, (41, 44))}, before=("pytest -q",), change="sed -i 's/41 \\* 2 == 83/41 * 2 == 82/; s/42 \\* 2 == 84/42 * 2 == 85/' test_a.py"),
    RunnerCase("pytest-tail-masked", "pytest -q 2>&1 | tail -3", "test", True, (ident(41),), files={"test_a.py": py_suite(80, (41,))}),
    RunnerCase("unittest-two-fail", "python -m unittest -v", "test", True, (ident(3), ident(50)), ("test_a.py",), files={"test_a.py": unit_suite(90, (3, 50))}),
    RunnerCase("unittest-v-pass", "python -m unittest -v", "test", asked=(f"test_{ident(0)}", f"test_{ident(69)}"), keep=("Ran 70 tests", "OK"), files={"test_a.py": unit_suite(70)}),
    RunnerCase("unittest-script-fail", "python checks.py", "test", True, (ident(3),), ("checks.py",), files={"checks.py": unit_suite(30, (3,))}),
    RunnerCase("unittest-rerun-same", "python -m unittest", "test", True, (ident(3), ident(50)), keep=("same 2 failures as before",), files={"test_a.py": unit_suite(90, (3, 50))}, before=("python -m unittest",)),
    RunnerCase("nose2-fail-named", "nose2", "test", True, (ident(3),), ("test_a.py",), files={"test_a.py": unit_suite(30, (3,))}),
    RunnerCase(
        "behave-fail-named",
        "behave",
        "test",
        True,
        ("the vault opens at dawn",),
        ("features/a.feature:2",),
        files={"features/a.feature": "Feature: vault\n  Scenario: opening\n    Given a vault\n    Then the vault opens at dawn\n", "features/steps/s.py": "from behave import given, then\n@given('a vault')\ndef g(c): pass\n@then('the vault opens at dawn')\ndef t(c): assert False, 'still locked'\n"},
    ),
    RunnerCase("mypy-60-errors", "mypy .", "lint", True, ("Found 60 errors",), ("a.py:2:", "a.py:238:"), files={"a.py": MYPY_BAD}),
    RunnerCase("ruff-exit-zero", "ruff check --exit-zero --output-format=concise .", "lint", False, (), ("a.py:1:8", "a.py:150:8"), files={"a.py": "".join(f"import m{n}\n" for n in range(150))}),
    RunnerCase("ruff-fail", "ruff check .", "lint", True, ("F401",), ("a.py:1:8", "a.py:30:8"), files={"a.py": "".join(f"import m{n}\n" for n in range(30))}),
    RunnerCase("pylint-exit-zero", "pylint --exit-zero a.py", "lint", False, (), ("a.py:2:4", "a.py:197:4"), keep=("rated at",), files={"a.py": PYLINT_BAD}),
    RunnerCase("flake8-fail-named", "flake8 a.py", "lint", True, ("F841",), ("a.py:2:", "a.py:197:"), files={"a.py": PYLINT_BAD}),
    RunnerCase("py-traceback-mid-log", "python app.py", "command", True, ("KeyError: 'vault'",), ('app.py", line 4',), files={"app.py": "import sys\nfor n in range(200): print('opening', n)\ndef go(d):\n    return d['vault']\ntry:\n    go({})\nfinally:\n    for n in range(200): print('closing', n)\n"}),
    RunnerCase("compileall-errors", "python -m compileall -q src", "build", True, ("SyntaxError",), tuple(f'src/m{n}.py", line 2' for n in range(0, 40, 3)), files={f"src/m{n}.py": "x = 1\ndef (:\n" if n % 3 == 0 else "x = 1\n" for n in range(40)}),
)  # fmt: skip

# --- Perl, Tcl, shell, Ruby, PHP, Lua, Java
PERL = "use Test::More tests => 60;\n" + "".join(f"is({n} * 2, {n * 2 + (n == 33)}, '{title(n)}');\n" for n in range(60))  # fmt: skip
TCLTEST = "package require tcltest\nnamespace import tcltest::*\n" + "".join(f"test shop-1.{n} {{{title(n)}}} -body {{expr {{{n} * 2}}}} -result {n * 2 + (n == 26)}\n" for n in range(50)) + "cleanupTests\n"  # fmt: skip
TCLTEST_EXIT = TCLTEST.replace("cleanupTests\n", "set bad $tcltest::numTests(Failed)\ncleanupTests\nexit [expr {$bad > 0}]\n")  # fmt: skip
BATS = "".join(f'@test "{title(n)}" {{\n  [ $(({n} * 2)) -eq {n * 2 + (n == 18)} ]\n}}\n\n' for n in range(40))  # fmt: skip
BATS_OK = BATS.replace(f"-eq {37}", f"-eq {36}")
RSPEC = "RSpec.describe 'shop' do\n" + "".join(f"  it '{title(n)}' do\n    expect({n} * 2).to eq({n * 2 + (n == 12)})\n  end\n" for n in range(50)) + "end\n"  # fmt: skip
MINITEST = "require 'minitest/autorun'\nclass TestShop < Minitest::Test\n" + "".join(f"  def test_{ident(n)}\n    assert_equal {n * 2 + (n == 12)}, {n} * 2\n  end\n" for n in range(50)) + "end\n"  # fmt: skip
PHPUNIT = "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass ShopTest extends TestCase {\n" + "".join(f"  public function test{camel(n)}(): void {{ $this->assertSame({n * 2 + (n == 12)}, {n} * 2); }}\n" for n in range(50)) + "}\n"  # fmt: skip
BUSTED = "describe('shop', function()\n" + "".join(f"  it('{title(n)}', function() assert.are.equal({n * 2 + (n == 12)}, {n} * 2) end)\n" for n in range(50)) + "end)\n"  # fmt: skip
JUNIT = "import org.junit.Test;\nimport static org.junit.Assert.*;\npublic class ShopTest {\n" + "".join(f"  @Test public void {SUBJECTS[n % 10]}{n}() {{ assertEquals({n * 2 + (n == 12)}, {n} * 2); }}\n" for n in range(50)) + "}\n"  # fmt: skip
JUNIT_CP = "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar:/usr/share/java/hamcrest.jar:."  # fmt: skip
JAVA_BAD = "class App {\n" + "".join(f"  int f{n}() {{ return lost; }}\n" for n in range(70)) + "}\n"  # fmt: skip

OTHERS = (
    RunnerCase("prove-fail-named", "prove t/", "test", True, (title(33),), ("t/a.t line 35",), files={"t/a.t": PERL}),
    RunnerCase("prove-v-fail", "prove -v t/", "test", True, (title(33),), ("t/a.t line 35",), files={"t/a.t": PERL}),
    RunnerCase("prove-v-pass", "prove -v t/", "test", asked=(title(0), title(59)), keep=("Result: PASS",), files={"t/a.t": PERL.replace(", 67,", ", 66,")}),
    RunnerCase("perl-tap-direct", "perl t/a.t", "test", True, (title(33),), ("t/a.t line 35",), files={"t/a.t": PERL}),
    RunnerCase("tap-home-made", "sh emit.sh", "test", True, ("not ok 17",), files={"emit.sh": 'echo TAP version 13; echo 1..80; for n in $(seq 80); do [ $n = 17 ] && echo "not ok $n - crate $n" || echo "ok $n - crate $n"; done; exit 1\n'}),
    RunnerCase("tcltest-fail-exit-0", "tclsh all.tcl", "test", False, ("shop-1.26",), files={"all.tcl": TCLTEST}, keep=("Failed\t1",)),
    RunnerCase("tcltest-fail-exit-1", "tclsh all.tcl", "test", True, ("shop-1.26", title(26)), files={"all.tcl": TCLTEST_EXIT}),
    RunnerCase("tcltest-verbose-fail", "tclsh all.tcl -verbose pass", "test", True, ("shop-1.26",), files={"all.tcl": TCLTEST_EXIT}),
    RunnerCase("tcltest-pass", "tclsh all.tcl", "test", False, keep=("Total\t50\tPassed\t50",), files={"all.tcl": TCLTEST.replace("-result 53", "-result 52")}),
    RunnerCase("bats-fail", "bats shop.bats", "test", True, (title(18),), ("shop.bats, line 74",), files={"shop.bats": BATS}),
    RunnerCase("bats-pretty-fail", "bats --formatter pretty shop.bats", "test", True, (title(18),), files={"shop.bats": BATS}),
    RunnerCase("bats-pass", "bats shop.bats", "test", keep=("ok 40",), files={"shop.bats": BATS_OK}),
    RunnerCase("bats-rerun-same", "bats shop.bats", "test", True, (title(18),), keep=("same 1 failure as before",), files={"shop.bats": BATS}, before=("bats shop.bats",)),
    RunnerCase("rspec-fail", "rspec spec/", "test", True, (title(12),), ("a_spec.rb:39",), files={"spec/a_spec.rb": RSPEC}),
    RunnerCase("rspec-documentation-pass", "rspec -fd spec/", "test", asked=(title(0), title(49)), keep=("50 examples, 0 failures",), files={"spec/a_spec.rb": RSPEC.replace("eq(25)", "eq(24)")}),
    RunnerCase("minitest-fail", "ruby test_shop.rb", "test", True, (ident(12),), ("test_shop.rb:",), files={"test_shop.rb": MINITEST}),
    RunnerCase("minitest-v-pass", "ruby test_shop.rb -v", "test", asked=(ident(0), ident(49)), keep=("0 failures",), files={"test_shop.rb": MINITEST.replace("assert_equal 25", "assert_equal 24")}),
    RunnerCase("phpunit-fail", "phpunit ShopTest.php", "test", True, (camel(12),), ("ShopTest.php:16",), files={"ShopTest.php": PHPUNIT}),
    RunnerCase("busted-fail", "busted shop_spec.lua", "test", True, (title(12),), ("shop_spec.lua:14",), files={"shop_spec.lua": BUSTED}),
    RunnerCase("busted-tap-pass", "busted -o TAP shop_spec.lua", "test", keep=("1..50",), files={"shop_spec.lua": BUSTED.replace("equal(25", "equal(24")}),
    RunnerCase("junit4-fail", f"java -cp {JUNIT_CP} org.junit.runner.JUnitCore ShopTest", "test", True, ("ledger12",), ("ShopTest.java:16",), files={"ShopTest.java": JUNIT}, setup=f"javac -cp {JUNIT_CP} ShopTest.java"),
    RunnerCase("junit4-pass", f"java -cp {JUNIT_CP} org.junit.runner.JUnitCore ShopTest", "test", keep=("OK (50 tests)",), files={"ShopTest.java": JUNIT.replace("assertEquals(25", "assertEquals(24")}, setup=f"javac -cp {JUNIT_CP} ShopTest.java"),
    RunnerCase("javac-70-errors", "javac App.java", "build", True, ("cannot find symbol",), tuple(f"App.java:{n}:" for n in range(2, 72)), files={"App.java": JAVA_BAD}),
    RunnerCase("java-trace-long", "java App.java", "command", True, ("IllegalStateException: vault sealed",), ("App.java:1",), files={"App.java": 'class App { public static void main(String[] a) { for (int n = 0; n < 300; n++) System.out.println("tick " + n); throw new IllegalStateException("vault sealed"); } }\n'}),
    RunnerCase("shellcheck-fail-named", "shellcheck *.sh", "lint", True, ("SC2086",), ("In a.sh line 2:",), files={"a.sh": "#!/bin/sh\n" + "".join(f"echo $x{n}\n" for n in range(30))}),
)  # fmt: skip

# --- Maven and Gradle, from Debian's own repository (`RECORD_M2` is a copy of /usr/share/maven-repo)
POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>shop</artifactId><version>1</version><properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies><build><plugins><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin></plugins></build></project>'  # fmt: skip
GRADLE = "apply plugin: 'java'\nrepositories { maven { url 'file:///usr/share/maven-repo' } }\ndependencies { testCompile 'junit:junit:4.13.2' }\n"  # fmt: skip
SHOP_JAVA = "public class Shop {\n" + "".join(f"  int f{n}() {{ return lost; }}\n" for n in range(40)) + "}\n"  # fmt: skip
MVN = "mvn -o -B -Dmaven.repo.local=$RECORD_M2"
JVM = (
    RunnerCase("mvn-test-one-fails", f"{MVN} test", "test", True, ("ledger12",), ("ShopTest.ledger12:16",), files={"pom.xml": POM, "src/test/java/ShopTest.java": JUNIT}),
    RunnerCase("mvn-test-pass", f"{MVN} test", "test", keep=("Tests run: 50, Failures: 0",), files={"pom.xml": POM, "src/test/java/ShopTest.java": JUNIT.replace("assertEquals(25", "assertEquals(24")}),
    RunnerCase("mvn-compile-40-errors", f"{MVN} compile", "build", True, ("cannot find symbol",), tuple(f"Shop.java:[{n}," for n in range(2, 42)), files={"pom.xml": POM, "src/main/java/Shop.java": SHOP_JAVA}),
    RunnerCase("mvn-test-rerun-same", f"{MVN} test", "test", True, ("ledger12",), keep=("same 1 failure as before",), files={"pom.xml": POM, "src/test/java/ShopTest.java": JUNIT}, before=(f"{MVN} test",)),
    RunnerCase("gradle-test-one-fails", "gradle --offline --no-daemon test", "test", True, ("ledger12",), ("ShopTest.java:16",), files={"build.gradle": GRADLE, "src/test/java/ShopTest.java": JUNIT}),
    RunnerCase("gradle-test-pass", "gradle --offline --no-daemon test", "test", keep=("BUILD SUCCESSFUL",), files={"build.gradle": GRADLE, "src/test/java/ShopTest.java": JUNIT.replace("assertEquals(25", "assertEquals(24")}),
    RunnerCase("gradle-compile-40-errors", "gradle --offline --no-daemon build", "build", True, ("cannot find symbol",), tuple(f"Shop.java:{n}:" for n in range(2, 42)), files={"build.gradle": GRADLE, "src/main/java/Shop.java": SHOP_JAVA}),
)  # fmt: skip

# --- runners that nobody has heard of
OWN_NODE = """const cases = [];
const check = (name, fn) => cases.push([name, fn]);
for (let n = 0; n < 90; n++) check(`%s ${n}`, () => { if (n === 61) throw new Error('drawer 61 is jammed'); });
let good = 0, bad = 0;
for (const [name, fn] of cases) {
  try { fn(); good++; console.log(`%s ${name}`); } catch (e) { bad++; console.log(`%s ${name}`); console.log(`      ${e.message}`); }
}
console.log(`%s`);
process.exit(bad ? 1 : 0);
"""


def own_node(subject: str, good: str, bad: str, total: str, *, fails: bool = True) -> str:
    text = OWN_NODE % (subject, good, bad, total)
    return text if fails else text.replace("n === 61", "n === -1")


def own_shell(body: str) -> str:
    return "#!/bin/bash\n" + body


SH_OK = own_shell('good=0; bad=0\nrow() { if eval "$2"; then good=$((good+1)); echo "  ok    $1"; else bad=$((bad+1)); echo "  FAIL  $1: $2"; fi; }\nfor n in $(seq 70); do row "tray $n holds" "[ $n -ne 44 ]"; done\necho "$good good, $bad bad"\nexit $bad\n')  # fmt: skip
SH_BRACKET = own_shell('f=0\nfor n in $(seq 64); do if [ $n = 20 -o $n = 41 ]; then echo "[FAIL] hatch $n: seal broken"; f=$((f+1)); else echo "[ OK ] hatch $n"; fi; done\necho; echo "Summary: 64 checks, $f problems"\n[ $f = 0 ]\n')  # fmt: skip
SH_DOTS = own_shell('f=0\nfor n in $(seq 75); do printf "testing rotor %s ... " $n; if [ $n = 52 ]; then echo "FAILED (speed 0)"; f=1; else echo passed; fi; done\necho "1 of 75 rotors failed"\nexit $f\n')  # fmt: skip
SH_SECTIONS = own_shell('for s in intake outlet pump; do echo "== $s"; for n in $(seq 30); do [ $s$n = outlet9 ] && echo "not good: $s valve $n (stuck)" || echo "good: $s valve $n"; done; done\necho "89 good, 1 not good"\nexit 3\n')  # fmt: skip
PY_OWN = "import sys\nbad = 0\nfor n in range(80):\n    good = n != 37\n    bad += not good\n    print(f'spec: hinge {n:02} .... {\"PASS\" if good else \"FAIL (gap 3 mm)\"}')\nprint(f'{80 - bad}/80 specs held')\nsys.exit(bad)\n"  # fmt: skip
AWK_OWN = 'awk \'BEGIN { for (n = 1; n <= 90; n++) { if (n == 58) { print "✗ beam " n " bends"; b++ } else print "✓ beam " n } print ""; print 90 - b " held, " b " bent"; exit b }\''  # fmt: skip
JUNIT_XML = 'import sys\nprint(\'<?xml version="1.0"?>\')\nprint(\'<testsuites><testsuite name="dock" tests="70" failures="1">\')\nfor n in range(70):\n    body = \'<failure message="crane 23 stuck">at dock.py:23</failure>\' if n == 23 else \'\'\n    print(f\'  <testcase classname="dock" name="crane {n}" time="0.01">{body}</testcase>\')\nprint(\'</testsuite></testsuites>\')\nsys.exit(1)\n'  # fmt: skip
LOG_NOT_TEST = own_shell('for n in $(seq 120); do echo "copied part $n to rack"; done\necho "120 parts, 0 left over"\n')  # fmt: skip
DEPLOY_NOT_TEST = own_shell('for n in $(seq 90); do echo "-> uploading image $n"; done\necho "rack 7 refused the image" >&2\nfor n in $(seq 90); do echo "-> removing image $n"; done\necho "rolled back 90 images"\nexit 4\n')  # fmt: skip
OWN = (
    RunnerCase("own-node-check-marks", "node selfcheck.js", "test", True, ("drawer 61 is jammed", "✗ opens drawer 61"), files={"selfcheck.js": own_node("opens drawer", "  ✓", "  ✗", "${good} passed, ${bad} failed")}),
    RunnerCase("own-node-words", "node verify.mjs", "test", True, ("drawer 61 is jammed",), files={"verify.mjs": own_node("drawer", "pass:", "FAIL:", "${good} of ${cases.length} checks are fine; ${bad} broke")}),
    RunnerCase("own-node-german", "node pruefen.js", "test", True, ("drawer 61 is jammed",), files={"pruefen.js": own_node("Schublade", "[ok]  ", "[FEHLER]", "Ergebnis: ${good} bestanden, ${bad} fehlgeschlagen")}),
    RunnerCase("own-node-all-good", "node selfcheck.js", "test", keep=("All 90 drawers opened, 0 jammed",), files={"selfcheck.js": own_node("opens drawer", "  ✓", "  ✗", "All ${good} drawers opened, ${bad} jammed", fails=False)}),
    RunnerCase("own-node-masked", "node selfcheck.js | cat", "test", True, ("drawer 61 is jammed",), files={"selfcheck.js": own_node("opens drawer", "  ✓", "  ✗", "${good} passed, ${bad} failed")}),
    RunnerCase("own-node-colon-totals", "node run-all.js", "test", True, ("drawer 61 is jammed",), files={"run-all.js": own_node("drawer", "PASS", "FAIL", "\\nPassed: ${good}\\nFailed: ${bad}\\nTotal: ${good + bad}")}),
    RunnerCase("own-shell-good-bad", "./trays.sh", "test", True, ("FAIL  tray 44 holds",), files={"trays.sh": SH_OK}),
    RunnerCase("own-shell-good-bad-pass", "./trays.sh", "test", keep=("70 good, 0 bad",), files={"trays.sh": SH_OK.replace("-ne 44", "-ne 444")}),
    RunnerCase("own-shell-brackets", "bash hatches", "test", True, ("[FAIL] hatch 20: seal broken", "[FAIL] hatch 41: seal broken"), files={"hatches": SH_BRACKET}),
    RunnerCase("own-shell-dots", "./rotors.sh", "test", True, ("testing rotor 52 ... FAILED (speed 0)",), files={"rotors.sh": SH_DOTS}),
    RunnerCase("own-shell-sections", "make -s valves", "test", True, ("not good: outlet valve 9 (stuck)",), files={"Makefile": "valves:\n\t@./v.sh\n", "v.sh": SH_SECTIONS}),
    RunnerCase("own-python-specs", "python hinges.py", "test", True, ("hinge 37 .... FAIL (gap 3 mm)",), files={"hinges.py": PY_OWN}),
    RunnerCase("own-python-specs-pass", "python hinges.py", "test", keep=("80/80 specs held",), files={"hinges.py": PY_OWN.replace("n != 37", "n != 370")}),
    RunnerCase("own-awk-held-bent", "./beams", "test", True, ("✗ beam 58 bends",), files={"beams.sh": own_shell(AWK_OWN + "\n")}, setup="cp beams.sh beams && chmod +x beams"),
    RunnerCase("own-junit-xml", "python dock.py", "test", True, ("crane 23 stuck",), files={"dock.py": JUNIT_XML}),
    RunnerCase("own-rerun-same", "./trays.sh", "test", True, ("FAIL  tray 44 holds",), keep=("same 1 failure as before",), files={"trays.sh": SH_OK}, before=("./trays.sh",)),
    RunnerCase("own-copy-log-no-test", "./copy.sh", "command", keep=("120 parts, 0 left over",), files={"copy.sh": LOG_NOT_TEST}),
    RunnerCase("own-deploy-no-test", "./roll.sh", "command", True, keep=("rack 7 refused the image", "rolled back 90 images"), files={"roll.sh": DEPLOY_NOT_TEST}),
)  # fmt: skip

# --- what was asked for by name, and what is long
NUMBERED = "".join(f"row {n} of the ledger\n" for n in range(1, 1201))
LONG_PY = "".join(f"class {camel(n)}:\n    def {ident(n)}(self):\n        return {n}\n\n" + "    # filler\n" * 20 for n in range(30))  # fmt: skip
LONG_MD = "".join(f"## Chapter {n}\n\n" + "Some words here.\n" * 24 for n in range(30))
LONG_YAML = "".join(f"service_{n}:\n" + "".join(f"  key{k}: {k}\n" for k in range(25)) for n in range(30))  # fmt: skip
GIT = 'git init -q . && git config user.email a@example.org && git config user.name A && for n in $(seq 120); do echo $n > n; git add n; git commit -qm "change $n"; done'  # fmt: skip
TREE = "mkdir -p d && touch $(seq -f 'd/part%g.c' 180)"
ASKED = (
    RunnerCase("head-300", "head -300 rows.txt", "file_read", asked=("row 1 of", "row 150 of", "row 300 of"), files={"rows.txt": NUMBERED}),
    RunnerCase("tail-n-400", "tail -n 400 rows.txt", "file_read", asked=("row 801 of", "row 1000 of", "row 1200 of"), files={"rows.txt": NUMBERED}),
    RunnerCase("sed-range", "sed -n '400,720p' rows.txt", "file_read", asked=("row 400 of", "row 600 of", "row 720 of"), files={"rows.txt": NUMBERED}),
    RunnerCase("awk-range", "awk 'NR>=400 && NR<=620' rows.txt", "command", asked=("row 400 of", "row 510 of", "row 620 of"), files={"rows.txt": NUMBERED}),
    RunnerCase("command-head-80", "seq 1000 | head -80", "command", asked=("\n40\n", "\n79\n"), files={}),
    RunnerCase("git-log-50", "git log --oneline -50", "git_log", asked=("change 120", "change 90", "change 71"), files={}, setup=GIT),
    RunnerCase("git-log-n-30", "git log --oneline -n 30", "git_log", asked=("change 120", "change 91"), files={}, setup=GIT),
    RunnerCase("git-log-max-count", "git --no-pager log --oneline --max-count=45", "git_log", asked=("change 120", "change 76"), files={}, setup=GIT),
    RunnerCase("git-log-plain", "git log --oneline", "git_log", keep=("change 120", "change 101"), files={}, setup=GIT),
    RunnerCase("git-log-head", "git log --oneline | head -40", "git_log", asked=("change 120", "change 81"), files={}, setup=GIT),
    RunnerCase("grep-120", "grep -n 'row 1[0-9]*[05] ' rows.txt", "search", asked=("row 100 of", "row 150 of", "row 1195 of"), files={"rows.txt": NUMBERED.replace("row 12", "raw 12")}),
    RunnerCase("grep-rn-180", "grep -rn part_ src", "search", asked=("src/a.c:1:", "src/a.c:90:", "src/a.c:180:"), files={"src/a.c": "".join(f"int part_{n};\n" for n in range(180))}),
    RunnerCase("grep-900", "grep -n row rows.txt", "search", asked=("row 1 of", "row 50 of"), files={"rows.txt": NUMBERED}),
    RunnerCase("git-grep-150", "git grep -n part_", "search", asked=("a.c:1:", "a.c:75:", "a.c:150:"), files={"a.c": "".join(f"int part_{n};\n" for n in range(150))}, setup="git init -q . && git add ."),
    RunnerCase("find-180", "find d -name '*.c'", "search", asked=("d/part1.c", "d/part90.c", "d/part180.c"), setup=TREE),
    RunnerCase("find-sort-pipe", "find d -name '*.c' | sort", "search", asked=("d/part1.c", "d/part90.c", "d/part180.c"), setup=TREE),
    RunnerCase("git-ls-files", "git ls-files", "search", asked=("d/part1.c", "d/part90.c", "d/part180.c"), setup=TREE + " && git init -q . && git add ."),
    RunnerCase("pip-list", "pip list", "search", asked=("pytest ", "ruff ", "behave "), files={}),
    RunnerCase("env-list", f"env -i {' '.join(f'V{n}=x' for n in range(1, 91))} env", "search", asked=("V1=x", "V45=x", "V90=x"), files={}),
    RunnerCase("npm-ls", "npm ls --all", "search", files={"package.json": '{"name": "x"}'}, setup="rm -f node_modules"),
    RunnerCase("tree-like-du", "du -a d", "search", asked=("d/part90.c",), setup=TREE),
    RunnerCase("git-diff-name-only", "git diff --name-only HEAD", "listing", asked=("d/part90.c",), setup=TREE + " && git init -q . && git config user.email a@b && git config user.name A && git commit -qm a --allow-empty && git add ."),
    RunnerCase("cat-long-python", "cat shop.py", "file_read", asked=(f"class {camel(0)}", f"class {camel(20)}", f"class {camel(29)}"), files={"shop.py": LONG_PY}),
    RunnerCase("cat-long-markdown", "cat GUIDE.md", "file_read", asked=("## Chapter 0", "## Chapter 15", "## Chapter 29"), files={"GUIDE.md": LONG_MD}),
    RunnerCase("cat-long-yaml", "cat compose.yaml", "file_read", asked=("service_0", "service_15", "service_29"), files={"compose.yaml": LONG_YAML}),
    RunnerCase("cat-300-named", "cat rows.txt", "file_read", keep=("row 1 of", "row 100 of", "row 300 of"), files={"rows.txt": "".join(f"row {n} of the ledger\n" for n in range(1, 301))}),
    RunnerCase("cat-two-files", "cat shop.py GUIDE.md", "file_read", asked=(f"class {camel(20)}",), files={"shop.py": LONG_PY, "GUIDE.md": LONG_MD}),
    RunnerCase("rare-line-in-300k", "python big.py", "command", keep=("meter 7 reads backwards",), files={"big.py": "import random\nr = random.Random(4)\nfor n in range(60000):\n    print(f'poll {n} took {r.random():.3f}')\n    if n == 30000: print('meter 7 reads backwards')\n"}),
    RunnerCase("warning-mid-command", "./nightly.sh", "command", keep=("WARNING: disk sdb predicts failure",), files={"nightly.sh": own_shell('for n in $(seq 400); do echo "archived bundle $n"; [ $n = 222 ] && echo "WARNING: disk sdb predicts failure"; done; true\n')}),
    RunnerCase("warnings-at-places-command", "./gen.sh", "command", False, (), ("schema/v1.proto:3:1", "schema/v60.proto:3:1"), files={"gen.sh": own_shell('for n in $(seq 60); do echo "schema/v$n.proto:3:1: warning: field unused"; done; for n in $(seq 60); do echo "wrote v$n.pb"; done\n')}),
    RunnerCase("stderr-500-places", "./validate.sh", "command", True, (), tuple(f"conf/site{n}.ini:{n}: error" for n in (1, 150, 250, 500)), files={"validate.sh": own_shell('for n in $(seq 500); do echo "conf/site$n.ini:$n: error: unknown key" >&2; done; exit 2\n')}),
    RunnerCase("zsh-glob-fails", "ls *.nosuch; true", "listing", False, keep=("no matches found",), shell="zsh"),
)  # fmt: skip

RUNNER_CASES: tuple[RunnerCase, ...] = (
    *NODE,
    *GO,
    *RUST,
    *C,
    *JS,
    *PYTHON,
    *OTHERS,
    *JVM,
    *OWN,
    *ASKED,
)
