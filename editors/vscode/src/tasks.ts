/** Tasks of type `zsh` for `tasks.json` and the task list, run and remembered by the server. */

import * as vscode from "vscode";
import { LANGUAGE } from "./client";
import type { RunParams } from "./protocol";
import type { Runner } from "./runner";

const TYPE = "zsh";

/** A task of `tasks.json`: a command or a script. */
interface Definition extends vscode.TaskDefinition {
  command?: string;
  script?: string;
  args?: string[];
  cwd?: string;
  shell?: string;
  timeout?: number;
  env?: Record<string, string | null>;
}

export class TaskProvider implements vscode.TaskProvider {
  constructor(private readonly runner: Runner) {}

  register(): vscode.Disposable {
    return vscode.tasks.registerTaskProvider(TYPE, this);
  }

  /** The script in the editor. */
  provideTasks(): vscode.Task[] {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== LANGUAGE || document.uri.scheme !== "file") {
      return [];
    }
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    const script = vscode.workspace.asRelativePath(document.uri, false);
    return [
      this.task({ type: TYPE, script }, folder ?? vscode.TaskScope.Workspace, `run ${script}`),
    ];
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as Definition;
    const isWhole = definition.command !== undefined || definition.script !== undefined;
    return isWhole ? this.task(definition, task.scope, task.name, task.definition) : undefined;
  }

  /** VS Code identifies a resolved task by its definition, so that must not change. */
  private task(
    wanted: Definition,
    scope: vscode.Task["scope"],
    name: string,
    definition: vscode.TaskDefinition = wanted,
  ): vscode.Task {
    const folder = typeof scope === "object" ? scope : vscode.workspace.workspaceFolders?.[0];
    const execution = new vscode.CustomExecution((resolved) =>
      Promise.resolve(this.terminal(resolved as Definition, folder)),
    );
    return new vscode.Task(definition, scope ?? vscode.TaskScope.Workspace, name, TYPE, execution);
  }

  private terminal(
    definition: Definition,
    folder: vscode.WorkspaceFolder | undefined,
  ): vscode.Pseudoterminal {
    if (definition.script !== undefined) {
      const uri = within(folder, definition.script);
      // Without a folder of its own a script runs where the setting `run.cwd` says.
      const options = optionsOf(definition, definition.cwd === undefined ? undefined : folder);
      return this.runner.terminalOfScript(uri, { ...options, args: definition.args ?? [] });
    }
    return this.runner.terminalOfCommand(paramsOf(definition, folder));
  }
}

function paramsOf(definition: Definition, folder: vscode.WorkspaceFolder | undefined): RunParams {
  return { command: definition.command ?? "", ...optionsOf(definition, folder) };
}

/** What holds for commands and scripts alike; without a folder of its own a task runs in `folder`. */
function optionsOf(
  definition: Definition,
  folder?: vscode.WorkspaceFolder,
): Pick<RunParams, "cwd" | "shell" | "timeout" | "env"> {
  const { shell, timeout, env } = definition;
  const cwd = definition.cwd === undefined ? folder?.uri : within(folder, definition.cwd);
  return {
    ...(cwd === undefined ? {} : { cwd: cwd.fsPath }),
    ...(shell === undefined ? {} : { shell }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(env === undefined ? {} : { env }),
  };
}

function within(folder: vscode.WorkspaceFolder | undefined, file: string): vscode.Uri {
  return folder && !file.startsWith("/")
    ? vscode.Uri.joinPath(folder.uri, file)
    : vscode.Uri.file(file);
}
