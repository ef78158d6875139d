/** The question before a line runs without the names that only lines above it give. */

import * as vscode from "vscode";
import type { FaultData, Offer, RunParams } from "./protocol";
import { t } from "./l10n";

const MOST_LINES = 8;

/**
 * What the person answers to a refusal for missing names of a line in `document`; none for another
 * refusal, or where nothing is to run.
 */
export async function answerTo(
  problem: unknown,
  document: string | undefined,
): Promise<RunParams["missing"]> {
  const data = dataOf(problem);
  if (!(problem instanceof Error) || !data?.missing) {
    return undefined;
  }
  const before = t("Run What Gives Them First");
  const alone = t("Run the Line Alone");
  const first = data.offer?.ranges.length ? [before] : [];
  const chosen = await vscode.window.showWarningMessage(
    problem.message,
    { modal: true, detail: offered(data.offer, document) },
    ...first,
    alone,
  );
  switch (chosen) {
    case before:
      return "first";
    case alone:
      return "run";
    default:
      return undefined;
  }
}

/** From the first command that would run first to the last. */
export function offeredRange(problem: unknown): Offer["ranges"][number] | undefined {
  const ranges = dataOf(problem)?.offer?.ranges ?? [];
  const [first, last] = [ranges[0], ranges.at(-1)];
  return first && last && { start: first.start, end: last.end };
}

/** The lines that would run first, to be seen before they do. */
function offered(offer: Offer | undefined, uri: string | undefined): string {
  const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri);
  const lines = (offer?.ranges ?? []).flatMap(({ start, end }) => {
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    return (document?.getText(range) ?? "")
      .split("\n")
      .map((text, at) => `${start.line + at + 1}: ${text}`);
  });
  return [...lines.slice(0, MOST_LINES), ...(lines.length > MOST_LINES ? ["…"] : [])].join("\n");
}

function dataOf(problem: unknown): FaultData | undefined {
  const carries = typeof problem === "object" && problem !== null && "data" in problem;
  return carries ? ((problem.data ?? undefined) as FaultData | undefined) : undefined;
}
