/** Words for people in the editor's language: the English ones are the keys of l10n/. Without an editor they stay. */

type Translate = (message: string, ...values: (string | number)[]) => string;

let translate: Translate = filled;

/** Lets the editor translate from now on. */
export function translateBy(other: Translate): void {
  translate = other;
}

/** A text for people, with `{0}`, `{1}` … filled in. */
export function t(message: string, ...values: (string | number)[]): string {
  return translate(message, ...values);
}

function filled(message: string, ...values: (string | number)[]): string {
  return message.replace(/\{(\d+)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
}
