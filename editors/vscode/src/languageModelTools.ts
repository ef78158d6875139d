/** Tools for the editor's language models: the user confirms each run and sees its output. */

import * as vscode from "vscode";
import type { OutputParams, PollParams, RunParams, TaskResult } from "./protocol";
import type { Server } from "./server";
import type { TaskBook } from "./taskBook";
import { askToRead, askToReadLast, askToRun, askToStop, type Question } from "./toolQuestions";
import { NOT_TRUSTED } from "./trust";
import { titleHere } from "./titles";
import { t } from "./l10n";

/** The parameters of a run that a model may give; the extension sets all others. */
type RunInput = Pick<RunParams, "command"> &
  Partial<Pick<RunParams, "cwd" | "timeout" | "yield_after" | "stdin" | "description">>;
type PollInput = Pick<PollParams, "task_id" | "listen" | "until">;
type StopInput = Pick<PollParams, "task_id">;
type OutputInput = Pick<OutputParams, "task_id" | "from_line" | "to_line">;

interface Doing<Input> {
  /** The editor's progress message. */
  says(input: Input): string;
  /** The confirmation; none if the tool changes nothing and reads only the agent's own tasks. */
  asks(input: Input): Question | undefined;
  does(input: Input, token: vscode.CancellationToken): Promise<string>;
}

export function registerTools(server: Server, book: TaskBook): vscode.Disposable {
  return vscode.Disposable.from(
    tool("zsh_run", runTool(server, book)),
    tool("zsh_poll", pollTool(server, book)),
    tool("zsh_stop", stopTool(server, book)),
    tool("zsh_output", outputTool(server, book)),
  );
}

function runTool(server: Server, book: TaskBook): Doing<RunInput> {
  return {
    says: ({ command }) => `Running ${titleHere(command)}`,
    asks: askToRun,
    does: async (input, token) =>
      textOf(await server.request("zsh/run", asAgent(input), token), book),
  };
}

function pollTool(server: Server, book: TaskBook): Doing<PollInput> {
  return {
    says: ({ task_id }) => t("Waiting for {0}", commandOf(book, task_id)),
    asks: ({ task_id }) => askToRead(book.get(task_id)),
    does: async (input, token) =>
      textOf(await server.request("zsh/poll", asAgent(input), token), book),
  };
}

function stopTool(server: Server, book: TaskBook): Doing<StopInput> {
  return {
    says: ({ task_id }) => `Stopping ${commandOf(book, task_id)}`,
    asks: ({ task_id }) => askToStop(book.get(task_id)),
    does: async (input, token) => {
      const killed = await server.request("zsh/kill", asAgent(input), token);
      return [killed.output.trimEnd(), killed.message, killed.formatted_insight]
        .filter(Boolean)
        .join("\n");
    },
  };
}

function outputTool(server: Server, book: TaskBook): Doing<OutputInput> {
  return {
    says: () => t("Reading output"),
    asks: ({ task_id }) => (task_id ? askToRead(book.get(task_id)) : askToReadLast()),
    does: async (input, token) => {
      const page = await server.request("zsh/output", asAgent(input), token);
      const rest = page.more ? `\n(more: from_line=${(page.to_line ?? 0) + 1})` : "";
      return page.output.trimEnd() + rest;
    },
  };
}

function tool<Input>(name: string, doing: Doing<Input>): vscode.Disposable {
  return vscode.lm.registerTool<Input>(name, {
    prepareInvocation({ input }) {
      refuseUntrusted();
      const question = doing.asks(input);
      return {
        invocationMessage: doing.says(input),
        ...(question ? { confirmationMessages: shown(question) } : {}),
      };
    },
    async invoke({ input }, token) {
      refuseUntrusted();
      const text = await doing.does(input, token);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  });
}

/** The parameters with an agent's origin, so that known forms of secrets are masked. */
function asAgent<Input>(input: Input): Input & { origin: "agent" } {
  return { ...input, origin: "agent" };
}

/** The formatted text, which has the task's id, its exit statuses and how to continue. */
function textOf(result: TaskResult, book: TaskBook): string {
  book.answered(result);
  const hint = result.poll_meta?.suggestion;
  return [result.formatted, hint].filter(Boolean).join("\n");
}

function commandOf(book: TaskBook, id: string): string {
  return titleHere(book.get(id)?.command ?? `task ${id}`);
}

function shown({ title, texts, facts }: Question): vscode.LanguageModelToolConfirmationMessages {
  const message = new vscode.MarkdownString();
  for (const text of texts) {
    message.appendCodeblock(text, "shellscript");
  }
  message.appendText(facts.join(" · "));
  return { title, message };
}

function refuseUntrusted(): void {
  if (!vscode.workspace.isTrusted) {
    throw new Error(NOT_TRUSTED);
  }
}
