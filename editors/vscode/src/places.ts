/** Where this window looks for a server. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Places } from "./finding";
import { importStrategy, pathSetting } from "./settings";
import { untrustedFolders } from "./trust";

const PYTHON_EXTENSION = "ms-python.python";

/** The part of the Python extension's API that names the active environment. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

export async function places(extensionPath: string): Promise<Places> {
  return {
    path: pathSetting("path"),
    interpreter: pathSetting("interpreter"),
    strategy: importStrategy(),
    activePython: await activePython(),
    searchPath: (process.env.PATH ?? "").split(path.delimiter),
    untrusted: untrustedFolders(),
    launcher: path.join(extensionPath, "bundled", "launch.py"),
  };
}

/** The Python of the environment that the person chose in the Python extension, if it is there. */
async function activePython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  if (extension === undefined) {
    return undefined;
  }
  try {
    const { environments } = await extension.activate();
    const environment = await environments.resolveEnvironment(
      environments.getActiveEnvironmentPath(),
    );
    return environment?.executable.uri?.fsPath;
  } catch {
    return undefined; // another extension's trouble is told by that extension
  }
}
