/** Passes questions without an answer to the editor's language model, once the user has allowed that model. */

import * as vscode from "vscode";
import type { AnswerParams, AnswerReply } from "./protocol";
import { asksModel } from "./settings";
import { t } from "./l10n";

const ALLOWED = "models.allowed";
const JUSTIFICATION = "zsh-ls was asked a question that it cannot answer itself.";

export class ModelAnswers {
  /** `kept` stores which models the user has allowed. */
  constructor(private readonly kept: vscode.Memento) {}

  /** The model's reply to a question of `zsh/ask`; throws if there is no model, or it is not allowed. */
  readonly reply = async (
    { query, prompt }: AnswerParams,
    token: vscode.CancellationToken,
  ): Promise<AnswerReply> => {
    const [model] = asksModel() ? await vscode.lm.selectChatModels() : [];
    if (!model || !(await this.isAllowed(model, query)) || token.isCancellationRequested) {
      throw new Error(t("No language model may be asked."));
    }
    const asked = [vscode.LanguageModelChatMessage.User(prompt)];
    const reply = await model.sendRequest(asked, { justification: JUSTIFICATION }, token);
    let text = "";
    for await (const piece of reply.text) {
      text += piece;
    }
    return { text };
  };

  /** Asks the user the first time; the editor itself asks only for some models. */
  private async isAllowed(model: vscode.LanguageModelChat, query: string): Promise<boolean> {
    const name = `${model.vendor}/${model.family}`;
    const allowed = this.kept.get<string[]>(ALLOWED, []);
    if (allowed.includes(name)) {
      return true;
    }
    const detail = `${query}\n\n${t("zsh-ls cannot answer this itself. No more than the question is sent, now and later.")}`;
    const question = t("Let zsh-ls ask the language model {0}?", model.name);
    const chosen = await vscode.window.showInformationMessage(
      question,
      { modal: true, detail },
      t("Allow"),
    );
    if (chosen === t("Allow")) {
      await this.kept.update(ALLOWED, [...allowed, name]);
    }
    return chosen === t("Allow");
  }
}
