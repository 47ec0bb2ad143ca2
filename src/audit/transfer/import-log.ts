import { verifyEventHash } from '../../stores/event-store/event-hash.js';
import {
  MAX_APPEND_BYTES,
  WrongExpectedRevisionError,
  type EventStore,
  type PersistedEvent,
  type StoredEvent,
} from '../../stores/event-store/port.js';
import type { TagKey } from '../../stores/event-store/tags/event-tag.js';
import { EventTags } from '../../stores/event-store/tags/event-tags.js';
import type { SealedFiles } from '../../stores/file-store/sealed-files.js';
import type { KeyStore, WrappedKey } from '../../stores/key-store/port.js';
import { TaggingStarted, tagsStream } from '../../events/audit.js';
import { MerkleFrontier } from '../../stores/event-store/merkle/frontier.js';
import { leafOf } from '../../stores/event-store/merkle/leaf.js';
import { isSigned } from '../sealing/signed-tree-head.js';
import { SealChain } from '../verification/seal-chain.js';
import { ArrivingFiles, CheckedFiles } from './exported-files.js';
import {
  headerSchema,
  lineSchema,
  type ExportedEvent,
  type ExportedKey,
  type ExportHeader,
  type ExportLine,
} from './format.js';
import { OperatorError } from '../../kernel/operator-error.js';

/** What was given is no sound export, or does not fit here. The message is a sentence for the operator. */
export class ImportRefusedError extends OperatorError {
  override readonly name = 'ImportRefusedError';
}

/** The lines of an export, readable as often as is asked. */
export type ExportLines = () => AsyncIterable<string>;

/** How an export is checked. */
export interface CheckOptions {
  /**
   * What the exporting server tagged events under, by whose keys that is known; null: whoever imports vouches for the export, and
   * tags are not looked at.
   */
  readonly tagKeys: readonly TagKey[] | null;
  readonly onProgress: (events: number) => void;
}

/** What a check of an export found. */
export interface CheckedExport {
  readonly header: ExportHeader;
  /** Ids of the keys that the exporting server tagged events under; empty: it did not. */
  readonly tagKeys: readonly string[];
  readonly size: number;
  /** Hexadecimal. */
  readonly root: string;
  readonly firstId: string;
}

/**
 * Reads a whole export before anything of it is taken over: every event's hash and tag, the revisions, and that all events come to
 * what was signed.
 *
 * @throws ImportRefusedError
 */
export async function checkExport(lines: ExportLines, options: CheckOptions): Promise<CheckedExport> {
  const { onProgress } = options;
  const sourceTags = new SourceTags(options.tagKeys);
  const seals = new SealChain([]);
  const files = new CheckedFiles();
  const tree = MerkleFrontier.empty();
  const revisions = new Map<string, number>();
  let header: ExportHeader | null = null;
  let firstId: string | null = null;
  let isWhole = false;
  for await (const text of lines()) {
    if (header === null) {
      header = parseHeader(text);
      continue;
    }
    const line = parseLine(text, tree.size);
    if (isWhole) throw new ImportRefusedError('Something follows the end of the export.');
    const fault = 'file' in line ? files.take(line.file) : files.rest();
    if (fault !== null) throw new ImportRefusedError(`The export is damaged: ${fault}.`);
    if ('end' in line) {
      isWhole = true;
      const { claim } = line.end.statement;
      if (
        !isSigned(line.end.statement) ||
        claim.size !== tree.size ||
        claim.root !== tree.root().toString('hex')
      ) {
        throw new ImportRefusedError('The events are not those that the end of the export vouches for.');
      }
    } else if ('event' in line) {
      const { event } = line;
      checkEvent(event, revisions);
      sourceTags.check(event, tree.size);
      checkSeal(event, seals);
      firstId ??= event.id;
      tree.append(leafOf(event));
      onProgress(tree.size);
    }
  }
  if (header === null || !isWhole) throw new ImportRefusedError('The export has no end: it was cut off.');
  sourceTags.end();
  if (firstId === null) throw new ImportRefusedError('The export holds no events.');
  const { ids: tagKeys } = sourceTags;
  return { header, size: tree.size, root: tree.root().toString('hex'), firstId, tagKeys };
}

/** The tags of an export, as its own events say from where they stand. */
class SourceTags {
  readonly ids: string[] = [];
  private readonly tags: EventTags | null;
  private isKnown = false;

  constructor(private readonly keys: readonly TagKey[] | null) {
    const [first] = keys ?? [];
    this.tags = first === undefined ? null : new EventTags(first);
  }

  /** @throws ImportRefusedError */
  check(exported: ExportedEvent, index: number): void {
    const event = { ...exported, position: index + 1 };
    if (event.stream === tagsStream) this.begin(event);
    if (this.tags?.isGenuine(event) === false) {
      throw new ImportRefusedError(
        `${event.stream}@${event.revision} (${event.id}) does not carry the tag of the server that the export comes from: somebody else wrote it.`,
      );
    }
  }

  private begin(event: PersistedEvent): void {
    const { success, data } = TaggingStarted.schema.safeParse(event.data);
    if (event.type !== TaggingStarted.type || !success) return;
    this.ids.push(data.key);
    // Of keys that were changed since, the stretch before is vouched for by the seals that the known one tags.
    const key = this.keys?.find(({ id }) => id === data.key);
    if (key === undefined) return;
    this.isKnown = true;
    this.tags?.begin({ from: event.position, key });
  }

  /** @throws ImportRefusedError where there are tags, and none of the keys made them */
  end(): void {
    if (this.keys === null || this.ids.length === 0 || this.isKnown) return;
    throw new ImportRefusedError(
      'The events of the export carry tags of the server that it comes from, and its key is not here: copy its server.key here first, or name it with --source-key. Where it is not to be had, --without-checking-tags (or --erase-without-keys, where keys are not to be had either) says that you vouch for the export.',
    );
  }
}

/** Where an export goes. */
export interface ImportTarget {
  readonly eventStore: EventStore;
  readonly keyStore: KeyStore;
  readonly files: SealedFiles;
  /** Events get tags under this key in place of those that they came with. */
  readonly tagKey: TagKey;
  /** How many appends may be under way at once without changing places: 1 where a store promises no order among them. */
  readonly appendsAtOnce: number;
  /** What to do where neither the export nor the key store has a key: refuse, or let the content count as erased. */
  readonly missingKeys: 'refuse' | 'erase';
  readonly onProgress: (events: number) => void;
}

/**
 * Takes a checked export over into an empty log, or goes on with an import of the same export that was interrupted: what is
 * there already is recognised by its ids.
 *
 * @returns how many events and files there are
 * @throws ImportRefusedError
 */
export async function importLog(
  lines: ExportLines,
  target: ImportTarget,
): Promise<{ readonly events: number; readonly files: number }> {
  const files = new ArrivingFiles(target.files);
  const keys = new ArrivingKeys(target);
  const events = new ArrivingEvents(target, () => keys.settle());
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
  return { events: events.count, files: files.count };
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

  async settle(): Promise<void> {
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
      );
    }
    await keyStore.destroy(missing);
  }
}

/** Data of one append, with room for what the estimate leaves out. */
const MOST_BYTES = MAX_APPEND_BYTES / 2;
const MOST_EVENTS = 500;

/** Appends events in their order, as many as can be at once. */
class ArrivingEvents {
  count = 0;
  private run: ExportedEvent[] = [];
  private bytes = 0;
  private ready: (readonly ExportedEvent[])[] = [];

  constructor(
    private readonly target: ImportTarget,
    private readonly beforeAppending: () => Promise<void>,
  ) {}

  async take(event: ExportedEvent): Promise<void> {
    const size = JSON.stringify(event.data).length * 2;
    const first = this.run[0];
    const isFull = this.run.length >= MOST_EVENTS || this.bytes + size > MOST_BYTES;
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
      await this.target.eventStore.append(stream, revision === 0 ? 'no-stream' : revision - 1, events);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      throw new ImportRefusedError(`The log here has another ${stream}: import into an empty one.`);
    }
  }
}

/** The tag is all that changes: hashes and seals stay as they were. */
function taggedAnew({ id, type, data, metadata, revision }: ExportedEvent, key: TagKey): StoredEvent {
  const hash = metadata['hash'] as string;
  return { id, type, data, metadata: { ...metadata, tag: key.tagOf({ hash, revision }) } };
}

function checkEvent(event: ExportedEvent, revisions: Map<string, number>): void {
  const { stream, revision, id } = event;
  const expected = revisions.get(stream) ?? 0;
  if (revision !== expected)
    throw new ImportRefusedError(`${stream} goes on with revision ${revision}, not ${expected}.`);
  revisions.set(stream, expected + 1);
  if (!verifyEventHash({ ...event, position: 0 })) {
    throw new ImportRefusedError(
      `${stream}@${revision} (${id}) is not as it was written: its hash is another.`,
    );
  }
}

function checkSeal(event: ExportedEvent, seals: SealChain): void {
  const [broken] = seals.take({ ...event, position: 0 });
  if (broken !== undefined) throw new ImportRefusedError(`${broken.place}: ${broken.message}.`);
}

function parseHeader(text: string): ExportHeader {
  const header = headerSchema.safeParse(jsonOf(text));
  if (header.success) return header.data;
  throw new ImportRefusedError('This is no export that "palimpsest audit export" made.');
}

function parseLine(text: string, before: number): ExportLine {
  const line = lineSchema.safeParse(jsonOf(text));
  if (line.success) return line.data;
  throw new ImportRefusedError(`The line after event ${before} is damaged.`);
}

/** Null: the header. */
function parseAny(text: string): ExportLine | null {
  const value = jsonOf(text) as ExportLine | ExportHeader;
  return 'format' in value ? null : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No line of an export is null: whoever reads it refuses that.
    return null;
  }
}
