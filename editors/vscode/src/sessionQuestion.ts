/** The question before a line runs without the names that only lines above it give. */

import * as vscode from "vscode";
import type { FaultData, RunParams } from "./protocol";

const FIRST = "Run What Gives Them First";
const ALONE = "Run the Line Alone";

/** What the person answers to a refusal for missing names; none for another refusal, or where nothing is to run. */
export async function answerTo(problem: unknown): Promise<RunParams["missing"]> {
  const data = dataOf(problem);
  if (!(problem instanceof Error) || !data?.missing) {
    return undefined;
  }
  const first = data.offer?.ranges.length ? [FIRST] : [];
  const chosen = await vscode.window.showWarningMessage(
    problem.message,
    { modal: true },
    ...first,
    ALONE,
  );
  switch (chosen) {
    case FIRST:
      return "first";
    case ALONE:
      return "run";
    default:
      return undefined;
  }
}

function dataOf(problem: unknown): FaultData | undefined {
  const carries = typeof problem === "object" && problem !== null && "data" in problem;
  return carries ? ((problem.data ?? undefined) as FaultData | undefined) : undefined;
}
