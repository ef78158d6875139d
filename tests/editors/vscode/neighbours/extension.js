// What the extension meets in other people's editors: the Python extension's choice of an environment,
// and a language model. `neighbours.choose` changes the choice, `neighbours.asked` gives what the model was asked.
const vscode = require('vscode');

const chosen = new vscode.EventEmitter();
let python = process.env.ZSH_LS_TEST_PYTHON;
const asked = [];

const environments = {
  getActiveEnvironmentPath: () => ({ id: python, path: python }),
  resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
  onDidChangeActiveEnvironmentPath: chosen.event,
};

const model = {
  id: 'parrot',
  name: 'Parrot',
  family: 'parrot',
  version: '1',
  maxInputTokens: 100000,
  maxOutputTokens: 10000,
  isUserSelectable: true,
  capabilities: {},
};

const provider = {
  provideLanguageModelChatInformation: async () => [model],
  provideTokenCount: async () => 1,
  async provideLanguageModelChatResponse(_model, messages, _options, progress) {
    asked.push(messages.flatMap((it) => it.content.map((part) => part.value)).join('\n'));
    progress.report(new vscode.LanguageModelTextPart('[SUMMARY]\nKen Thompson, in 1971.\n\n'));
    progress.report(new vscode.LanguageModelTextPart('[DETAILS]\nIt came with the first Unix.'));
  },
};

exports.activate = (context) => {
  context.subscriptions.push(
    chosen,
    vscode.lm.registerLanguageModelChatProvider('zsh-ls-tests', provider),
    vscode.commands.registerCommand('neighbours.asked', () => asked),
    vscode.commands.registerCommand('neighbours.choose', (path) => {
      python = path;
      chosen.fire({ path });
    }),
  );
  return { environments };
};
