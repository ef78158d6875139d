/** The Python of the environment that is active in the Python extension, if that is installed. */

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

  /** Fires when another environment is chosen, once the path has been requested. */
  readonly onDidChange = this.changed.event;

  /** The absolute path of its interpreter; undefined if none is chosen, or the answer takes too long. */
  async path(): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
    try {
      return extension && (await within(PATIENCE_MS, this.chosenIn(extension), "too slow"));
    } catch {
      return undefined; // the other extension reports its own errors
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
