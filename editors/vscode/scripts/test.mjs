// Bundles the unit tests and runs them with node's own runner; no editor is needed.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
rmSync("dist-test", { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => `test/${name}`),
  outdir: "dist-test",
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  sourcemap: "inline",
  logLevel: "warning",
});
const bundles = tests.map((name) => `dist-test/${name.replace(/ts$/, "js")}`);
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...bundles], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
