/** Whether a started program is a server that this extension can talk to. Pure. */

import { protocolVersion, type ServerDeclaration } from "./protocol";

/** The part of an answer to `initialize` that is checked. */
interface Initialized {
  capabilities: { experimental?: unknown };
}

/** What a server may declare, including one of another version. */
type Declared = Omit<ServerDeclaration, "version"> & { version: number };

/** The server's declaration; throws if there is none, or if it is of another version. */
export function declarationOf(answered: Initialized | undefined): Declared {
  const experimental = answered?.capabilities.experimental as
    { zshLs?: Declared } | null | undefined;
  const declared = experimental?.zshLs;
  if (declared === undefined) {
    throw new Error("What was started is another language server than zsh-ls.");
  }
  if (declared.version !== protocolVersion) {
    const [theirs, ours] = [declared.version, protocolVersion];
    throw new Error(
      `The server speaks version ${theirs} of the wire, this extension version ${ours}: update the older of them.`,
    );
  }
  return declared;
}
