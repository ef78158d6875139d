/** The settings of the extension and of the server. */

import * as os from "node:os";
import * as vscode from "vscode";

export const SECTION = "zshLs";

/** The settings that the server reads, by their names in the protocol. */
const OF_SERVER = [
  "shell",
  "run.cwd",
  "timeout",
  "timeoutMax",
  "database",
  "history.hints",
  "history.warnings",
  "history.elsewhere",
  "trace.hints",
  "manopt.enabled",
  "environment.resolve",
  "redact",
] as const;

/** The settings that decide which server is started. */
export const OF_STARTING = ["path", "interpreter", "importStrategy"].map(
  (name) => `${SECTION}.${name}`,
);

/** The server's settings that are set, and whether the workspace is trusted. */
export function serverSettings(): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION);
  const given: Record<string, unknown> = { trusted: vscode.workspace.isTrusted };
  for (const name of OF_SERVER) {
    const value = section.get(name);
    if (value !== null && value !== "") {
      given[name] = value;
    }
  }
  return given;
}

/** The path in a setting, with `~` expanded; "" if it is not set, or to something that is no text. */
export function pathSetting(name: "path" | "interpreter"): string {
  const value = vscode.workspace.getConfiguration(SECTION).get<unknown>(name);
  const path = typeof value === "string" ? value.trim() : "";
  return path.replace(/^~(?=\/|$)/, os.homedir());
}

/** Which server to prefer if no path is set. */
export function importStrategy(): "fromEnvironment" | "useBundled" {
  const value = vscode.workspace.getConfiguration(SECTION).get<string>("importStrategy");
  return value === "useBundled" ? "useBundled" : "fromEnvironment";
}

/** Whether what the user runs gets a real terminal. */
export function usesTerminal(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>("run.terminal", true);
}

/** Whether an unanswered question may be passed to the editor's language model. */
export function asksModel(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>("ask.languageModel", true);
}
