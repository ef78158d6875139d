/** What the person is asked before a language model may do something with a task. Pure. */

import type { RunParams } from "./protocol";
import type { TaskRecord } from "./taskBook";

/** A question: what it is about stands in `texts` as it is, `facts` below. */
export interface Question {
  title: string;
  texts: string[];
  facts: string[];
}

const READ = "Let it read this output?";

type RunWish = Pick<RunParams, "command" | "cwd" | "stdin" | "description">;

/** All that decides what is run is shown: a shell that is fed its commands is asked with them. */
export function askToRun({ command, cwd, stdin, description }: RunWish): Question {
  const facts = [description, cwd && `in ${cwd}`, stdin && "fed with the second text"];
  return {
    title: "Run in the shell?",
    texts: stdin ? [command, stdin] : [command],
    facts: facts.filter((fact): fact is string => Boolean(fact)),
  };
}

/** An agent reads its own tasks; what anybody else ran, the person lets it read, or not. */
export function askToRead(record: TaskRecord | undefined): Question | undefined {
  return record?.origin === "agent" ? undefined : { title: READ, ...about(record) };
}

/** Which task ended last, and whose it was, only the server knows. */
export function askToReadLast(): Question {
  return {
    title: READ,
    texts: [],
    facts: ["That of the last command that ended, whoever ran it."],
  };
}

export function askToStop(record: TaskRecord | undefined): Question {
  return { title: "Stop a task?", ...about(record) };
}

function about(record: TaskRecord | undefined): Pick<Question, "texts" | "facts"> {
  return record
    ? { texts: [record.command], facts: [`${record.id} · ${record.origin}`] }
    : { texts: [], facts: ["A task that this window has not heard of."] };
}
