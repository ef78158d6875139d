/** Splits what a person types as arguments, as a shell would: quotes and backslashes, nothing expanded. Pure. */

const PART = /'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)|(\s+)|([^\s'"\\]+)|\\$/gs;

/** The words of a text. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, single, double, escaped, space, plain] of text.matchAll(PART)) {
    if (space !== undefined) {
      words.push(...(word === undefined ? [] : [word]));
      word = undefined;
    } else {
      const inner = double?.replace(/\\(["\\$`])/g, "$1");
      word = (word ?? "") + (single ?? inner ?? escaped ?? plain ?? "");
    }
  }
  return word === undefined ? words : [...words, word];
}
