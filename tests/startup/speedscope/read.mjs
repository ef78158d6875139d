// Reads profiles with speedscope's own importer, which its package holds in a bundle for browsers.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import vm from "node:vm";

const root = dirname(createRequire(import.meta.url).resolve("speedscope/package.json"));
const release = join(root, "dist", "release");
const bundle = readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
const code = readFileSync(join(release, bundle), "utf8");
const [, importer] = code.match(/"Importing as speedscope json file"\),(\w+)\(/);
const opened = `globalThis.importSpeedscope=(...given)=>${importer}(...given);`;
// Each module of the bundle is set up when it is first needed; here all that need no browser are.
const begun = code
  .replace("(()=>{", `(()=>{${opened}`)
  .replace(/var (\w+)=\(t,e\)=>\(\)=>\(t&&\(e=t\(t=0\)\),e\);/, (all, name) =>
    `var ${name}=(t,e)=>{const f=()=>(t&&(e=t(t=0)),e);(globalThis.modules??=[]).push(f);return f};`);
const context = vm.createContext({ console: { log() {}, error() {} }, setTimeout, clearTimeout });
try {
  vm.runInContext(begun, context);
} catch {
  // What draws needs a browser; the importer has been set up before.
}
for (const setUp of context.modules) {
  try {
    setUp();
  } catch {
    // As above.
  }
}
const read = process.argv.slice(2).map((file) => {
  const group = context.importSpeedscope(JSON.parse(readFileSync(file, "utf8")));
  return group.profiles.map((profile) => {
    const frames = [];
    profile.forEachFrame((frame) => {
      const { name, file, line } = frame;
      frames.push({ name, file, line, self: frame.getSelfWeight(), total: frame.getTotalWeight() });
    });
    return { name: profile.getName(), unit: profile.getWeightUnit(), total: profile.getTotalWeight(), frames };
  });
});
console.log(JSON.stringify(read));
