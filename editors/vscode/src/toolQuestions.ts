/** The confirmations shown before a language model may act on a task. Pure. */

import type { RunParams } from "./protocol";
import type { TaskRecord } from "./taskBook";
import { t } from "./l10n";

/** A confirmation: `texts` are quoted verbatim, `facts` are listed below them. */
export interface Question {
  title: string;
  texts: string[];
  facts: string[];
}

type RunWish = Pick<RunParams, "command" | "cwd" | "stdin" | "description">;

/** Shows everything that decides what is run, including the input of a shell that reads its commands. */
export function askToRun({ command, cwd, stdin, description }: RunWish): Question {
  const facts = [description, cwd && `in ${cwd}`, stdin && "fed with the second text"];
  return {
    title: t("Run in the shell?"),
    texts: stdin ? [command, stdin] : [command],
    facts: facts.filter((fact): fact is string => Boolean(fact)),
  };
}

/** An agent may read its own tasks; reading any other needs the user's consent. */
export function askToRead(record: TaskRecord | undefined): Question | undefined {
  return record?.origin === "agent"
    ? undefined
    : { title: t("Let it read this output?"), ...about(record) };
}

/** Only the server knows which task ended last, and who started it. */
export function askToReadLast(): Question {
  return {
    title: t("Let it read this output?"),
    texts: [],
    facts: [t("That of the last command that ended, whoever ran it.")],
  };
}

export function askToStop(record: TaskRecord | undefined): Question {
  return { title: t("Stop a task?"), ...about(record) };
}

function about(record: TaskRecord | undefined): Pick<Question, "texts" | "facts"> {
  return record
    ? { texts: [record.command], facts: [`${record.id} · ${record.origin}`] }
    : { texts: [], facts: ["A task that this window has not heard of."] };
}
