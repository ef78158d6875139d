/** Where this window looks for a server. */

import * as path from "node:path";
import type { Places } from "./finding";
import { importStrategy, pathSetting } from "./settings";
import { untrustedFolders } from "./trust";

/** The current places; the bundled server is in the extension's folder. */
export function places(extensionPath: string, activePython: string | undefined): Places {
  return {
    platform: process.platform,
    path: pathSetting("path"),
    interpreter: pathSetting("interpreter"),
    strategy: importStrategy(),
    activePython,
    searchPath: (process.env.PATH ?? "").split(path.delimiter),
    untrusted: untrustedFolders(),
    launcher: path.join(extensionPath, "bundled", "launch.py"),
  };
}
