import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotDeclaration } from '../../../kernel/decider.js';
import type { Vault } from '../../key-store/vault.js';
import type { EventLog } from '../event-log.js';
import { openSnapshot, unfinished, writeSnapshot, type SnapshotHeader } from './snapshot-file.js';
import { stateIn, stateLines } from './state-lines.js';

/** A stream, and how its states are kept. */
export interface KeptStream {
  readonly stream: string;
  readonly fold: SnapshotDeclaration;
}

/** A folded state with what else is known of the stream at that revision. */
export interface KeptState {
  readonly state: unknown;
  /** The last event that the state reflects. */
  readonly last: { readonly id: string; readonly revision: number; readonly position: number };
  /** The last commands that appended and where their events begin, oldest first. */
  readonly commands: readonly { readonly commandId: string; readonly revision: number }[];
}

/** Goes with a state, from one event to the next. */
export interface SnapshotMark {
  /** Named before anything of the state was read, so that what is erased meanwhile ends in no snapshot. */
  readonly keyId: string;
  /** Revision of the last snapshot that was made or tried; -1: none. */
  revision: number;
}

/** What {@link Snapshots} works with. */
export interface SnapshotsOptions {
  readonly directory: string;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly vault: Pick<Vault, 'snapshotKeyId' | 'snapshotKey' | 'obtainSnapshotKey'>;
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  /** Milliseconds since the UNIX epoch. */
  readonly now: () => number;
  /** How many events a snapshot is worth; {@link leastEvents} when absent. */
  readonly leastEvents?: number;
}

/** Where a process keeps its snapshots. */
export function snapshotsDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'snapshots');
}

/** Reading fewer events than this costs next to nothing. */
const leastEvents = 1000;

/** A snapshot is made anew when the stream has grown by this part: so all writing together stays in proportion to the log. */
const growth = 1 / 8;

/**
 * States of long streams, kept in files beside the log so that they need not be folded from the beginning after a start. They are
 * derived and never the truth: one that is missing, broken, of another log or of another version of the fold is passed over
 * and replaced, and removing any of them, at any time, costs one reading of the stream.
 *
 * States hold what people say of themselves, so they are sealed with a key that goes with any erased person's.
 */
export class Snapshots {
  private preparing: Promise<void> | null = null;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly options: SnapshotsOptions) {}

  /** Where folding a stream begins. To be called before anything of the stream is read. */
  async begin(kept: KeptStream): Promise<{ readonly kept: KeptState | null; readonly mark: SnapshotMark }> {
    const found = await this.find(kept);
    if (found === null) {
      return { kept: null, mark: { keyId: await this.options.vault.snapshotKeyId(), revision: -1 } };
    }
    const { state, header } = found;
    const { last, commands, keyId } = header;
    return { kept: { state, last, commands }, mark: { keyId, revision: last.revision } };
  }

  /** Keeps a state some time later, one after another, when enough happened since the last snapshot. Never fails. */
  offer(kept: KeptStream, state: KeptState, mark: SnapshotMark): void {
    const { revision } = state.last;
    const least = Math.max(this.options.leastEvents ?? leastEvents, revision * growth);
    if (this.isClosed || revision - mark.revision < least) return;
    mark.revision = revision;
    this.writing = this.writing.then(() => this.write(kept, state, mark.keyId));
  }

  /** Resolves when nothing is being written any more; nothing that is offered from now on is kept. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.writing;
  }

  private async find(
    kept: KeptStream,
  ): Promise<{ readonly state: unknown; readonly header: SnapshotHeader } | null> {
    const file = this.fileOf(kept);
    try {
      const snapshot = await openSnapshot(file);
      try {
        const { header } = snapshot;
        if (!(await this.isOfNow(header, kept))) return null;
        const key = await this.options.vault.snapshotKey(header.keyId);
        return key && { header, state: await stateIn(snapshot.lines(key)) };
      } finally {
        await snapshot.close();
      }
    } catch (error) {
      if (!isMissing(error)) this.options.logger.warn({ err: error, file }, 'A snapshot is passed over');
      return null;
    }
  }

  /** Whether the fold is the same, and the log has the event that the state ends with, at the same place. */
  private async isOfNow(header: SnapshotHeader, { stream, fold }: KeptStream): Promise<boolean> {
    if (header.fold !== fold.name || header.version !== fold.version || header.stream !== stream)
      return false;
    const { id, revision, position } = header.last;
    const [last] = await this.options.log.readStream(stream, { from: revision, limit: 1 });
    return last?.id === id && last.position === position;
  }

  private async write(kept: KeptStream, { state, last, commands }: KeptState, keyId: string): Promise<void> {
    const { vault, logger, now } = this.options;
    const { stream, fold } = kept;
    const file = this.fileOf(kept);
    if (this.isClosed) return;
    try {
      await (this.preparing ??= this.prepare());
      const key = await vault.obtainSnapshotKey(keyId);
      if (key === null) return;
      const facts = { fold: fold.name, version: fold.version, stream, writtenAt: now(), keyId };
      await writeSnapshot(
        file,
        { ...facts, last, commands: [...commands] },
        { key, lines: stateLines(state) },
      );
      logger.info({ fold: fold.name, stream, revision: last.revision }, 'Kept a snapshot');
    } catch (error) {
      this.preparing = null;
      logger.warn({ err: error, file }, 'A snapshot could not be kept');
    }
  }

  /** Makes the folder, and removes what a process that was killed did not finish. */
  private async prepare(): Promise<void> {
    const { directory } = this.options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const abandoned = (await readdir(directory)).filter((name) => name.endsWith(unfinished));
    for (const name of abandoned) await rm(join(directory, name), { force: true });
  }

  private fileOf({ stream, fold }: KeptStream): string {
    return join(this.options.directory, `${fold.name}.${encodeURIComponent(stream)}.snapshot`);
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
