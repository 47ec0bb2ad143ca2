import {
  MAX_APPEND_BYTES,
  WrongExpectedRevisionError,
  type EventStore,
  type StoredEvent,
} from '../../stores/event-store/port.js';
import type { TagKey } from '../../stores/event-store/tags/event-tag.js';
import type { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import type { KeyStore, WrappedKey } from '../../stores/key-store/port.js';
import { ArrivingFiles } from './exported-files.js';
import {
  type ExportLines,
  ImportRefusedError,
  parseAny,
  type ExportedEvent,
  type ExportedKey,
} from './format.js';

/** Where an export is imported to. */
interface ImportTarget {
  readonly eventStore: EventStore;
  readonly keyStore: KeyStore;
  readonly files: EncryptedFiles;
  /** Events receive tags under this key in place of their former ones. */
  readonly tagKey: TagKey;
  /**
   * How many appends may be in flight at once without being reordered: 1 for a store that does not guarantee their
   * order.
   */
  readonly appendsAtOnce: number;
  /**
   * What to do when neither the export nor the key store has a key: refuse the import, or treat the content as erased.
   */
  readonly missingKeys: 'refuse' | 'erase';
  readonly onProgress: (events: number) => void;
}

/** What an import put into the log and the files. */
interface ImportOutcome {
  /** Number of events in the export. */
  readonly events: number;
  /** How many of them this import appended: the others were in the log before. */
  readonly added: number;
  readonly files: number;
}

/**
 * Imports a checked export into an empty log, or continues an interrupted import of the same export: what was already
 * imported is recognized by its ids.
 *
 * @throws ImportRefusedError
 */
export async function importLog(lines: ExportLines, target: ImportTarget): Promise<ImportOutcome> {
  const files = new ArrivingFiles(target.files);
  const keys = new ArrivingKeys(target);
  const end = await target.eventStore.head();
  const events = new ArrivingEvents({ ...target, end }, () => keys.store());
  for await (const text of lines()) {
    const line = parseAny(text);
    if (line === null || 'end' in line) continue;
    if ('key' in line) keys.take(line.key);
    else if ('file' in line) await files.take(line.file);
    else {
      keys.expect(line.event);
      await events.take(line.event);
    }
  }
  await events.finish();
  return { events: events.count, added: events.added, files: files.count };
}

/** Makes keys durable before the events that need them. */
class ArrivingKeys {
  private arrived: ExportedKey[] = [];
  private expected = new Set<string>();

  constructor(private readonly target: Pick<ImportTarget, 'keyStore' | 'missingKeys'>) {}

  take(key: ExportedKey): void {
    this.arrived.push(key);
  }

  expect({ metadata: { key } }: ExportedEvent): void {
    if (typeof key === 'string') this.expected.add(key);
  }

  async store(): Promise<void> {
    const { keyStore, missingKeys } = this.target;
    const [arrived, expected] = [this.arrived, this.expected];
    [this.arrived, this.expected] = [[], new Set()];
    const whole = arrived.flatMap(({ id, wrappedBy, wrapped }): WrappedKey[] =>
      wrapped === null ? [] : [{ id, wrappedBy, wrapped: Buffer.from(wrapped, 'base64') }],
    );
    const destroyed = arrived.flatMap(({ id, wrapped }) => (wrapped === null ? id : []));
    if (whole.length > 0) await keyStore.putIfAbsent(whole);
    if (destroyed.length > 0) await keyStore.destroy(destroyed);
    const known = await keyStore.get([...expected]);
    const missing = [...expected].filter((id) => !known.has(id));
    if (missing.length === 0) return;
    if (missingKeys === 'refuse') {
      throw new ImportRefusedError(
        'The key store lacks the keys of what people wrote: export with --keys, or let their content count as erased with --erase-without-keys.',
        'keys',
      );
    }
    await keyStore.destroy(missing);
  }
}

/** Maximum bytes of one append, with a reserve because the size is estimated. */
const MAX_BYTES = MAX_APPEND_BYTES / 2;

const MAX_EVENTS = 500;

/** Appends events in order, with as many appends in flight as the store allows. */
class ArrivingEvents {
  count = 0;
  added = 0;
  private run: ExportedEvent[] = [];
  private bytes = 0;
  private ready: (readonly ExportedEvent[])[] = [];

  constructor(
    /** `end`: position of the last event that was in the log before; null: it was empty. */
    private readonly target: ImportTarget & { readonly end: number | null },
    private readonly beforeAppending: () => Promise<void>,
  ) {}

  async take(event: ExportedEvent): Promise<void> {
    const size = JSON.stringify(event.data).length * 2;
    const first = this.run[0];
    const isFull = this.run.length >= MAX_EVENTS || this.bytes + size > MAX_BYTES;
    if (first !== undefined && (first.stream !== event.stream || isFull)) await this.close();
    this.run.push(event);
    this.bytes += size;
  }

  async finish(): Promise<void> {
    await this.close();
    await this.append();
  }

  private async close(): Promise<void> {
    if (this.run.length > 0) this.ready.push(this.run);
    this.run = [];
    this.bytes = 0;
    if (this.ready.length >= this.target.appendsAtOnce) await this.append();
  }

  private async append(): Promise<void> {
    const runs = this.ready;
    this.ready = [];
    await this.beforeAppending();
    await Promise.all(runs.map((run) => this.appendRun(run)));
    this.count += runs.reduce((sum, run) => sum + run.length, 0);
    this.target.onProgress(this.count);
  }

  private async appendRun(run: readonly ExportedEvent[]): Promise<void> {
    const { stream, revision } = run[0]!;
    const events = run.map((event) => taggedAnew(event, this.target.tagKey));
    try {
      const expected = revision === 0 ? 'no-stream' : revision - 1;
      const { position } = await this.target.eventStore.append(stream, expected, events);
      // The position of an append that was in the log already is its first one.
      if (this.target.end === null || position > this.target.end) this.added += run.length;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      throw new ImportRefusedError(
        `The log here is not empty, and its stream "${stream}" is not that of the export: import into an empty one.`,
      );
    }
  }
}

/** Replaces only the tag, so hashes and seals stay valid. */
function taggedAnew({ id, type, data, metadata, revision }: ExportedEvent, key: TagKey): StoredEvent {
  const hash = metadata['hash'] as string;
  return { id, type, data, metadata: { ...metadata, tag: key.tagOf({ hash, revision }) } };
}
