import { BatchedCalls } from '../../runtime/batched-calls.js';
import type { ApiKeyUse, CredentialStore, StoredApiKey } from '../../stores/credential-store/port.js';
import type { Clock } from '../../kernel/clock.js';

/**
 * Uses of a key within this time are stored as one, because only the last use matters, not how many there
 * were.
 */
const MILLISECONDS = 60_000;

/** What {@link KeyUses} depends on. */
export interface KeyUsesOptions {
  readonly store: Pick<CredentialStore, 'noteApiKeyUses'>;
  readonly clock: Clock;
  /** Called with the error when a use could not be stored. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Stores when keys were last used, to the minute, without delaying requests: concurrent uses share one write.
 */
export class KeyUses {
  private readonly writes = new BatchedCalls((uses: readonly ApiKeyUse[]) => this.write(uses));

  constructor(private readonly options: KeyUsesOptions) {}

  /** Notes that a key was used for authentication; the record was just read. */
  note({ digest, lastUsedAt }: Pick<StoredApiKey, 'digest' | 'lastUsedAt'>): void {
    const at = this.options.clock.now();
    if (lastUsedAt !== null && at - lastUsedAt < MILLISECONDS) return;
    // A store that cannot write, for instance on a full disk, must not keep people from reading.
    this.writes.call([{ digest, at }]).catch(this.options.onLost);
  }

  /** Resolves once every noted use is stored or lost. */
  idle(): Promise<void> {
    return this.writes.idle();
  }

  private async write(uses: readonly ApiKeyUse[]): Promise<readonly ApiKeyUse[]> {
    await this.options.store.noteApiKeyUses(uses);
    return uses;
  }
}
