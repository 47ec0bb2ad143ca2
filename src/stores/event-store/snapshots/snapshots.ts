import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotDeclaration } from '../../../kernel/fold.js';
import type { Vault } from '../../key-store/vault.js';
import type { EventLog } from '../event-log.js';
import { openSnapshot, UNFINISHED, writeSnapshot, type SnapshotHeader } from './snapshot-file.js';
import { stateIn, stateLines } from './state-lines.js';

/** A stream and the declaration of its snapshots. */
interface SnapshotStream {
  readonly stream: string;
  readonly fold: SnapshotDeclaration;
}

/** A folded state, and what else is known of the stream at that revision. */
export interface SnapshotState {
  readonly state: unknown;
  /** The last event in the state. */
  readonly last: { readonly id: string; readonly revision: number; readonly position: number };
  /**
   * The last commands that appended to the stream, and the revisions of their first events, oldest first. Those before the latest 32
   * are only the ones that may be repeated.
   */
  readonly commands: readonly { readonly commandId: string; readonly revision: number }[];
}

/** Accompanies a state from one event to the next. */
export interface SnapshotMark {
  /** Determined before any event is read, so that nothing that is erased meanwhile gets into a snapshot. */
  readonly keyId: string;
  /** Revision of the last snapshot that was written or attempted; -1: none. */
  revision: number;
}

/** What {@link Snapshots} needs. */
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
  /** Minimum number of events between snapshots; absent: {@link MIN_EVENTS}. */
  readonly minEvents?: number;
}

/** The directory of a process's snapshots. */
export function snapshotsDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'snapshots');
}

/** Reading fewer events takes a negligible time. */
const MIN_EVENTS = 1000;

/** A new snapshot is written when the stream has grown by this factor, so that the total writing is proportional to the log. */
const GROWTH = 1 / 8;

/**
 * Stores states of long streams in files beside the log, so that they need not be folded from the beginning after a start. They are derived
 * data: a snapshot that is missing, broken, or of another log or another version of the fold is ignored and replaced. Removing any of them
 * costs one read of the stream.
 *
 * States contain personal data, so they are encrypted with a key that is destroyed when any person is erased.
 */
export class Snapshots {
  private preparing: Promise<void> | null = null;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly options: SnapshotsOptions) {}

  /** Where folding a stream begins. Must be called before any of its events are read. */
  async begin(
    kept: SnapshotStream,
  ): Promise<{ readonly kept: SnapshotState | null; readonly mark: SnapshotMark }> {
    const found = await this.find(kept);
    if (found === null) {
      return { kept: null, mark: { keyId: await this.options.vault.snapshotKeyId(), revision: -1 } };
    }
    const { state, header } = found;
    const { last, commands, keyId } = header;
    return { kept: { state, last, commands }, mark: { keyId, revision: last.revision } };
  }

  /** Stores a state in the background, one at a time, if enough events were added since the last snapshot. Never fails. */
  offer(kept: SnapshotStream, state: SnapshotState, mark: SnapshotMark): void {
    const { revision } = state.last;
    const min = Math.max(this.options.minEvents ?? MIN_EVENTS, revision * GROWTH);
    if (this.isClosed || revision - mark.revision < min) return;
    mark.revision = revision;
    this.writing = this.writing.then(() => this.write(kept, state, mark.keyId));
  }

  /** Resolves when no write is running. States offered after this are ignored. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.writing;
  }

  private async find(
    kept: SnapshotStream,
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

  /** Whether the fold is the same, and the log has the state's last event at the same place. */
  private async isOfNow(header: SnapshotHeader, { stream, fold }: SnapshotStream): Promise<boolean> {
    if (header.fold !== fold.name || header.version !== fold.version || header.stream !== stream)
      return false;
    const { id, revision, position } = header.last;
    const [last] = await this.options.log.readStream(stream, { from: revision, limit: 1 });
    return last?.id === id && last.position === position;
  }

  private async write(
    kept: SnapshotStream,
    { state, last, commands }: SnapshotState,
    keyId: string,
  ): Promise<void> {
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

  /** Creates the directory, and removes files that a killed process left unfinished. */
  private async prepare(): Promise<void> {
    const { directory } = this.options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const abandoned = (await readdir(directory)).filter((name) => name.endsWith(UNFINISHED));
    for (const name of abandoned) await rm(join(directory, name), { force: true });
  }

  private fileOf({ stream, fold }: SnapshotStream): string {
    return join(this.options.directory, `${fold.name}.${encodeURIComponent(stream)}.snapshot`);
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
