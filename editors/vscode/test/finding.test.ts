import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, NotFound, type Machine, type Places, type PythonFacts } from "../src/finding";

/** A machine with these executables and links; those with facts are Pythons of 3.11 or later. */
function machineWith(
  files: Record<string, PythonFacts | "program">,
  links: Record<string, string> = {},
): Machine & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    isExecutable: (file) => file in files,
    real: (file) => links[file] ?? file,
    ask: (python) => {
      asked.push(python);
      const facts = files[python];
      return Promise.resolve(facts === "program" ? undefined : facts);
    },
  };
}

const places: Places = {
  platform: "linux",
  path: "",
  interpreter: "",
  strategy: "fromEnvironment",
  activePython: undefined,
  searchPath: ["/usr/local/bin", "/usr/bin"],
  untrusted: [],
  launcher: "/ext/bundled/launch.py",
};
const bare: PythonFacts = { server: undefined, mcp: false };
const withServer: PythonFacts = { server: "0.1.0", mcp: true };

test("the path that is set is started before all else", async () => {
  const machine = machineWith({ "/opt/zsh-ls": "program", "/usr/bin/zsh-ls": "program" });
  const found = await findServer(machine, { ...places, path: "/opt/zsh-ls" });
  assert.deepEqual(found, { command: "/opt/zsh-ls", args: [], origin: "setting", mcp: undefined });
});

test("a path that is set and does not work is told, and nothing else is started", async () => {
  const machine = machineWith({ "/usr/bin/zsh-ls": "program" });
  await assert.rejects(findServer(machine, { ...places, path: "/gone" }), /zshLs.path: \/gone/);
});

test("an interpreter that is set runs the server it has", async () => {
  const machine = machineWith({ "/venv/bin/python": withServer });
  const found = await findServer(machine, { ...places, interpreter: "/venv/bin/python" });
  assert.deepEqual(found.args, ["-P", "-m", "zsh_ls"]);
});

test("an interpreter without a server runs the bundled one", async () => {
  const machine = machineWith({ "/venv/bin/python": bare });
  const found = await findServer(machine, { ...places, interpreter: "/venv/bin/python" });
  assert.deepEqual([found.command, found.args], ["/venv/bin/python", ["-P", places.launcher]]);
});

test("the active environment goes before PATH", async () => {
  const machine = machineWith({ "/venv/bin/python": withServer, "/usr/bin/zsh-ls": "program" });
  const found = await findServer(machine, { ...places, activePython: "/venv/bin/python" });
  assert.equal(found.origin, "environment");
});

test("an active environment without a server leaves it to PATH", async () => {
  const machine = machineWith({ "/venv/bin/python": bare, "/usr/bin/zsh-ls": "program" });
  const found = await findServer(machine, { ...places, activePython: "/venv/bin/python" });
  assert.deepEqual([found.origin, found.command], ["PATH", "/usr/bin/zsh-ls"]);
});

test("where nothing is installed the bundled server runs with the newest Python", async () => {
  const machine = machineWith({ "/usr/bin/python3": bare, "/usr/local/bin/python3.13": bare });
  const found = await findServer(machine, places);
  assert.deepEqual(
    [found.command, found.origin, found.mcp],
    ["/usr/local/bin/python3.13", "bundled", false],
  );
});

test("a Python that is too old is passed over", async () => {
  const machine = machineWith({ "/usr/local/bin/python3": "program", "/usr/bin/python": bare });
  assert.equal((await findServer(machine, places)).command, "/usr/bin/python");
});

test("the bundled server can be preferred to what is installed", async () => {
  const machine = machineWith({ "/usr/bin/zsh-ls": "program", "/usr/bin/python3": withServer });
  const found = await findServer(machine, { ...places, strategy: "useBundled" });
  assert.equal(found.origin, "bundled");
});

test("without a Python it is said what to do", async () => {
  await assert.rejects(findServer(machineWith({}), places), (problem: unknown) => {
    assert.ok(problem instanceof NotFound);
    assert.match(problem.message, /apt install python3.*or set zshLs\.interpreter/);
    return true;
  });
});

test("nothing is started from a folder that is not trusted, by no way of finding it", async () => {
  const inside = [
    "/work/zsh-ls",
    "/work/.venv/bin/python",
    "/work/bin/zsh-ls",
    "/work/bin/python3",
  ];
  const machine = machineWith(Object.fromEntries(inside.map((file) => [file, withServer])));
  const hostile = { ...places, searchPath: ["/work/bin"], untrusted: ["/work"] };
  for (const wish of [
    { path: "/work/zsh-ls" },
    { interpreter: "/work/.venv/bin/python" },
    { activePython: "/work/.venv/bin/python" },
    {},
  ]) {
    await assert.rejects(findServer(machine, { ...hostile, ...wish }), NotFound);
  }
  assert.deepEqual(machine.asked, []);
});

test("no link leads into a folder that is not trusted, nor out of it", async () => {
  const machine = machineWith(
    {
      "/usr/local/bin/zsh-ls": "program",
      "/real/bin/zsh-ls": "program",
      "/work/zsh-ls": "program",
    },
    { "/usr/local/bin/zsh-ls": "/work/zsh-ls", "/work/zsh-ls": "/usr/bin/true", "/link": "/real" },
  );
  const hostile = { ...places, untrusted: ["/work", "/link"] };
  for (const wish of [
    { searchPath: ["/usr/local/bin"] },
    { path: "/work/zsh-ls" },
    { path: "/real/bin/zsh-ls" },
  ]) {
    await assert.rejects(findServer(machine, { ...hostile, ...wish }), NotFound);
  }
});

test("on Windows it is said where zsh-ls runs", async () => {
  const machine = machineWith({ "/usr/bin/zsh-ls": "program" });
  await assert.rejects(findServer(machine, { ...places, platform: "win32" }), /in WSL/);
});

test("a folder whose name only begins like an untrusted one is another", async () => {
  const machine = machineWith({ "/workshop/zsh-ls": "program" });
  const found = await findServer(machine, {
    ...places,
    searchPath: ["/workshop"],
    untrusted: ["/work"],
  });
  assert.equal(found.command, "/workshop/zsh-ls");
});

test("relative entries of PATH and relative settings are not followed", async () => {
  const machine = machineWith({ "bin/zsh-ls": "program", "zsh-ls": "program", "./python3": bare });
  await assert.rejects(findServer(machine, { ...places, searchPath: ["bin", ".", ""] }), NotFound);
  await assert.rejects(findServer(machine, { ...places, path: "bin/zsh-ls" }), NotFound);
});
