import { LRUCache } from 'lru-cache';
import type { Directory } from './directory.js';
import { userOfHiddenEmail, visibleUser } from './email-visibility.js';
import type { User } from './records/user.js';

/** Maximum number of cached digests: every request needs one, and most come from few people. */
const MAX_KNOWN = 2000;

/** Maximum number of characters of an address whose digest is cached; no account has a longer one. */
const MAX_KNOWN_LENGTH = 254;

/** Makes the keyed digests; the vault has the key. */
interface EmailDigests {
  emailDigest(email: string): string;
}

/** Finds accounts by e-mail address, in any case. Addresses are compared by a keyed digest: see the vault. */
export class EmailLookup {
  private readonly digests = new LRUCache<string, string>({ max: MAX_KNOWN });

  constructor(private readonly vault: EmailDigests) {}

  find(directory: Directory, email: string): User | null {
    return directory.findByEmailDigest(this.digest(email));
  }

  /**
   * The account for an address that another server vouches for; null if the account's address differs in more
   * than the case of ASCII letters. The digest also unifies characters that look alike (`ı` and `i`), and who
   * owns `mike@gıthub.com` must not get into the account of `mike@github.com`.
   */
  findIdentical(directory: Directory, email: string): User | null {
    const user = this.find(directory, email);
    return user !== null && asciiLower(user.email) === asciiLower(email.trim()) ? user : null;
  }

  /**
   * The account for an address in a request: by its own address, if the viewer may know that, or by the
   * address that replaces a hidden one.
   */
  findFor(viewer: User, directory: Directory, email: string): User | null {
    return userOfHiddenEmail(directory, email) ?? visibleUser(directory, this.find(directory, email), viewer);
  }

  /** The account for an id, or for an address as in {@link findFor}. */
  findByIdOrEmail(viewer: User, directory: Directory, whom: number | string): User | null {
    return typeof whom === 'number' ? directory.user(whom) : this.findFor(viewer, directory, whom);
  }

  /** The keyed digest by which addresses are compared. */
  digest(email: string): string {
    const known = this.digests.get(email);
    if (known !== undefined) return known;
    const digest = this.vault.emailDigest(email);
    if (email.length <= MAX_KNOWN_LENGTH) this.digests.set(email, digest);
    return digest;
  }
}

function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
