/** The server's state in the editor's language status. */

import * as vscode from "vscode";
import { SELECTOR } from "./client";
import type { Server, State } from "./server";
import { t } from "./l10n";

// Made when they are shown: the editor's language is known only then.
const restart = (): vscode.Command => ({ command: "zsh-ls.restart", title: t("Restart") });
const logs = (): vscode.Command => ({ command: "zsh-ls.showLogs", title: t("Show Logs") });

export function showState(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("zsh-ls", SELECTOR);
  item.name = "zsh-ls";
  const show = (state: State): void => {
    void vscode.commands.executeCommand("setContext", "zsh-ls.state", state.kind);
    Object.assign(item, shownOf(state));
    item.severity = severityOf(state);
    if (state.kind === "failed") {
      void tell(state.problem);
    }
  };
  show(server.state);
  return vscode.Disposable.from(
    item,
    server.onDidChangeState(show),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      show(server.state);
    }),
  );
}

type Shown = Pick<vscode.LanguageStatusItem, "text" | "busy" | "command"> & { detail: string };

function shownOf(state: State): Shown {
  switch (state.kind) {
    case "stopped":
      return { text: t("zsh-ls: stopped"), detail: "", busy: false, command: restart() };
    case "starting":
      return { text: "zsh-ls", detail: t("starting"), busy: true, command: logs() };
    case "running":
      return {
        text: `zsh-ls ${state.version}`,
        detail: detailOf(state),
        busy: false,
        command: logs(),
      };
    case "failed":
      return {
        text: t("zsh-ls does not run"),
        detail: state.problem,
        busy: false,
        command: restart(),
      };
  }
}

function detailOf(state: State & { kind: "running" }): string {
  const shells = Object.entries(state.shells).map(([name, version]) => `${name} ${version}`);
  const zsh = "zsh" in state.shells ? "" : t("zsh is not installed: bash stands in");
  const trust = vscode.workspace.isTrusted ? "" : t("Restricted Mode: nothing is run");
  return [trust, zsh, shells.join(", "), state.found.origin].filter(Boolean).join(" · ");
}

function severityOf(state: State): vscode.LanguageStatusSeverity {
  if (state.kind === "failed") {
    return vscode.LanguageStatusSeverity.Error;
  }
  return vscode.workspace.isTrusted
    ? vscode.LanguageStatusSeverity.Information
    : vscode.LanguageStatusSeverity.Warning;
}

async function tell(problem: string): Promise<void> {
  const settings = t("Settings");
  const chosen = await vscode.window.showErrorMessage(
    `zsh-ls: ${problem}`,
    restart().title,
    logs().title,
    settings,
  );
  if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "zshLs.");
  } else if (chosen !== undefined) {
    const { command } = chosen === restart().title ? restart() : logs();
    await vscode.commands.executeCommand(command);
  }
}
