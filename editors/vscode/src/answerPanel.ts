/** The one panel beside the script that shows answers, rendered; each takes the last one's place. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { t } from "./l10n";
import { inWordsOfTheEditor, pageOf, withoutCommands } from "./answerPage";
import type { Answer, ProposedCommand } from "./protocol";
import { title } from "./wording";

const VIEW = "zsh-ls.answer";

/** What the page says when one of its buttons is pressed. */
interface Pressed {
  does: "run" | "copy";
  at: number;
}

export class AnswerPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private commands: readonly ProposedCommand[] = [];

  /** `run` runs a proposed command in the person's sight. */
  constructor(private readonly run: (command: ProposedCommand) => unknown) {}

  dispose(): void {
    this.panel?.dispose();
  }

  async show(heading: string, { markdown, commands = [] }: Answer): Promise<void> {
    const body = await vscode.commands.executeCommand<string>(
      "markdown.api.render",
      inWordsOfTheEditor(
        withoutCommands(markdown, commands),
        t("Show Full Output (list of tasks)"),
      ),
    );
    const panel = (this.panel ??= this.opened());
    this.commands = commands;
    panel.title = title(heading, 40);
    const labels = { run: t("Run"), runAsRoot: t("Run as root"), copy: t("Copy") };
    const nonce = randomBytes(16).toString("hex");
    panel.webview.html = pageOf(heading, body, commands, labels, nonce);
    panel.reveal(panel.viewColumn ?? vscode.ViewColumn.Beside, true);
  }

  private opened(): vscode.WebviewPanel {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, enableFindWidget: true, localResourceRoots: [] };
    const panel = vscode.window.createWebviewPanel(VIEW, "zsh-ls", where, options);
    panel.webview.onDidReceiveMessage((pressed: Pressed) => this.pressed(pressed));
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return panel;
  }

  private async pressed({ does, at }: Pressed): Promise<void> {
    const proposed = this.commands[at];
    if (proposed && does === "run") {
      await this.run(proposed);
    } else if (proposed) {
      await vscode.env.clipboard.writeText(proposed.command);
    }
  }
}
