import { userInfo } from 'node:os';

/**
 * The operating system account that runs the command, for the record of operator commands. Under `sudo`: the calling account and the
 * account that it became.
 */
export function operatorAccount(): string {
  const account = accountName();
  const caller = process.env['SUDO_USER'];
  return caller === undefined || caller === account ? account : `${caller} (as ${account})`;
}

/** In a container, the user id may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
