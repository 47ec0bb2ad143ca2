import { userInfo } from 'node:os';

/**
 * The operating system's account in whose name a command runs, for the record of what operators did. Behind `sudo` it is the one
 * that called it, with the one that it became.
 */
export function operatorAccount(): string {
  const account = accountName();
  const caller = process.env['SUDO_USER'];
  return caller === undefined || caller === account ? account : `${caller} (as ${account})`;
}

/** A container may run under a number that has no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
