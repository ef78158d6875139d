/** This window's server: finds, starts and restarts it, and reports its state. */

import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { State as ClientState, type Middleware } from "vscode-languageclient/node";
import { Conversation, type Logs } from "./client";
import { findServer, type Found, type Places } from "./finding";
import { machine } from "./machine";
import type { ModelAnswers } from "./modelAnswers";
import { within } from "./patience";
import { methods, type Progress, type Requests } from "./protocol";
import { MOST_FALLS, Restarts, TOO_MANY_FALLS } from "./restarts";
import { declarationOf } from "./speaking";
import { t } from "./l10n";

const START_PATIENCE_MS = 30_000;
const TOO_LATE = "The server did not answer within {0} seconds.";

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
  private turn: Promise<void> = Promise.resolve();

  readonly onDidChangeState = this.changed.event;
  readonly onProgress = this.progressed.event;

  /** `places` returns where to look for a server now. */
  constructor(
    private readonly places: () => Promise<Places>,
    private readonly logs: Logs,
    private readonly middleware: Middleware,
    private readonly models: ModelAnswers,
  ) {}

  get state(): State {
    return this.current;
  }

  /** Starts it unless it runs; a problem is in `state` afterwards. */
  async start(): Promise<void> {
    if (this.current.kind === "running") {
      return;
    }
    this.starting ??= this.begin().finally(() => {
      this.starting = undefined;
    });
    await this.starting;
  }

  /** Stops it, and searches for and starts one again. */
  async restart(): Promise<void> {
    return this.inTurn(() => this.startAnew());
  }

  /**
   * Searches for it again: if the one that is found runs already, it only gets the settings; else it is
   * started, if `mayRestart` agrees, which is called only if another one runs.
   */
  async reconsider(mayRestart: () => Promise<boolean>): Promise<void> {
    return this.inTurn(async () => {
      await this.starting;
      if (await this.isStillFound()) {
        await this.settingsChanged();
      } else if (this.current.kind !== "running" || (await mayRestart())) {
        await this.startAnew();
      }
    });
  }

  async stop(): Promise<void> {
    await this.starting;
    await this.end();
    this.become({ kind: "stopped" });
  }

  /** Sends a request once it runs; throws its problem if it cannot be started. */
  async request<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
    token?: vscode.CancellationToken,
  ): Promise<Requests[M]["result"]> {
    const { client } = await this.ready();
    // A further argument, even undefined, would be sent as one more parameter.
    return client.sendRequest(method, params, ...(token ? [token] : []));
  }

  /** The connection, once it runs; throws its problem if it cannot be started. */
  async ready(): Promise<Conversation> {
    await this.starting;
    if (this.conversation === undefined || this.current.kind !== "running") {
      const problem = this.current.kind === "failed" ? this.current.problem : t("It is stopped.");
      throw new Error(t("The zsh-ls server does not run. {0}", problem));
    }
    return this.conversation;
  }

  dispose(): void {
    void this.end();
    this.changed.dispose();
    this.progressed.dispose();
  }

  /** Runs changes one by one: settings, trust and the Python environment may change at the same time. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.catch(() => undefined).then(work);
    return this.turn;
  }

  private async startAnew(): Promise<void> {
    this.restarts.forget();
    await this.stop();
    await this.start();
  }

  private async isStillFound(): Promise<boolean> {
    const { current } = this;
    if (current.kind !== "running") {
      return false;
    }
    const found = await findServer(machine, await this.places()).catch(() => undefined);
    return isDeepStrictEqual(found, current.found);
  }

  /** Makes it request its settings again. */
  private async settingsChanged(): Promise<void> {
    const changed = "workspace/didChangeConfiguration";
    await this.conversation?.client.sendNotification(changed, { settings: null });
  }

  private async begin(): Promise<void> {
    this.become({ kind: "starting" });
    try {
      await this.converseWithAny(await this.places());
    } catch (problem) {
      const words = (await this.conversation?.ending()) ?? messageOf(problem);
      await this.end();
      this.logs.server.error(messageOf(problem));
      this.become({ kind: "failed", problem: words });
    }
  }

  /** An installed server that does not start is replaced by the bundled one; a configured one is not. */
  private async converseWithAny(places: Places): Promise<void> {
    const found = await findServer(machine, places);
    try {
      await this.converse(found);
    } catch (problem) {
      if (found.origin === "setting" || found.origin === "bundled") {
        throw problem;
      }
      const words = (await this.conversation?.ending()) ?? messageOf(problem);
      await this.end();
      this.logs.server.warn(`${found.command} does not start: ${words}`);
      await this.converse(await findServer(machine, { ...places, strategy: "useBundled" }));
    }
  }

  private async converse(found: Found): Promise<void> {
    const conversation = new Conversation(found, this.logs, this.middleware);
    this.conversation = conversation;
    const { client } = conversation;
    client.onNotification(methods.progress, (news: Progress) => {
      this.progressed.fire(news);
    });
    client.onRequest(methods.answer, this.models.reply);
    await within(START_PATIENCE_MS, client.start(), t(TOO_LATE, START_PATIENCE_MS / 1000));
    const { shells } = declarationOf(client.initializeResult);
    client.onDidChangeState(({ newState }) => {
      if (newState === ClientState.Stopped && conversation === this.conversation) {
        void this.fell();
      }
    });
    const version = client.initializeResult?.serverInfo?.version ?? "";
    this.become({ kind: "running", version, shells, found });
  }

  private async fell(): Promise<void> {
    const ending = (await this.conversation?.ending()) ?? "";
    await this.end();
    if (this.restarts.fell(Date.now())) {
      this.logs.server.warn(`the server ended; it is started again. ${ending}`);
      this.become({ kind: "stopped" });
      await this.start();
    } else {
      const problem = `${t(TOO_MANY_FALLS, MOST_FALLS + 1)} ${ending}`.trimEnd();
      this.become({ kind: "failed", problem });
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

/** Whether a request was cancelled, by the protocol's own code. */
export function wasCancelled(problem: unknown): boolean {
  return problem instanceof Error && "code" in problem && problem.code === -32800;
}
