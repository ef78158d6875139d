/**
 * Which server to start: the one that is set, that of the active Python environment, of PATH, else
 * the bundled one. Pure: facts of the machine come from a `Machine`.
 */

import * as path from "node:path";
import { t } from "./l10n";

/** Facts of a Python: `server` is the version of its own zsh-ls, `mcp` whether it has the SDK. */
export interface PythonFacts {
  server: string | undefined;
  mcp: boolean;
}

/** What the search for a server needs to know of the machine. */
export interface Machine {
  isExecutable(file: string): boolean;
  /** The path of a file or folder with links resolved; unchanged if it does not exist. */
  real(file: string): string;
  /** Facts of a Python 3.11 or later; undefined if it is not one, or does not run. */
  ask(python: string): Promise<PythonFacts | undefined>;
}

/** Where to look. Nothing in `untrusted` folders may be started; paths are absolute or empty. */
export interface Places {
  platform: NodeJS.Platform;
  path: string;
  interpreter: string;
  strategy: "fromEnvironment" | "useBundled";
  activePython: string | undefined;
  searchPath: readonly string[];
  untrusted: readonly string[];
  launcher: string;
}

export type Origin = "setting" | "environment" | "PATH" | "bundled";

/** How to start zsh-ls; its subcommand is appended to `args`. */
export interface Found {
  command: string;
  args: readonly string[];
  origin: Origin;
  /** Whether `zsh-ls mcp` works; undefined if that is known only by starting it. */
  mcp: boolean | undefined;
}

/** No server was found; the message says what to do. */
export class NotFound extends Error {}

const NO_PYTHON =
  "No Python 3.11 or later was found, which zsh-ls needs. Install one (apt install python3, or python3.11 on older systems; brew install python), or set zshLs.interpreter; then choose Restart.";
const NOT_ON_WINDOWS =
  "zsh-ls runs on Linux and macOS. On Windows, open the folder in WSL or on a remote machine.";

const PYTHONS = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];

/** Searches in order; throws `NotFound` if there is none, or if the configured one does not work. */
export async function findServer(machine: Machine, places: Places): Promise<Found> {
  if (places.platform === "win32") {
    throw new NotFound(t(NOT_ON_WINDOWS));
  }
  if (places.path) {
    return setExecutable(machine, places);
  }
  if (places.interpreter) {
    return setInterpreter(machine, places);
  }
  if (places.strategy === "fromEnvironment") {
    const found = (await ofActivePython(machine, places)) ?? ofSearchPath(machine, places);
    if (found) {
      return found;
    }
  }
  return bundled(machine, places);
}

function setExecutable(machine: Machine, places: Places): Found {
  if (!isUsable(machine, places, places.path)) {
    throw new NotFound(
      t("zshLs.path: {0} is no executable that may be started here.", places.path),
    );
  }
  return { command: places.path, args: [], origin: "setting", mcp: undefined };
}

async function setInterpreter(machine: Machine, places: Places): Promise<Found> {
  const facts = await factsOf(machine, places, places.interpreter);
  if (!facts) {
    throw new NotFound(
      t(
        "zshLs.interpreter: {0} is no Python 3.11 or later that may be started here.",
        places.interpreter,
      ),
    );
  }
  const own = facts.server !== undefined && places.strategy === "fromEnvironment";
  return own
    ? ofPython(places.interpreter, facts, "setting")
    : launched(places.interpreter, facts, places);
}

async function ofActivePython(machine: Machine, places: Places): Promise<Found | undefined> {
  const python = places.activePython;
  const facts = python ? await factsOf(machine, places, python) : undefined;
  return python && facts?.server !== undefined ? ofPython(python, facts, "environment") : undefined;
}

function ofSearchPath(machine: Machine, places: Places): Found | undefined {
  const command = onPath(machine, places, "zsh-ls");
  return command ? { command, args: [], origin: "PATH", mcp: undefined } : undefined;
}

async function bundled(machine: Machine, places: Places): Promise<Found> {
  const named = PYTHONS.map((name) => onPath(machine, places, name));
  for (const python of new Set([places.activePython, ...named])) {
    const facts = python ? await factsOf(machine, places, python) : undefined;
    if (python && facts) {
      return launched(python, facts, places);
    }
  }
  throw new NotFound(t(NO_PYTHON));
}

/** `-P`: modules in the current folder must not be imported. */
function ofPython(command: string, facts: PythonFacts, origin: Origin): Found {
  return { command, args: ["-P", "-m", "zsh_ls"], origin, mcp: facts.mcp };
}

function launched(command: string, facts: PythonFacts, places: Places): Found {
  return { command, args: ["-P", places.launcher], origin: "bundled", mcp: facts.mcp };
}

async function factsOf(
  machine: Machine,
  places: Places,
  python: string,
): Promise<PythonFacts | undefined> {
  return isUsable(machine, places, python) ? machine.ask(python) : undefined;
}

/** A relative entry of PATH means the folder of the workspace, so it is passed over. */
function onPath(machine: Machine, places: Places, name: string): string | undefined {
  return places.searchPath
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => isUsable(machine, places, file));
}

function isUsable(machine: Machine, { untrusted }: Places, file: string): boolean {
  return (
    path.isAbsolute(file) &&
    !untrusted.some((folder) => leadsInto(machine, file, folder)) &&
    machine.isExecutable(file)
  );
}

/** Whether a file is in a folder, by its name or by where links lead. */
function leadsInto(machine: Machine, file: string, folder: string): boolean {
  return isWithin(file, folder) || isWithin(machine.real(file), machine.real(folder));
}

function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}
