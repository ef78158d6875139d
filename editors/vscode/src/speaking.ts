/** Whether what was started is a server this extension can speak with. Pure. */

import { protocolVersion, type ServerDeclaration } from "./protocol";

/** The part of an answer to `initialize` that is looked at. */
interface Initialized {
  capabilities: { experimental?: unknown };
}

/** What any server may declare, one of another version too. */
type Declared = Omit<ServerDeclaration, "version"> & { version: number };

/** What the server declares of itself; throws where it declares nothing, or another version. */
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
