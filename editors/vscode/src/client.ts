/** The connection to one server process: how it is started, and what the client declares. */

import { spawn, type ChildProcess } from "node:child_process";
import * as os from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  type ConfigurationMiddleware,
  type LanguageClientOptions,
  type Middleware,
  type StaticFeature,
} from "vscode-languageclient/node";
import type { Found } from "./finding";
import { childEnvironment } from "./environment";
import { LastWords } from "./lastWords";
import { within } from "./patience";
import type { ClientDeclaration } from "./protocol";
import { SECTION, serverSettings } from "./settings";

export const LANGUAGE = "shellscript";
/** Documents on this machine and unsaved ones. */
export const SCHEMES: readonly string[] = ["file", "untitled"];
/** Files with shell inside. */
const HOSTS = ["markdown", "makefile", "dockerfile", "just", "yaml", "github-actions-workflow"];
export const SELECTOR = SCHEMES.flatMap((scheme) =>
  [LANGUAGE, ...HOSTS].map((language) => ({ scheme, language })),
);
const MOST_WIRE_ERRORS = 3;
const FAREWELL_MS = 2_000;
/** How long the last words are waited for after the connection has closed: what it began may hold them open. */
const LAST_MS = 300;

/** The output channels of the messages and of the server's standard error. */
export interface Logs {
  server: vscode.LogOutputChannel;
  trace: vscode.LogOutputChannel;
}

/** A client and its server process. */
export class Conversation {
  readonly client: LanguageClient;
  private process: ChildProcess | undefined;
  private readonly lastWords = new LastWords();
  private closed: Promise<void> = Promise.resolve();

  constructor(
    private readonly found: Found,
    private readonly logs: Logs,
    middleware: Middleware,
  ) {
    const options = clientOptions(logs, middleware);
    this.client = new LanguageClient(SECTION, "zsh-ls", () => this.launch(), options);
    this.client.registerFeature(declaration);
  }

  /** Stops the client and the process, by `shutdown` if it answers. */
  async end(): Promise<void> {
    if (this.client.isRunning()) {
      await this.client.stop(FAREWELL_MS).catch(() => undefined);
    }
    this.process?.kill();
  }

  /** How the process ended by itself; undefined if it goes on. */
  async ending(): Promise<string | undefined> {
    await within(LAST_MS, this.closed, "").catch(() => undefined);
    return this.lastWords.sentence;
  }

  private launch(): Promise<ChildProcess> {
    const { command, args } = this.found;
    this.logs.server.info(`starting ${[command, ...args].join(" ")} serve`);
    const options = { cwd: workingFolder(), env: childEnvironment(process.env) };
    const child = spawn(command, [...args, "serve", "--stdio"], options);
    this.process = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.lastWords.heard(text);
    });
    child.once("exit", (code, signal) => {
      this.lastWords.ended(code, signal);
    });
    this.closed = new Promise((resolve) => {
      child.once("close", () => {
        resolve();
      });
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", () => {
        resolve(child);
      });
      child.on("error", reject);
    });
  }
}

/** The first folder of the workspace; tasks of a window without one begin at home. */
export function workingFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.find((one) => one.uri.scheme === "file");
  return folder?.uri.fsPath ?? os.homedir();
}

const declaration: StaticFeature = {
  fillClientCapabilities(capabilities) {
    const zshLs: ClientDeclaration = { version: 1, answer: true, only_news: true, asks: true };
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), zshLs };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

function clientOptions(logs: Logs, middleware: Middleware): LanguageClientOptions {
  return {
    documentSelector: SELECTOR,
    outputChannel: logs.server,
    traceOutputChannel: logs.trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: serverSettings(),
    initializationFailedHandler: () => false,
    // Who holds the conversation starts the next one, and says so.
    errorHandler: {
      error: (_error, _message, count) => ({
        action: (count ?? 0) <= MOST_WIRE_ERRORS ? ErrorAction.Continue : ErrorAction.Shutdown,
        handled: true,
      }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    middleware: { ...middleware, workspace: { configuration } },
  };
}

/** Answers the server's requests for settings with what trust allows. */
const configuration: NonNullable<ConfigurationMiddleware["configuration"]> = async (
  params,
  token,
  next,
) => {
  const given = await next(params, token);
  const values = Array.isArray(given) ? given : [];
  return params.items.map((item, index): unknown =>
    item.section === SECTION ? serverSettings() : values[index],
  );
};
