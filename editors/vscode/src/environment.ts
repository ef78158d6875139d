/** The environment of what the extension starts: the user's own, without the editor's additions. */

const OF_EDITOR = /^(ELECTRON_|VSCODE_(?!IPC_HOOK_CLI$)|CHROME_|APPLICATION_INSIGHTS_)/;

/** `environment` for a child process, without the variables that control the editor's own processes. */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment).filter(([name]) => !OF_EDITOR.test(name));
  return Object.fromEntries(entries);
}
