/** Offers `zsh-ls mcp` to the editor's agents; it joins this window's server, so both see one list of tasks. */

import * as vscode from "vscode";
import { workingFolder } from "./client";
import type { Found } from "./finding";
import type { Server } from "./server";
import { t } from "./l10n";

const ID = "zsh-ls.mcp";

export function offerMcp(server: Server): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const told = new Set<string>();
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => definitions(server),
    resolveMcpServerDefinition: (definition) => {
      const { state } = server;
      if (state.kind === "running" && state.found.mcp === false) {
        const why = noSdk(state.found.command);
        // VS Code writes what is thrown to a log alone, and asks again at every start of a chat.
        if (!told.has(why)) {
          told.add(why);
          void vscode.window.showErrorMessage(`zsh-ls: ${why}`);
        }
        throw new Error(why);
      }
      return definition;
    },
  };
  const fire = (): void => {
    changed.fire();
  };
  return vscode.Disposable.from(
    changed,
    vscode.lm.registerMcpServerDefinitionProvider(ID, provider),
    server.onDidChangeState(fire),
    vscode.workspace.onDidGrantWorkspaceTrust(fire),
  );
}

/** None if nothing may be run, or no server was found. */
function definitions(server: Server): vscode.McpStdioServerDefinition[] {
  const { state } = server;
  return vscode.workspace.isTrusted && state.kind === "running"
    ? [definition(state.found, state.version)]
    : [];
}

function definition(found: Found, version: string): vscode.McpStdioServerDefinition {
  const { command, args } = found;
  const offered = new vscode.McpStdioServerDefinition(
    "zsh-ls",
    command,
    [...args, "mcp"],
    {},
    version,
  );
  offered.cwd = vscode.Uri.file(workingFolder());
  return offered;
}

/** What to do if the server's Python lacks what `zsh-ls mcp` needs. */
function noSdk(python: string): string {
  return t(
    "zsh-ls mcp needs the MCP SDK, which {0} does not have: install it there (python -m pip install mcp), or name a Python that has it in zshLs.interpreter.",
    python,
  );
}
