import type { Directory } from '../directory/directory.js';
import { userOfHiddenEmail, visibleUser } from '../directory/email-visibility.js';
import type { Vault } from '../key-store/vault.js';
import type { User } from './user.js';

/** Finds accounts by e-mail address, in any case. Addresses are compared by a keyed digest: see the vault. */
export class EmailLookup {
  constructor(private readonly vault: Pick<Vault, 'emailDigest'>) {}

  find(directory: Directory, email: string): User | null {
    return directory.userByEmailDigest(this.digest(email));
  }

  /**
   * The account that somebody names by an address: by its own where they may know it, and by the one that stands for a hidden
   * one (specification, "User object", `email`).
   */
  findFor(viewer: User, directory: Directory, email: string): User | null {
    return userOfHiddenEmail(directory, email) ?? visibleUser(directory, this.find(directory, email), viewer);
  }

  /** What an address is claimed and found by. */
  digest(email: string): string {
    return this.vault.emailDigest(email);
  }
}
