/** The one server of this window: found, started, started again when it falls, honest about its state. */

import * as vscode from "vscode";
import { State as ClientState, type Middleware } from "vscode-languageclient/node";
import { Conversation, type Logs } from "./client";
import { findServer, type Found, type Places } from "./finding";
import { machine } from "./machine";
import { modelAnswer } from "./modelAnswers";
import { methods, type Progress, type Requests, type ServerDeclaration } from "./protocol";
import { Restarts, TOO_MANY_FALLS } from "./restarts";

const START_PATIENCE_MS = 30_000;

export type State =
  | { kind: "stopped" }
  | { kind: "starting" }
  | { kind: "running"; version: string; shells: Record<string, string>; found: Found }
  | { kind: "failed"; problem: string };

export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  private readonly progressed = new vscode.EventEmitter<Progress>();
  private readonly restarts = new Restarts();
  private current: State = { kind: "stopped" };
  private conversation: Conversation | undefined;
  private starting: Promise<void> | undefined;

  readonly onDidChangeState = this.changed.event;
  readonly onProgress = this.progressed.event;

  /** `places` says where to look for a server at this moment. */
  constructor(
    private readonly places: () => Promise<Places>,
    private readonly logs: Logs,
    private readonly middleware: Middleware,
  ) {}

  get state(): State {
    return this.current;
  }

  /** Starts it unless it runs; what goes wrong is in `state` afterwards. */
  async start(): Promise<void> {
    if (this.current.kind === "running") {
      return;
    }
    this.starting ??= this.begin().finally(() => {
      this.starting = undefined;
    });
    await this.starting;
  }

  /** Ends it and starts it anew, found again. */
  async restart(): Promise<void> {
    this.restarts.forget();
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.starting;
    await this.end();
    this.become({ kind: "stopped" });
  }

  /** Asks it, once it stands; throws with its problem where it does not. */
  async request<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
    token?: vscode.CancellationToken,
  ): Promise<Requests[M]["result"]> {
    await this.starting;
    if (this.conversation === undefined || this.current.kind !== "running") {
      const problem = this.current.kind === "failed" ? this.current.problem : "It is stopped.";
      throw new Error(`The zsh-ls server does not run. ${problem}`);
    }
    // An argument more would be one more param, were it undefined.
    return this.conversation.client.sendRequest(method, params, ...(token ? [token] : []));
  }

  /** Has it ask for its settings again. */
  async settingsChanged(): Promise<void> {
    const changed = "workspace/didChangeConfiguration";
    await this.conversation?.client.sendNotification(changed, { settings: null });
  }

  dispose(): void {
    void this.end();
    this.changed.dispose();
    this.progressed.dispose();
  }

  private async begin(): Promise<void> {
    this.become({ kind: "starting" });
    try {
      await this.converse(await findServer(machine, await this.places()));
    } catch (problem) {
      await this.end();
      this.logs.server.error(messageOf(problem));
      this.become({ kind: "failed", problem: messageOf(problem) });
    }
  }

  private async converse(found: Found): Promise<void> {
    const conversation = new Conversation(found, this.logs, this.middleware);
    this.conversation = conversation;
    const { client } = conversation;
    client.onNotification(methods.progress, (news: Progress) => {
      this.progressed.fire(news);
    });
    client.onRequest(methods.answer, modelAnswer);
    await within(START_PATIENCE_MS, client.start());
    client.onDidChangeState(({ newState }) => {
      if (newState === ClientState.Stopped && conversation === this.conversation) {
        void this.fell();
      }
    });
    const answered = client.initializeResult;
    const declared = (answered?.capabilities.experimental as { zshLs?: ServerDeclaration }).zshLs;
    const version = answered?.serverInfo?.version ?? "";
    this.become({ kind: "running", version, shells: declared?.shells ?? {}, found });
  }

  private async fell(): Promise<void> {
    await this.end();
    if (this.restarts.fell(Date.now())) {
      this.logs.server.warn("the server ended; it is started again");
      this.become({ kind: "stopped" });
      await this.start();
    } else {
      this.become({ kind: "failed", problem: TOO_MANY_FALLS });
    }
  }

  private async end(): Promise<void> {
    const conversation = this.conversation;
    this.conversation = undefined;
    await conversation?.end();
  }

  private become(state: State): void {
    this.current = state;
    this.changed.fire(state);
  }
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

async function within(patienceMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = new Error(`The server did not answer within ${patienceMs / 1000} seconds.`);
    timer = setTimeout(reject, patienceMs, problem);
  });
  await Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}
