import { lockDataDirectory } from '../node/data-directory-lock.js';
import { rotateServerKey } from '../operations/rotate-server-key.js';
import { reachable } from './with-stores.js';
import { exitCodes, type CommandAction } from './command.js';

/** What `palimpsest owner rotate-server-key` does. */
export const rotateKey: CommandAction<object> = async (_parameters, { configuration, terminal }) => {
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const progress = terminal.progress('Wrapping keys anew', null);
    const keys = await rotateServerKey({
      configuration: await reachable(configuration),
      at: Date.now(),
      onProgress: (count) => progress.set(count),
    });
    progress.end();
    const message = `${configuration.serverKeyFile} is new, and ${keys} keys are wrapped under it: make a backup now, since those made before need the old one.`;
    await terminal.print(terminal.json ? JSON.stringify({ message, keys }) : message);
    return exitCodes.done;
  } finally {
    lock.release();
  }
};
