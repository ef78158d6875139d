/** The environment of what the extension starts: the person's own, without what the editor put there. */

const OF_EDITOR = /^(ELECTRON_|VSCODE_(?!IPC_HOOK_CLI$)|CHROME_|APPLICATION_INSIGHTS_)/;

/** `environment` for a child; the variables that steer the editor's own processes are left out. */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment).filter(([name]) => !OF_EDITOR.test(name));
  return Object.fromEntries(entries);
}
