/** Tests of bats, zunit and shellspec in the editor's Test Explorer, run by the server as any command is. */

import * as vscode from "vscode";
import { t } from "./l10n";
import { workingFolder } from "./client";
import type { OutputPage, TaskResult } from "./protocol";
import { messageOf, type Server } from "./server";
import {
  OWN_PROGRAMS,
  TEST_FILES,
  PROJECT_MARKS,
  commandOf,
  endOf,
  endsIn,
  foldersAround,
  lastWords,
  runnerOf,
  shownName,
  testsIn,
  together,
  type FoundTest,
  type TestEnd,
  type TestRunner,
} from "./shellTests";
import { mayRun } from "./trust";

const ID = "zsh-ls.tests";
const MOST_FILES = 2_000;
const NOT_OURS = "**/{node_modules,.git,vendor}/**";
const LISTEN_S = 300;
const PROGRAM_MISSING = 127;

/** What an item of the explorer stands for; of a file no test. */
interface Known {
  runner: TestRunner;
  test?: FoundTest;
}

export class TestExplorer {
  private readonly controller = vscode.tests.createTestController(ID, "zsh-ls");
  private readonly known = new WeakMap<vscode.TestItem, Known>();

  constructor(private readonly server: Server) {}

  register(): vscode.Disposable {
    const { controller } = this;
    controller.resolveHandler = (item) => (item ? this.read(item) : this.findAll());
    controller.refreshHandler = () => this.findAll();
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> =>
      this.run(request, token);
    controller.createRunProfile(t("Run"), vscode.TestRunProfileKind.Run, run, true);
    const watcher = vscode.workspace.createFileSystemWatcher(TEST_FILES);
    const look = (uri: vscode.Uri): Promise<void> => this.look(uri);
    vscode.workspace.textDocuments.forEach((document) => {
      this.take(document);
    });
    return vscode.Disposable.from(
      controller,
      watcher,
      watcher.onDidCreate(look),
      watcher.onDidChange(look),
      watcher.onDidDelete((uri) => {
        controller.items.delete(uri.toString());
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.take(document);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.take(document);
      }),
    );
  }

  private async findAll(): Promise<void> {
    const files = await vscode.workspace.findFiles(TEST_FILES, NOT_OURS, MOST_FILES);
    files.forEach((uri) => this.itemOf(uri));
  }

  private async read(item: vscode.TestItem): Promise<void> {
    if (item.uri && this.known.get(item)?.test === undefined) {
      this.take(await vscode.workspace.openTextDocument(item.uri));
    }
  }

  /** A file that has changed on disk; one that nobody has looked into stays closed. */
  private async look(uri: vscode.Uri): Promise<void> {
    const item = this.itemOf(uri);
    if (item && item.children.size > 0) {
      await this.read(item);
    }
  }

  /** The item of a file of tests; none for other files. */
  private itemOf(uri: vscode.Uri): vscode.TestItem | undefined {
    const runner = uri.scheme === "file" ? runnerOf(uri.path) : undefined;
    if (runner === undefined) {
      return undefined;
    }
    const before = this.controller.items.get(uri.toString());
    if (before) {
      return before;
    }
    const label = vscode.workspace.asRelativePath(uri);
    const item = this.controller.createTestItem(uri.toString(), label, uri);
    item.canResolveChildren = true;
    this.known.set(item, { runner });
    this.controller.items.add(item);
    return item;
  }

  /** The tests of a document as it stands. */
  private take(document: vscode.TextDocument): void {
    const item = this.itemOf(document.uri);
    const runner = item && this.known.get(item)?.runner;
    if (item && runner) {
      this.fill(item, testsIn(document.getText(), runner), runner);
    }
  }

  private fill(item: vscode.TestItem, tests: readonly FoundTest[], runner: TestRunner): void {
    // Several examples of one group may have the same name.
    const seen = new Map<string, number>();
    item.children.replace(
      tests.map((test) => {
        const name = shownName(test);
        const before = seen.get(name) ?? 0;
        seen.set(name, before + 1);
        const id = `${item.id}\n${name}${before === 0 ? "" : `\n${before}`}`;
        const child = this.controller.createTestItem(id, name, item.uri);
        child.range = new vscode.Range(test.line, 0, test.line, 0);
        this.known.set(child, { runner, test });
        this.fill(child, test.children, runner);
        return child;
      }),
    );
  }

  private async run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
  ): Promise<void> {
    if (!mayRun()) {
      return;
    }
    const run = this.controller.createTestRun(request);
    const wanted = request.include ?? [...this.controller.items].map(([, item]) => item);
    const left = wanted.filter((item) => request.exclude?.includes(item) !== true);
    try {
      for (const item of left) {
        if (!token.isCancellationRequested) {
          await this.runOne(run, item, token);
        }
      }
    } finally {
      run.end();
    }
  }

  /** One file, group or test, with all in it. */
  private async runOne(
    run: vscode.TestRun,
    item: vscode.TestItem,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const known = this.known.get(item);
    if (!known || !item.uri) {
      return;
    }
    await this.read(item);
    const tests = leavesOf(item);
    tests.forEach((test) => {
      run.started(test);
    });
    const top = vscode.workspace.getWorkspaceFolder(item.uri)?.uri.fsPath ?? workingFolder();
    const around = foldersAround(item.uri.fsPath, top);
    const folder = await projectOf(known.runner, around);
    // A group of zunit or bats is a file; of a group of shellspec the line names all in it.
    const program = await programOf(known.runner, around);
    const command = commandOf(known.runner, item.uri.fsPath, known.test, program);
    try {
      const { result, output } = await this.ended(command, folder, token);
      run.appendOutput(output.replace(/\r?\n/g, "\r\n"), undefined, item);
      if (result.exit === PROGRAM_MISSING) {
        throw new Error(t("{0} is not installed, or not on PATH.", known.runner));
      }
      const ends = endsIn(output);
      if (ends.length === 0 && result.exit !== 0) {
        throw new Error(lastWords(output) || t("It was not run."));
      }
      tests.forEach((test) => {
        this.tell(run, test, this.endOfItem(test, tests, ends), output);
      });
    } catch (problem) {
      // Said once: it is not the tests that are wrong.
      run.errored(item, new vscode.TestMessage(messageOf(problem)));
      tests.forEach((test) => {
        if (test !== item) {
          run.skipped(test);
        }
      });
    }
  }

  private endOfItem(
    item: vscode.TestItem,
    items: readonly vscode.TestItem[],
    ends: readonly TestEnd[],
  ): TestEnd | undefined {
    const test = this.known.get(item)?.test;
    const among = items.flatMap((one) => this.known.get(one)?.test ?? []);
    const found = test && endOf(test, ends, among);
    // Of one alone everything that is told is its own, under whatever name.
    return found ?? (items.length === 1 ? together(ends) : undefined);
  }

  private tell(
    run: vscode.TestRun,
    item: vscode.TestItem,
    end: TestEnd | undefined,
    output: string,
  ): void {
    if (end?.outcome === "passed") {
      run.passed(item);
    } else if (end?.outcome === "skipped") {
      run.skipped(item);
    } else {
      const message = new vscode.TestMessage(textOf(end, output));
      const line = end?.line ?? item.range?.start.line ?? 0;
      if (item.uri) {
        message.location = new vscode.Location(item.uri, new vscode.Position(line, 0));
      }
      if (end) {
        run.failed(item, message);
      } else {
        run.errored(item, message);
      }
    }
  }

  /** A command's end, with all it printed: what is shown of a long output that went well is cut. */
  private async ended(
    command: string,
    cwd: string,
    token: vscode.CancellationToken,
  ): Promise<{ result: TaskResult; output: string }> {
    const asked = { command, cwd, shell: "sh", rerun: true, yield_after: 0.3 };
    let result = await this.server.request("zsh/run", asked);
    const id = result.task_id;
    const stop = token.onCancellationRequested(() => {
      this.server.request("zsh/kill", { task_id: id }).catch(() => undefined);
    });
    try {
      while (result.status === "running") {
        const poll = { task_id: id, until: "end" as const, listen: LISTEN_S };
        result = await this.server.request("zsh/poll", poll);
      }
    } finally {
      stop.dispose();
    }
    let output = "";
    for (let line: number | null = 1; line !== null;) {
      const asked = { task_id: id, from_line: line };
      const page: OutputPage = await this.server.request("zsh/output", asked);
      output += page.output;
      line = page.more && page.to_line !== null ? page.to_line + 1 : null;
    }
    return { result, output };
  }
}

/** Which of `names` lies in a folder, and is a file where that is asked. */
async function foundIn(
  folder: string,
  names: readonly string[],
  isFile: boolean,
): Promise<string | undefined> {
  for (const name of names) {
    const uri = vscode.Uri.joinPath(vscode.Uri.file(folder), name);
    const type = await vscode.workspace.fs.stat(uri).then(
      (found) => found.type,
      () => undefined,
    );
    if (type !== undefined && (!isFile || (type & vscode.FileType.File) !== 0)) {
      return uri.fsPath;
    }
  }
  return undefined;
}

/** The folder of the project that a file's folders belong to: the nearest that looks like one, else the last. */
async function projectOf(runner: TestRunner, around: readonly string[]): Promise<string> {
  for (const folder of around) {
    if ((await foundIn(folder, PROJECT_MARKS[runner], false)) !== undefined) {
      return folder;
    }
  }
  return around.at(-1) ?? workingFolder();
}

/** The program of a runner: that of the nearest folder which has one of its own. */
async function programOf(runner: TestRunner, around: readonly string[]): Promise<string> {
  for (const folder of around) {
    const found = await foundIn(folder, OWN_PROGRAMS[runner], true);
    if (found !== undefined) {
      return found;
    }
  }
  return runner;
}

/** The tests in an item, itself where it has none. */
function leavesOf(item: vscode.TestItem): vscode.TestItem[] {
  const children = [...item.children].map(([, child]) => child);
  return children.length === 0 ? [item] : children.flatMap(leavesOf);
}

/** What is shown of a test that did not pass: its own lines, else all that was printed. */
function textOf(end: TestEnd | undefined, output: string): string {
  const said = [end?.said, output].find((text) => text !== undefined && text !== "");
  return said ?? t("It was not run.");
}
