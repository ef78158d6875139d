/** The HTML of an answer: what it says, and the commands it proposes with buttons. Pure. */

import type { ProposedCommand } from "./protocol";

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// A paragraph that is the name of a section and nothing else.
const MARK = /<p\b[^>]*><code>\[([A-Z]+)\]<\/code><\/p>/g;

const STYLE = `
body { max-width: 80ch; padding: 0 1.5em 2em; line-height: 1.5; }
h1 { font-size: 1.25em; font-weight: 600; }
code, pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
pre { padding: 0.6em 0.8em; overflow-x: auto; background: var(--vscode-textCodeBlock-background); }
code { color: var(--vscode-textPreformat-foreground); }
pre code { color: inherit; }
h2.mark { margin: 1.5em 0 0; font-size: 0.8em; font-weight: 400; letter-spacing: 0.05em;
  color: var(--vscode-descriptionForeground); }
table { border-collapse: collapse; }
td, th { padding: 0.2em 0.8em; border: 1px solid var(--vscode-widget-border, transparent); }
.command { display: flex; gap: 0.5em; align-items: center; margin: 0.5em 0; }
.command code { flex: 1; padding: 0.4em 0.8em; white-space: pre-wrap;
  background: var(--vscode-textCodeBlock-background); }
button { border: 0; padding: 0.3em 0.9em; cursor: pointer; font: inherit;
  color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
button:hover { background: var(--vscode-button-hoverBackground); }
button[data-does="copy"] { color: var(--vscode-button-secondaryForeground);
  background: var(--vscode-button-secondaryBackground); }
button:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
`;

const SCRIPT = `
const editor = acquireVsCodeApi();
for (const button of document.querySelectorAll("body > .commands button")) {
  button.addEventListener("click", () => {
    editor.postMessage({ does: button.dataset.does, at: Number(button.dataset.at) });
  });
}
`;

/** The words on the buttons. */
export interface Labels {
  run: string;
  runAsRoot: string;
  copy: string;
}

/** An answer's text without the commands at its end, which have buttons of their own below. */
export function withoutCommands(markdown: string, commands: readonly ProposedCommand[]): string {
  const at = markdown.lastIndexOf("`[COMMANDS]`");
  return commands.length > 0 && at >= 0 ? markdown.slice(0, at) : markdown;
}

/** An answer's text with what is done here in place of a command of the command line; `showOutput` is a title. */
export function inWordsOfTheEditor(markdown: string, showOutput: string): string {
  return markdown.replace(/`zsh-ls output [0-9a-f]{8}`/g, showOutput);
}

/** `body` is rendered Markdown. Nothing is loaded from anywhere, and no script runs but ours. */
export function pageOf(
  heading: string,
  body: string,
  commands: readonly ProposedCommand[],
  labels: Labels,
  nonce: string,
): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'none'`;
  const offered = commands.map((command, at) => rowOf(command, at, labels)).join("\n");
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(heading)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>${escaped(heading)}</h1>
<main>${body.replace(MARK, '<h2 class="mark">$1</h2>')}</main>
<div class="commands">${offered}</div>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>`;
}

function rowOf({ privilege, command }: ProposedCommand, at: number, labels: Labels): string {
  const run = privilege === "root" ? labels.runAsRoot : labels.run;
  return `<div class="command"><code>${escaped(command)}</code>
<button data-does="run" data-at="${at}">${escaped(run)}</button>
<button data-does="copy" data-at="${at}">${escaped(labels.copy)}</button></div>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
