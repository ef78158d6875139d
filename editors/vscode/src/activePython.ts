/** The Python of the environment that the person chose in the Python extension, if that is there. */

import * as vscode from "vscode";
import { within } from "./patience";

const PYTHON_EXTENSION = "ms-python.python";
const PATIENCE_MS = 10_000;

/** The part of the Python extension's API that names the active environment. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.WorkspaceFolder): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export class ActivePython implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private following: vscode.Disposable | undefined;

  /** Another environment was chosen; heard of once the path was asked for. */
  readonly onDidChange = this.changed.event;

  /** The absolute path of its interpreter; undefined where none is chosen, or none is told in time. */
  async path(): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
    try {
      return extension && (await within(PATIENCE_MS, this.chosenIn(extension), "too slow"));
    } catch {
      return undefined; // another extension's trouble is told by that extension
    }
  }

  dispose(): void {
    this.following?.dispose();
    this.changed.dispose();
  }

  private async chosenIn(extension: vscode.Extension<PythonApi>): Promise<string | undefined> {
    const { environments } = await extension.activate();
    this.following ??= environments.onDidChangeActiveEnvironmentPath(() => {
      this.changed.fire();
    });
    const chosen = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]);
    return (await environments.resolveEnvironment(chosen))?.executable.uri?.fsPath;
  }
}
