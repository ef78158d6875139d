import assert from "node:assert/strict";
import { test } from "node:test";
import { inWordsOfTheEditor, pageOf, withoutCommands } from "../src/answerPage";

const LABELS = { run: "Run", runAsRoot: "Run as root", copy: "Copy" };

test("a page has the answer, its commands with buttons, and a policy that lets nothing else in", () => {
  const commands = [{ privilege: "root" as const, command: "rm '<b>'" }];
  const body = '<p data-line="0"><code>[SUMMARY]</code></p><p><code>(exit 2)</code> failed</p>';
  const page = pageOf("why & how", body, commands, LABELS, "n0nce");
  assert.match(page, /<h1>why &amp; how<\/h1>/);
  assert.match(page, /<h2 class="mark">SUMMARY<\/h2><p><code>\(exit 2\)<\/code> failed/);
  assert.match(
    page,
    /<code>rm &#39;&lt;b&gt;&#39;<\/code>\s*<button data-does="run" data-at="0">Run as root/,
  );
  assert.match(page, /default-src 'none'; style-src 'nonce-n0nce'; script-src 'nonce-n0nce'/);
});

test("the commands stand once, with their buttons", () => {
  const markdown = "`[SUMMARY]`\n\nx\n\n`[COMMANDS]`\n\n```\n$ ls\n```\n";
  const commands = [{ privilege: "user" as const, command: "ls" }];
  assert.equal(withoutCommands(markdown, commands), "`[SUMMARY]`\n\nx\n\n");
  assert.equal(withoutCommands(markdown, []), markdown);
});

test("an answer says what is done here, not at a terminal", () => {
  const markdown =
    "- All that it printed: `zsh-ls output a52d530a`\n- It printed: `zsh-ls output`\n";
  assert.equal(
    inWordsOfTheEditor(markdown, "Show It"),
    "- All that it printed: Show It\n- It printed: `zsh-ls output`\n",
  );
});
