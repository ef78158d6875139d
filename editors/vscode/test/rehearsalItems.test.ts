import assert from "node:assert/strict";
import { test } from "node:test";
import type { RehearsalResult } from "../src/protocol";
import { rehearsalItems, rehearsalSummary } from "../src/rehearsalItems";

const FOUND: RehearsalResult = {
  lines: [
    {
      line: 1,
      count: 1,
      commands: [{ argv: ["ls"], cwd: "/p", kind: "real", exit: 0 }],
      writes: [],
      marks: [],
    },
    {
      line: 3,
      count: 1,
      commands: [{ argv: ["rm", "-r", "b"], cwd: "/p", kind: "real", exit: 0 }],
      writes: [{ path: "/p/b", action: "remove", count: 1 }],
      marks: ["destroys"],
    },
    {
      line: 0,
      file: "/p/lib.sh",
      count: 1,
      commands: [
        {
          argv: ["docker", "push", "a:"],
          cwd: "/p",
          kind: "stub",
          exit: 0,
          depends_on: [{ name: "v", line: 2, command: "make v" }],
        },
      ],
      writes: [],
      marks: ["publishes", "network"],
    },
  ],
  exit: 0,
};

void test("REH-2: what matters of a rehearsal is listed, and summed up", () => {
  assert.equal(
    rehearsalSummary(FOUND),
    "1 of 3 commands would run outside of the copy · destroys · publishes · network · exit 0",
  );
  assert.deepEqual(
    rehearsalItems(FOUND).map(({ label, description, detail }) => [label, description, detail]),
    [
      ["ran rm -r b", "line 4 · destroys", "would remove /p/b: 1 file"],
      [
        "would run docker push a:",
        "line 1 · publishes · network",
        "v is not known: 'make v' did not run (line 3)",
      ],
    ],
  );
});

void test("REH-3: what follows a failure comes first", () => {
  const fate = {
    line: 3,
    command: "rm -r b",
    said: "stops",
    proven: "stops",
    ran: [],
    skipped: [4, 5],
    exit: 1,
  } as const;
  const [first] = rehearsalItems({ ...FOUND, fates: [{ ...fate, ran: [], skipped: [4, 5] }] });
  assert.equal(first?.label, "if it fails: rm -r b");
  assert.equal(first.description, "line 4 · stops · exit 1");
  assert.equal(first.detail, "no more: lines 5, 6");
  const stopped = { reason: "time", line: 4 } as const;
  assert.match(rehearsalSummary({ ...FOUND, exit: null, stopped }), /stopped on line 5: time$/);
});

void test("REH-1: a program that is not there is listed as such", () => {
  const found: RehearsalResult = {
    lines: [
      {
        line: 5,
        count: 1,
        commands: [{ argv: ["brew", "update"], cwd: "/p", kind: "stub", exit: 127 }],
        writes: [],
        marks: [],
      },
    ],
    exit: 127,
  };
  assert.equal(rehearsalItems(found)[0]?.label, "would run brew update (not found here)");
});
