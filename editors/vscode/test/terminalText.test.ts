import assert from "node:assert/strict";
import { test } from "node:test";
import { TerminalText } from "../src/terminalText";

const ESC = "\u001b";
const shown = (pieces: string[], bareNewlines = false): string => {
  const text = new TerminalText(bareNewlines);
  return pieces.map((piece) => text.text(Buffer.from(piece))).join("");
};

test("colours and cursor movements stay", () => {
  const text = `${ESC}[31mred${ESC}[0m\r50%${ESC}[2K${ESC}[1A${ESC}7${ESC}(B`;
  assert.equal(shown([text]), text);
});

test("strings to the terminal itself are taken out: titles, clipboard, shell integration, DCS, APC", () => {
  const strings = [
    `${ESC}]0;title\u0007`,
    `${ESC}]52;c;aGk=${ESC}\\`,
    `${ESC}]633;E;rm -rf${ESC}\\`,
    `${ESC}P+q544e${ESC}\\`,
    `${ESC}_G${ESC}\\`,
    `${ESC}^x${ESC}\\`,
    `${ESC}Xx${ESC}\\`,
    "\u009d0;title\u009c",
    "\u0090x\u009c",
  ];
  assert.equal(shown([strings.map((it) => `a${it}b`).join("")]), "ab".repeat(strings.length));
});

test("a string is taken out wherever the pieces break", () => {
  const text = `before${ESC}]52;c;aGk=${ESC}\\after${ESC}[1m`;
  for (let at = 0; at <= text.length; at++) {
    assert.equal(shown([text.slice(0, at), text.slice(at)]), `beforeafter${ESC}[1m`);
  }
});

test("a string that is never ended does not hide the colours of what follows its escape", () => {
  assert.equal(shown([`${ESC}]0;title${ESC}[31mred`]), `${ESC}[31mred`);
});

test("a character whose bytes come in two pieces is whole", () => {
  const bytes = Buffer.from("naïve 😀");
  for (let at = 0; at <= bytes.length; at++) {
    const text = new TerminalText(false);
    assert.equal(text.text(bytes.subarray(0, at)) + text.text(bytes.subarray(at)), "naïve 😀");
  }
});

test("newlines of a pipe get the carriage return a terminal would add; those of a terminal have it", () => {
  assert.equal(shown(["a\nb\n"], true), "a\r\nb\r\n");
  assert.equal(shown(["a\r\nb\n"]), "a\r\nb\n");
});
