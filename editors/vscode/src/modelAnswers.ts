/** What nobody here knows is asked of the editor's language model, where the person allows it. */

import * as vscode from "vscode";
import type { AnswerParams, AnswerReply } from "./protocol";
import { asksModel } from "./settings";

/** The model's reply to a question of `zsh/ask`; throws where there is no model, or it may not be asked. */
export async function modelAnswer(
  { prompt }: AnswerParams,
  token: vscode.CancellationToken,
): Promise<AnswerReply> {
  const [model] = asksModel() ? await vscode.lm.selectChatModels() : [];
  if (model === undefined) {
    throw new Error("No language model may be asked.");
  }
  const justification = "zsh-ls was asked a question that it cannot answer itself.";
  const asked = [vscode.LanguageModelChatMessage.User(prompt)];
  const reply = await model.sendRequest(asked, { justification }, token);
  let text = "";
  for await (const piece of reply.text) {
    text += piece;
  }
  return { text };
}
