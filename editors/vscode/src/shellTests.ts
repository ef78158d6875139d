/** Tests in files of bats, zunit and shellspec: where they stand, how they are run, how they ended. Pure. */

export type TestRunner = "bats" | "zunit" | "shellspec";

/** A test or a group of tests; `line` is counted from 0, `path` are the names from the outermost group on. */
export interface FoundTest {
  path: readonly string[];
  line: number;
  children: FoundTest[];
}

/** How a test ended, by the name its runner gives it; `said` is what the runner printed about it. */
export interface TestEnd {
  name: string;
  outcome: "passed" | "failed" | "skipped";
  said: string;
  line?: number;
}

/** What is looked for in a workspace. */
export const TEST_FILES = "**/{*.bats,*.zunit,*_spec.sh,*_spec.bash,*_spec.zsh,*_spec.ksh}";

const SPEC = /_spec\.(sh|bash|zsh|ksh)$/;
const AT_TEST = /^\s*@test\s+(.*\S)\s+\{/;
// A function that bats takes as a test for the comment behind its brace.
const COMMENTED_TEST = /^\s*(?:function\s+)?([\w:.-]+)\s*(?:\(\s*\))?\s*\{\s+#\s*@test\s*$/;
const GROUP = /^\s*[xf]?(?:Describe|Context|ExampleGroup)(?:\s+(.*))?$/;
const EXAMPLE = /^\s*[xf]?(?:It|Specify|Example)(?:\s+(.*))?$/;
const EXAMPLE_ON_ITS_LINE = /^\s*Todo(?:\s+(.*))?$/;
const END = /^\s*End\b/;
// Data has an End where what it holds stands on the lines below it.
const OTHER_BLOCK =
  /^\s*(?:Mock\b|Parameters(?::(?:block|matrix|dynamic))?(?:\s|$)|Data(?::raw|:expand)?\s*(?:[#|]|$))/;
// What only the shell knows of a name.
const EXPANDED = "\0";
const RESULT = /^(not )?ok\b\s*\d*\s*(?:-\s+)?(.*)$/;
const SKIPPED = /(?:^|\s)#\s*(skip|todo)\b/i;
const HEAD_OF_TAP = /^(?:TAP version \d+|1\.\.\d*)$/;
const MOST_LAST_WORDS = 4;
const SKIPPED_FIRST = /^# SKIP (?=.)/;
const DIRECTIVE = /\s*#\s*(skip|todo|failed|error|warned|fixed)\b.*$/i;
const YAML_SIGN = /^ {2}(?:---|\.\.\.|severity: \w+)$/;
// What zunit writes before a name.
const KIND = /^(?:Failure|Error|Warning|Skipped): /;
const PLACE = /^#\s+\(.*\bline (\d+)\)/m;

/** The runner of a file, by its name. */
export function runnerOf(path: string): TestRunner | undefined {
  if (path.endsWith(".bats")) {
    return "bats";
  }
  return path.endsWith(".zunit") ? "zunit" : SPEC.test(path) ? "shellspec" : undefined;
}

/** The tests of a file, in its order. */
export function testsIn(text: string, runner: TestRunner): FoundTest[] {
  const lines = text.split(/\r?\n/);
  return runner === "shellspec" ? examplesIn(lines) : namedIn(lines);
}

function namedIn(lines: readonly string[]): FoundTest[] {
  return lines.flatMap((text, line) => {
    const name = AT_TEST.exec(text)?.[1] ?? COMMENTED_TEST.exec(text)?.[1];
    return name === undefined ? [] : [{ path: [unquoted(name)], line, children: [] }];
  });
}

/** A name without its quotes; what is escaped in double ones is the sign itself. */
function unquoted(written: string): string {
  const [, quote, name] = /^(['"])(.*)\1$/.exec(written) ?? [];
  return quote === '"' ? (name ?? "").replace(/\\([$`"\\])/g, "$1") : (name ?? written);
}

function examplesIn(lines: readonly string[]): FoundTest[] {
  const top: FoundTest[] = [];
  const groups = new Set<FoundTest>();
  const open: (FoundTest | undefined)[] = []; // none for a block that is neither group nor example
  lines.forEach((text, line) => {
    const group = GROUP.exec(text);
    const single = EXAMPLE_ON_ITS_LINE.exec(text);
    const named = group ?? single ?? EXAMPLE.exec(text);
    if (named) {
      const around = open.findLast((one) => one !== undefined);
      // An example without a name is told as `<example:26-28>`, a group without one not at all.
      const written = firstWord(named[1] ?? "");
      const name = written || (group ? "" : `<example:${line + 1}-${EXPANDED}>`);
      const found = { path: [...(around?.path ?? []), name], line, children: [] };
      (around?.children ?? top).push(found);
      if (group) {
        groups.add(found);
      }
      if (!single) {
        open.push(found);
      }
    } else if (OTHER_BLOCK.test(text)) {
      open.push(undefined);
    } else if (END.test(text)) {
      open.pop();
    }
  });
  return withoutEmpty(top, groups);
}

/** Without groups that hold no example: nothing of them is run. */
function withoutEmpty(tests: readonly FoundTest[], groups: ReadonlySet<FoundTest>): FoundTest[] {
  return tests
    .map((test) => ({
      found: test,
      kept: { ...test, children: withoutEmpty(test.children, groups) },
    }))
    .filter(({ found, kept }) => kept.children.length > 0 || !groups.has(found))
    .map(({ kept }) => kept);
}

// The parts of a word: in single quotes, in double ones, an expansion, an escaped sign, any other sign.
const PART =
  /'([^']*)'|"((?:[^"\\]|\\.)*)"|(\$(?:\{[^}]*\}|\([^)]*\)|\w+|[@*#?])|`[^`]*`)|\\(.)|([^\s'"])/y;
const IN_QUOTES = /\\([$`"\\])|(\$(?:\{[^}]*\}|\([^)]*\)|\w+|[@*#?])|`[^`]*`)/g;

/** The first word of a line as the shell reads it, an expansion in it as EXPANDED. */
function firstWord(written: string): string {
  PART.lastIndex = 0;
  let word = "";
  for (let part = PART.exec(written); part; part = PART.exec(written)) {
    const [, single, double, expansion, escaped, plain] = part;
    word += expansion
      ? EXPANDED
      : (double?.replace(IN_QUOTES, (_, sign?: string) => sign ?? EXPANDED) ??
        single ??
        escaped ??
        plain ??
        "");
  }
  return word;
}

/** The name of a test as a person reads it: `…` where it has none, or only the shell knows a part of it. */
export function shownName(test: FoundTest): string {
  return (test.path.at(-1) ?? "").replaceAll(EXPANDED, "…") || "…";
}

/** Where projects keep a runner of their own, below their folder; else it is looked for on PATH. */
export const OWN_PROGRAMS: Record<TestRunner, readonly string[]> = {
  bats: ["node_modules/.bin/bats", "test/bats/bin/bats", "tests/bats/bin/bats", "bats/bin/bats"],
  zunit: ["zunit"],
  shellspec: ["shellspec", "vendor/shellspec/shellspec"],
};

/** What lies in the folder of a project: a workspace may hold several, and a runner is run in its own. */
export const PROJECT_MARKS: Record<TestRunner, readonly string[]> = {
  bats: [".git"],
  zunit: [".zunit.yml", ".git"],
  shellspec: [".shellspec"],
};

/** The folders around a file, the nearest first, up to `top`; `top` alone where the file is not in it. */
export function foldersAround(file: string, top: string): string[] {
  const folders: string[] = [];
  let folder = file;
  while (folder.length > top.length) {
    folder = folder.slice(0, Math.max(folder.lastIndexOf("/"), 0));
    folders.push(folder);
  }
  return folder === top ? folders : [top];
}

/** The command that runs a file of tests, or one of them, by the runner's `program`. */
export function commandOf(
  runner: TestRunner,
  file: string,
  test?: FoundTest,
  program: string = runner,
): string {
  const start = quoted(program);
  const name = test?.path.at(-1);
  switch (runner) {
    case "bats": {
      const filter = name === undefined ? "" : ` --filter ${quoted(`^${literal(name)}$`)}`;
      return `${start} --tap${filter} ${quoted(file)}`;
    }
    case "zunit":
      return `${start} --tap ${quoted(name === undefined ? file : `${file}@${name}`)}`;
    case "shellspec":
      return `${start} --format tap ${quoted(test ? `${file}:${test.line + 1}` : file)}`;
  }
}

/** A name as an extended regular expression that matches nothing else. */
function literal(name: string): string {
  return name.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** A word as every shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** How tests ended, from what a runner prints in TAP (the Test Anything Protocol). */
export function endsIn(output: string): TestEnd[] {
  const ends: TestEnd[] = [];
  for (const line of output.split(/\r?\n/)) {
    const found = RESULT.exec(line);
    const last = ends.at(-1);
    if (found) {
      const told = found[2] ?? "";
      // zunit writes the name of a skipped test behind the sign of it.
      const name = told.replace(SKIPPED_FIRST, "").replace(DIRECTIVE, "").trim();
      const isSkipped = SKIPPED.test(told);
      const outcome = isSkipped ? "skipped" : found[1] ? "failed" : "passed";
      ends.push({ name, outcome, said: "" });
    } else if (last && line !== "") {
      last.said += `${line}\n`;
    }
  }
  return ends.map((end) => {
    const line = PLACE.exec(end.said)?.[1];
    const said = readable(end.said);
    return line === undefined ? { ...end, said } : { ...end, said, line: Number(line) - 1 };
  });
}

/** What a runner that told of no test said last: why, as a rule. */
export function lastWords(output: string): string {
  const lines = output
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !HEAD_OF_TAP.test(line));
  return lines.slice(-MOST_LAST_WORDS).join("\n");
}

/** What a runner says of a failure, without the signs of a comment or of YAML; where it was comes last. */
function readable(said: string): string {
  const lines = said
    .split("\n")
    .filter((line) => !YAML_SIGN.test(line))
    .map((line) => line.replace(/^#(?: {3}| )?/, "").replace(/^ {2}message: /, ""));
  const isPlace = (line: string): boolean => /^\(.*\bline \d+\)$/.test(line);
  const ordered = [...lines.filter((line) => !isPlace(line)), ...lines.filter(isPlace)];
  return ordered.filter((line) => line.trim() !== "").join("\n");
}

/**
 * The end of a test among those that were told: by its whole name, else by its own if that is the only such.
 * Of those `among` which it was run several may have its name: they are told in their order. A test that
 * ran several times, with other parameters, has failed where one of these runs has.
 */
export function endOf(
  test: FoundTest,
  ends: readonly TestEnd[],
  among: readonly FoundTest[] = [test],
): TestEnd | undefined {
  const words = wholeName(test);
  const whole = pattern(words);
  const byName = ends.filter(({ name }) => whole.test(name) || whole.test(name.replace(KIND, "")));
  const namesakes = among.filter((other) => wholeName(other) === words);
  if (namesakes.length === byName.length) {
    return byName[namesakes.indexOf(test)];
  }
  const own = pattern(test.path.at(-1) ?? "", "(?:.* )?");
  const byOwn = ends.filter(({ name }) => own.test(name));
  return together(byName.length > 0 || byOwn.length > 1 ? byName : byOwn);
}

function wholeName({ path }: FoundTest): string {
  return path.filter((name) => name !== "").join(" ");
}

/** What a name matches that is written so: blanks are told as one, and an expansion as anything. */
function pattern(words: string, before = ""): RegExp {
  const written = literal(words.trim()).replaceAll(EXPANDED, ".*").replace(/\s+/g, "\\s+");
  return new RegExp(`^${before}${written}$`);
}

/** Several ends of one test as one; none of none. */
export function together(ends: readonly TestEnd[]): TestEnd | undefined {
  const failed = ends.filter(({ outcome }) => outcome === "failed");
  const [worst] = [...failed, ...ends.filter(({ outcome }) => outcome === "passed"), ...ends];
  return (
    worst && {
      ...worst,
      said: (failed.length > 0 ? failed : [worst]).map(({ said }) => said).join("\n"),
    }
  );
}
