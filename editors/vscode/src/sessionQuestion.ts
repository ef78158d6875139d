/** The question before a line runs without the names that only lines above it give. */

import * as vscode from "vscode";
import type { FaultData, RunParams } from "./protocol";
import { t } from "./l10n";

/** What the person answers to a refusal for missing names; none for another refusal, or where nothing is to run. */
export async function answerTo(problem: unknown): Promise<RunParams["missing"]> {
  const data = dataOf(problem);
  if (!(problem instanceof Error) || !data?.missing) {
    return undefined;
  }
  const before = t("Run What Gives Them First");
  const alone = t("Run the Line Alone");
  const first = data.offer?.ranges.length ? [before] : [];
  const chosen = await vscode.window.showWarningMessage(
    problem.message,
    { modal: true },
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

function dataOf(problem: unknown): FaultData | undefined {
  const carries = typeof problem === "object" && problem !== null && "data" in problem;
  return carries ? ((problem.data ?? undefined) as FaultData | undefined) : undefined;
}
