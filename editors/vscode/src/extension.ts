/** Creates the parts of the extension and connects them. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { ActivePython } from "./activePython";
import { withGaps } from "./alignment";
import { AnswerPanel } from "./answerPanel";
import { Commands } from "./commands";
import { FoundPlaces } from "./foundPlaces";
import { Hands } from "./hands";
import { translateBy } from "./l10n";
import { registerTools } from "./languageModelTools";
import { offerMcp } from "./mcp";
import { ModelAnswers } from "./modelAnswers";
import { Pages } from "./pages";
import { places } from "./places";
import { withRefusals } from "./refusals";
import { withPages } from "./rulePages";
import { Runner } from "./runner";
import { Questions } from "./scriptQuestions";
import { Server } from "./server";
import { OF_STARTING } from "./settings";
import { showState } from "./status";
import { mayRestart, noteEnds } from "./stoppedTasks";
import { TaskBook } from "./taskBook";
import { TaskProvider } from "./tasks";
import { TasksView } from "./tasksView";
import { TestExplorer } from "./testExplorer";
import { learnFromTerminals } from "./terminals";

let server: Server | undefined;
let noting: vscode.Disposable | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("zsh-ls", { log: true });
  const trace = vscode.window.createOutputChannel("zsh-ls trace", { log: true });
  translateBy(vscode.l10n.t);
  const middleware: Middleware = { ...withPages, ...withGaps, ...withRefusals };
  const python = new ActivePython();
  const started = new Server(
    async () => places(context.extensionPath, await python.path()),
    { server: log, trace },
    middleware,
    new ModelAnswers(context.globalState),
  );
  server = started;
  const book = new TaskBook();
  noting = noteEnds(book, context.storageUri ?? context.globalStorageUri);
  const found = new FoundPlaces();
  const questions = new Questions(started, context.workspaceState);
  const hands = new Hands();
  const runner = new Runner(started, book, found, questions, hands);
  const pages = new Pages(started);
  const panel = new AnswerPanel(({ command }) => runner.run({ command }));
  const memento = context.workspaceState;
  const commands = new Commands(started, book, runner, pages, panel, questions, log, memento);
  middleware.executeCommand = commands.executeCommand;
  context.subscriptions.push(
    log,
    trace,
    python,
    started,
    commands.register(),
    pages.register(),
    panel,
    hands,
    found.register(),
    new TasksView(started, book, runner).register(),
    new TaskProvider(runner).register(),
    new TestExplorer(started).register(),
    showState(started),
    registerTools(started, book),
    offerMcp(started),
    learnFromTerminals(started, log),
    started.onProgress((news) => {
      found.heard(news);
    }),
    ...following(started, book, python),
  );
  void started.start();
}

export async function deactivate(): Promise<void> {
  noting?.dispose(); // tasks that the server's end stops are reported when the window is opened again
  await server?.stop();
}

/** Connects the parts with each other and with the editor. */
function following(server: Server, book: TaskBook, python: ActivePython): vscode.Disposable[] {
  const lookAgain = (): Promise<void> => server.reconsider(() => mayRestart(book));
  return [
    server.onProgress((news) => {
      book.progressed(news);
    }),
    server.onDidChangeState((state) => {
      if (state.kind !== "running") {
        book.lost();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(lookAgain),
    python.onDidChange(lookAgain),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (OF_STARTING.some((name) => change.affectsConfiguration(name))) {
        await lookAgain();
      }
    }),
  ];
}
