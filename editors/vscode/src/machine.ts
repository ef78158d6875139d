/** Executables of this machine, and facts of its Pythons. */

import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import type { Machine, PythonFacts } from "./finding";

const PATIENCE_MS = 10_000;

// Python before 3.11 does not know -P and fails; one that was built without SQLite fails too.
const QUESTION = `
import importlib.metadata as metadata, importlib.util as util, json, sqlite3
def version(name):
    try:
        return metadata.version(name) if util.find_spec(name.replace("-", "_")) else None
    except metadata.PackageNotFoundError:
        return None
print(json.dumps({"server": version("zsh-ls"), "mcp": version("mcp") is not None}))
`;

export const machine: Machine = { isExecutable, real, ask };

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function ask(python: string): Promise<PythonFacts | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: PATIENCE_MS, cwd: "/" };
    execFile(python, ["-P", "-c", QUESTION], options, (failed, stdout) => {
      resolve(failed ? undefined : read(stdout));
    });
  });
}

function read(answer: string): PythonFacts | undefined {
  try {
    const facts = JSON.parse(answer) as { server: string | null; mcp: boolean };
    return { server: facts.server ?? undefined, mcp: facts.mcp };
  } catch {
    return undefined;
  }
}
