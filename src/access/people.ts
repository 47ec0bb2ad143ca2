import type { User } from './records/user.js';
import { NamedRecords } from './named-records.js';

/** Every account, active or not, indexed by id, name and address. */
export class People extends NamedRecords<User> {
  private readonly idByEmailDigest = new Map<string, number>();

  constructor() {
    super(({ fullName }) => fullName);
  }

  /** Finds an account by the keyed digest of its address (see the vault). */
  withEmailDigest(digest: string): User | null {
    const id = this.idByEmailDigest.get(digest);
    return id === undefined ? null : this.get(id);
  }

  override put(user: User): void {
    const before = this.get(user.id);
    super.put(user);
    if (before !== null) this.idByEmailDigest.delete(before.emailDigest);
    this.idByEmailDigest.set(user.emailDigest, user.id);
  }
}
