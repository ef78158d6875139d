/** What a person is asked before a script or a line runs: its arguments, and whether another shell may stand in. */

import * as vscode from "vscode";
import { t } from "./l10n";
import type { RunParams, RunScriptParams, ScriptQuestions } from "./protocol";
import type { Server } from "./server";

type Range = NonNullable<RunParams["document"]>["range"];

const TYPED = "zsh-ls.arguments";
const MOST_TYPED = 100;

export class Questions {
  private readonly agreed = new Set<string>();

  constructor(
    private readonly server: Server,
    private readonly memento: vscode.Memento,
  ) {}

  /** How to run a script that was asked for without arguments; none where the person thought better of it. */
  async ofScript(params: RunScriptParams): Promise<RunScriptParams | undefined> {
    const asked = await this.asked(params.textDocument.uri);
    if (asked === undefined) {
      return params; // what is wrong is said by the run itself
    }
    if (params.shell === undefined && !(await this.mayStandIn(asked))) {
      return undefined;
    }
    const args = params.args ?? (await this.argumentsOf(params.textDocument.uri, asked));
    return args && { ...params, args };
  }

  /**
   * How to run a line, with the arguments that it reads: as none they would be nothing, and `$1/bin` the
   * system's; none where the person thought better of it. `range` is what else runs with it.
   */
  async ofLine(
    params: RunParams,
    range: Range | undefined = params.document?.range,
  ): Promise<RunParams | undefined> {
    if (!params.document) {
      return params;
    }
    const { uri } = params.document;
    const asked = await this.asked(uri, range);
    if (asked === undefined) {
      return params; // what is wrong is said by the run itself
    }
    if (params.shell === undefined && !(await this.mayStandIn(asked))) {
      return undefined;
    }
    const args = params.args ?? (await this.argumentsOf(uri, asked));
    return args && (args.length > 0 ? { ...params, args } : params);
  }

  /** The words that a script gets; [] where it reads none. */
  async argumentsOf(uri: string, asked: ScriptQuestions): Promise<string[] | undefined> {
    if (asked.arguments.length === 0 && !asked.takes_more) {
      return [];
    }
    const before = this.memento.get<Record<string, string>>(TYPED, {});
    const typed = await vscode.window.showInputBox({
      title: t("Arguments of {0}", vscode.workspace.asRelativePath(vscode.Uri.parse(uri), false)),
      prompt: promptOf(asked),
      value: before[uri] ?? "",
      ignoreFocusOut: true,
    });
    if (typed === undefined) {
      return undefined;
    }
    const kept = Object.entries(before).filter(([key]) => key !== uri);
    const all = [...kept, [uri, typed] as const].slice(-MOST_TYPED);
    await this.memento.update(TYPED, Object.fromEntries(all));
    const { args } = await this.server.request("zsh/script", { textDocument: { uri }, typed });
    return args ?? [];
  }

  /** What the server would ask; none where it cannot say. */
  async asked(uri: string, range?: Range): Promise<ScriptQuestions | undefined> {
    const params = { textDocument: { uri }, ...(range === undefined ? {} : { range }) };
    return this.server.request("zsh/script", params).catch(() => undefined);
  }

  private async mayStandIn({ shell, stands_in }: ScriptQuestions): Promise<boolean> {
    if (stands_in === undefined || this.agreed.has(shell)) {
      return true;
    }
    const run = t("Run with {0}", stands_in);
    const message = t("{0} is not installed here, and this is written for it.", shell);
    const detail = t("{0} reads much of it in another way.", stands_in);
    if ((await vscode.window.showWarningMessage(message, { modal: true, detail }, run)) !== run) {
      return false;
    }
    this.agreed.add(shell);
    return true;
  }
}

/** `$1 (line 3) · $2 = prod (line 4) · more`. */
function promptOf({ arguments: numbered, takes_more }: ScriptQuestions): string {
  const parts = numbered.map(({ number, line, default: value }) => {
    // What stands in as nothing may be left out.
    const name = value === "" ? `[$${number}]` : value ? `$${number} = ${value}` : `$${number}`;
    return t("{0} (line {1})", name, line + 1);
  });
  return [...parts, ...(takes_more ? [t("any number of them")] : [])].join(" · ");
}
