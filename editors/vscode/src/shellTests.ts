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
const AT_TEST = /^\s*@test\s+(['"])(.*)\1\s*\{/;
const GROUP = /^\s*[xf]?(?:Describe|Context|ExampleGroup)\s+(.*)$/;
const EXAMPLE = /^\s*[xf]?(?:It|Specify|Example)\s+(.*)$/;
const END = /^\s*End\b/;
const OTHER_BLOCK = /^\s*(?:Mock|Parameters(?::\w+)?)\b/;
const RESULT = /^(not )?ok\b\s*\d*\s*(?:-\s*)?(.*)$/;
const SKIPPED = /\s#\s*(skip|todo)\b/i;
const DIRECTIVE = /\s*#\s*(skip|todo|failed|error|warned|fixed)\b.*$/i;
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
    const name = AT_TEST.exec(text)?.[2];
    return name === undefined ? [] : [{ path: [name], line, children: [] }];
  });
}

function examplesIn(lines: readonly string[]): FoundTest[] {
  const top: FoundTest[] = [];
  const open: (FoundTest | undefined)[] = []; // none for a block that is neither group nor example
  lines.forEach((text, line) => {
    const named = GROUP.exec(text) ?? EXAMPLE.exec(text);
    if (named) {
      const around = open.findLast((one) => one !== undefined);
      const path = [...(around?.path ?? []), unquoted(named[1] ?? "")];
      const found = { path, line, children: [] };
      (around?.children ?? top).push(found);
      open.push(found);
    } else if (OTHER_BLOCK.test(text)) {
      open.push(undefined);
    } else if (END.test(text)) {
      open.pop();
    }
  });
  return top;
}

function unquoted(written: string): string {
  const word = written.replace(/\s+#.*$/, "").trim();
  return /^(['"]).*\1$/.test(word) ? word.slice(1, -1) : word;
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
      const name = told.replace(DIRECTIVE, "").trim();
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

/** What a runner says of a failure, without the signs of a comment; where it was comes last. */
function readable(said: string): string {
  const lines = said.split("\n").map((line) => line.replace(/^#(?: {3}| )?/, ""));
  const isPlace = (line: string): boolean => /^\(.*\bline \d+\)$/.test(line);
  const ordered = [...lines.filter((line) => !isPlace(line)), ...lines.filter(isPlace)];
  return ordered.filter((line) => line.trim() !== "").join("\n");
}

/** The end of a test among those that were told: by its whole name, else by its own if that is the only such. */
export function endOf(test: FoundTest, ends: readonly TestEnd[]): TestEnd | undefined {
  const whole = test.path.join(" ");
  const own = test.path.at(-1) ?? "";
  const byName = ends.filter(({ name }) => name === whole || name.replace(KIND, "") === whole);
  const byOwn = ends.filter((end) => end.name === own || end.name.endsWith(` ${own}`));
  return byName[0] ?? (byOwn.length === 1 ? byOwn[0] : undefined);
}
