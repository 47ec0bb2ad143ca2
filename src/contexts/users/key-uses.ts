import { BatchedCalls } from '../../runtime/batched-calls.js';
import type { ApiKeyUse, CredentialStore, StoredApiKey } from '../../stores/credential-store/port.js';
import type { Clock } from '../../kernel/clock.js';

/** Uses of a key that are less far apart are kept as one: what it says of a person is how recently, not how often. */
const MILLISECONDS = 60_000;

/** What {@link KeyUses} works with. */
export interface KeyUsesOptions {
  readonly store: Pick<CredentialStore, 'noteApiKeyUses'>;
  readonly clock: Clock;
  /** Told what kept a use from being stored. */
  readonly onLost: (error: unknown) => void;
}

/** Keeps when keys were used last, within a minute, without a request waiting for it: uses that come together are one write. */
export class KeyUses {
  private readonly writes = new BatchedCalls((uses: readonly ApiKeyUse[]) => this.write(uses));

  constructor(private readonly options: KeyUsesOptions) {}

  /** Notes that somebody was let in by a key, whose record was just read. */
  note({ digest, lastUsedAt }: Pick<StoredApiKey, 'digest' | 'lastUsedAt'>): void {
    const at = this.options.clock.now();
    if (lastUsedAt !== null && at - lastUsedAt < MILLISECONDS) return;
    // A store that cannot write, for instance on a full disk, must not keep people from reading.
    this.writes.call([{ digest, at }]).catch(this.options.onLost);
  }

  /** Resolves once everything noted so far is stored or lost. */
  idle(): Promise<void> {
    return this.writes.idle();
  }

  private async write(uses: readonly ApiKeyUse[]): Promise<readonly ApiKeyUse[]> {
    await this.options.store.noteApiKeyUses(uses);
    return uses;
  }
}
