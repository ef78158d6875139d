// The tests' hand inside the extension host: a line of JSON on a private socket asks for one thing
// of VS Code's API, a line of JSON answers. {"do": name, "with": [...]} -> {"is": ...} | {"failed": ...}
const net = require('node:net');
const vscode = require('vscode');

const uri = (path) => vscode.Uri.file(path);
const position = ([line, character]) => new vscode.Position(line, character);
const range = ([from, to]) => new vscode.Range(position(from), position(to));
const provide = (kind, ...args) => vscode.commands.executeCommand(`vscode.execute${kind}Provider`, ...args);

// An argument of a command that JSON has no form for: {"$uri": path}, {"$range": [[0, 0], [1, 0]]}.
function revived(value) {
  if (value?.$uri) return uri(value.$uri);
  if (value?.$range) return range(value.$range);
  return value;
}

const words = (content) => (typeof content === 'string' ? content : content.value);
const severities = ['error', 'warning', 'information', 'hint'];

const does = {
  process: () => process.pid,
  version: () => vscode.version,
  trusted: () => vscode.workspace.isTrusted,
  async open(path) {
    const document = await vscode.workspace.openTextDocument(uri(path));
    await vscode.window.showTextDocument(document);
    return { language: document.languageId, text: document.getText() };
  },
  // A document of a scheme of its own, as those that lie elsewhere have.
  async elsewhere(where, text) {
    const place = vscode.Uri.parse(where);
    vscode.workspace.registerTextDocumentContentProvider(place.scheme, { provideTextDocumentContent: () => text });
    const document = await vscode.workspace.openTextDocument(place);
    await vscode.window.showTextDocument(document);
    return document.languageId;
  },
  text: async (path) => (await vscode.workspace.openTextDocument(uri(path))).getText(),
  read: async (where) => (await vscode.workspace.openTextDocument(vscode.Uri.parse(where))).getText(),
  async replace(path, where, text) {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri(path), range(where), text);
    await vscode.workspace.applyEdit(edit);
  },
  // Until the window itself says so: what it had to say of a document just opened comes later otherwise,
  // and puts the cursor back to where it was.
  async select(from, to) {
    const editor = vscode.window.activeTextEditor;
    // Beyond the end of a line there is nothing to select.
    const [anchor, active] = [from, to].map((it) => editor.document.validatePosition(position(it)));
    const wanted = new vscode.Selection(anchor, active);
    if (editor.selection.isEqual(wanted)) return;
    await new Promise((resolve) => {
      const listener = vscode.window.onDidChangeTextEditorSelection(({ selections }) => {
        if (!selections[0].isEqual(wanted)) return;
        listener.dispose();
        resolve();
      });
      editor.selection = wanted;
    });
  },
  selected: () => {
    const { start, end } = vscode.window.activeTextEditor.selection;
    return [[start.line, start.character], [end.line, end.character]];
  },
  async tidy() {
    // What an edit has changed is opened a moment later where it is in no editor, and asks when it is closed.
    for (const changed of vscode.workspace.textDocuments.filter((it) => it.isDirty && !it.isUntitled)) {
      await vscode.window.showTextDocument(changed);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    for (const name of ['closeQuickOpen', 'closeAllEditors', 'editorLayoutSingle', 'closePanel']) {
      await vscode.commands.executeCommand(`workbench.action.${name}`);
    }
    await vscode.commands.executeCommand('workbench.view.explorer');
    vscode.window.terminals.forEach((it) => it.dispose());
    await vscode.commands.executeCommand('notifications.clearAll');
  },
  // The names at the other ends of the calls of a function: who calls it, and what it calls.
  async calls(path, at) {
    const [item] = await vscode.commands.executeCommand('vscode.prepareCallHierarchy', uri(path), position(at));
    if (!item) return null;
    const ends = (direction) => vscode.commands.executeCommand(`vscode.provide${direction}Calls`, item);
    const [incoming, outgoing] = await Promise.all([ends('Incoming'), ends('Outgoing')]);
    return { from: incoming.map((it) => it.from.name), to: outgoing.map((it) => it.to.name) };
  },
  diagnostics: (path) =>
    vscode.languages.getDiagnostics(uri(path)).map((it) => ({
      message: it.message,
      source: it.source,
      code: it.code?.value ?? it.code,
      page: it.code?.target?.toString(),
      severity: severities[it.severity],
      from: [it.range.start.line, it.range.start.character],
      to: [it.range.end.line, it.range.end.character],
    })),
  hover: async (path, at) =>
    (await provide('Hover', uri(path), position(at))).flatMap((it) => it.contents.map(words)),
  lenses: async (path) =>
    (await provide('CodeLens', uri(path), 100)).map((it) => ({
      line: it.range.start.line,
      title: it.command?.title,
      command: it.command?.command,
      args: it.command?.arguments,
    })),
  hints: async (path) =>
    (await provide('InlayHint', uri(path), range([[0, 0], [10000, 0]]))).map((it) => ({
      line: it.position.line,
      label: typeof it.label === 'string' ? it.label : it.label.map((part) => part.value).join(''),
    })),
  actions: async (path, where) =>
    (await provide('CodeAction', uri(path), range(where))).map((it) => ({
      title: it.title,
      kind: it.kind?.value,
      command: it.command?.command ?? it.command,
    })),
  async act(path, where, title) {
    const found = (await provide('CodeAction', uri(path), range(where))).find((it) => it.title === title);
    if (found.edit) await vscode.workspace.applyEdit(found.edit);
    const { command, arguments: args = [] } = found.command ?? {};
    return command ? vscode.commands.executeCommand(command, ...args) : null;
  },
  // The links of the document that is shown, once it is one of the extension's own pages.
  async links() {
    const { document } = vscode.window.activeTextEditor ?? {};
    if (document?.uri.scheme !== 'zsh-ls') return [];
    const found = await provide('Link', document.uri);
    return found.map((it) => [document.getText(it.range), it.target.fsPath, it.target.fragment]);
  },
  links_of: async (path) =>
    (await provide('Link', uri(path))).map((it) => [it.range.start.line, it.target?.fsPath]),
  definition: async (path, at) =>
    (await provide('Definition', uri(path), position(at))).map((it) => [
      (it.targetUri ?? it.uri).fsPath,
      (it.targetRange ?? it.range).start.line,
    ]),
  workspace_symbols: async (query) =>
    (await provide('WorkspaceSymbol', query)).map((it) => [it.name, it.location.uri.fsPath]),
  // Formats a document; false until somebody can.
  async formatted(path) {
    const edits = await provide('FormatDocument', uri(path), { tabSize: 4, insertSpaces: true });
    if (!edits?.length) return false;
    const edit = new vscode.WorkspaceEdit();
    edit.set(uri(path), edits);
    return vscode.workspace.applyEdit(edit);
  },
  // The same for a part of it, whose other lines stay as they are.
  async formatted_range(path, where) {
    const edits = await provide('FormatRange', uri(path), range(where), { tabSize: 4, insertSpaces: true });
    if (!edits?.length) return false;
    const edit = new vscode.WorkspaceEdit();
    edit.set(uri(path), edits);
    return vscode.workspace.applyEdit(edit);
  },
  folds: async (path) =>
    (await vscode.commands.executeCommand('vscode.executeFoldingRangeProvider', uri(path))).map((it) => [
      it.start,
      it.end,
    ]),
  symbols: async (path) => (await provide('DocumentSymbol', uri(path))).map((it) => it.name),
  completions: async (path, at) =>
    (await provide('CompletionItem', uri(path), position(at))).items.map((it) => it.label?.label ?? it.label),
  command: (name, ...args) => vscode.commands.executeCommand(name, ...args.map(revived)),
  commands: async (prefix) => (await vscode.commands.getCommands(true)).filter((it) => it.startsWith(prefix)),
  extension(id) {
    const found = vscode.extensions.getExtension(id);
    return found && { active: found.isActive, manifest: found.packageJSON };
  },
  configure: (name, value) =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global),
  setting: (name) => vscode.workspace.getConfiguration().get(name),
  tasks: async (type) => (await vscode.tasks.fetchTasks({ type })).map((it) => it.name),
  task: async (type, name) => ended(await vscode.tasks.fetchTasks({ type }), name),
  tools: (prefix) => vscode.lm.tools.map((it) => it.name).filter((it) => it.startsWith(prefix)),
  tool: async (name, input) =>
    (await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined })).content.map(words),
  clipboard: () => vscode.env.clipboard.readText(),
  terminals: () => vscode.window.terminals.map((it) => it.name),
  // Lines typed one after the other into a terminal of this shell, until each has ended there. Terminals
  // that are closed meanwhile end what they were told of as well, and a shell may tell of its own start.
  async typed(shellPath, cwd, lines) {
    const terminal = vscode.window.createTerminal({ shellPath, cwd });
    const listeners = [];
    const integrated = new Promise((resolve) => {
      listeners.push(vscode.window.onDidChangeTerminalShellIntegration((it) => it.terminal === terminal && resolve()));
    });
    terminal.show();
    await integrated;
    const ended = [];
    for (const line of lines) {
      const end = new Promise((resolve) => {
        listeners.push(
          vscode.window.onDidEndTerminalShellExecution((it) => {
            if (it.terminal === terminal && it.exitCode !== undefined) resolve(it.exitCode);
          }),
        );
      });
      terminal.sendText(line);
      ended.push(await end);
    }
    listeners.forEach((it) => it.dispose());
    return ended;
  },
};

// The end of a task: a custom execution has no process, so its exit may be unknown.
async function ended(tasks, name) {
  const task = tasks.find((it) => it.name === name);
  if (!task) throw new Error(`no task ${name} among ${tasks.map((it) => it.name)}`);
  const listeners = [];
  let exit;
  const end = new Promise((resolve) => {
    listeners.push(vscode.tasks.onDidEndTaskProcess((it) => it.execution.task.name === name && (exit = it.exitCode)));
    listeners.push(vscode.tasks.onDidEndTask((it) => it.execution.task.name === name && resolve()));
  });
  await vscode.tasks.executeTask(task);
  await end;
  listeners.forEach((it) => it.dispose());
  return { exit };
}

async function answer(line) {
  const asked = JSON.parse(line);
  try {
    const is = await does[asked.do](...(asked.with ?? []));
    return JSON.stringify({ is: is ?? null });
  } catch (failure) {
    return JSON.stringify({ failed: String(failure?.message ?? failure) });
  }
}

function listen(connection) {
  let unread = '';
  connection.on('data', async (piece) => {
    unread += piece;
    const end = unread.indexOf('\n');
    if (end < 0) return;
    const line = unread.slice(0, end);
    unread = unread.slice(end + 1);
    connection.write(`${await answer(line)}\n`);
  });
  connection.on('error', () => {});
}

exports.activate = (context) => {
  const server = net.createServer(listen);
  const socket = process.env.ZSH_LS_HOST_SOCKET;
  // The window before a reload may still be there, and listen.
  server.on('error', () => setTimeout(() => server.listen(socket), 100));
  server.listen(socket);
  context.subscriptions.push({ dispose: () => server.close() });
};
