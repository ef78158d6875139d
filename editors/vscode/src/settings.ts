/** The settings, as the extension and the server need them. */

import * as os from "node:os";
import * as vscode from "vscode";

export const SECTION = "zshLs";

/** What the server itself reads; the names are those of the wire. */
const OF_SERVER = [
  "shell",
  "timeout",
  "timeoutMax",
  "database",
  "history.hints",
  "history.elsewhere",
  "trace.hints",
  "manopt.enabled",
  "environment.resolve",
  "redact",
] as const;

/** Those that choose which server is started. */
export const OF_STARTING = ["path", "interpreter", "importStrategy"].map(
  (name) => `${SECTION}.${name}`,
);

/** The server's settings with whether the workspace is trusted; what is not set is left to the server. */
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

/** A setting that is a path, with `~` for the home folder; "" where it is not set. */
export function pathSetting(name: "path" | "interpreter"): string {
  const value = vscode.workspace.getConfiguration(SECTION).get<string>(name, "").trim();
  return value.replace(/^~(?=\/|$)/, os.homedir());
}

/** Which server to prefer where no path is set. */
export function importStrategy(): "fromEnvironment" | "useBundled" {
  const value = vscode.workspace.getConfiguration(SECTION).get<string>("importStrategy");
  return value === "useBundled" ? "useBundled" : "fromEnvironment";
}

/** Whether what the person runs gets a real terminal. */
export function usesTerminal(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>("run.terminal", true);
}

/** Whether a question nobody here knows may go to the editor's language model. */
export function asksModel(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>("ask.languageModel", true);
}
