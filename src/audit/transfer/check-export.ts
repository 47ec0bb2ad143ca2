import { TaggingStarted, TAGS_STREAM } from '../../events/audit.js';
import { verifyEventHash } from '../../stores/event-store/event-hash.js';
import { MerkleFrontier } from '../../stores/event-store/merkle/frontier.js';
import { leafOf } from '../../stores/event-store/merkle/hashing.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import type { TagKey } from '../../stores/event-store/tags/event-tag.js';
import { EventTags } from '../../stores/event-store/tags/event-tags.js';
import { isSigned, type SignedTreeHead } from '../sealing/signed-tree-head.js';
import { SealChain } from '../verification/seal-chain.js';
import { CheckedFiles } from './exported-files.js';
import {
  type ExportLines,
  parseHeader,
  parseLine,
  ImportRefusedError,
  type ExportedEvent,
  type ExportHeader,
} from './format.js';

/** How to check an export. */
interface CheckOptions {
  /**
   * The keys with which the exporting server made tags; null: the importing operator vouches for the export, and tags
   * are not checked.
   */
  readonly tagKeys: readonly TagKey[] | null;
  readonly onProgress: (events: number) => void;
}

/** The result of checking an export. */
interface CheckedExport {
  readonly header: ExportHeader;
  /** Ids of the keys with which the exporting server made tags; empty: it made none. */
  readonly tagKeys: readonly string[];
  readonly size: number;
  /** Hexadecimal. */
  readonly root: string;
  readonly firstId: string;
}

/**
 * Reads a whole export before anything is imported, and checks every event's hash and tag, the revisions, and that all
 * events have the signed root.
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
      checkEnd(line.end.statement, tree);
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

/** The end of an export has the signed size and root of the tree of its events. */
function checkEnd(statement: SignedTreeHead, tree: MerkleFrontier): void {
  const { size, root } = statement.claim;
  if (!isSigned(statement) || size !== tree.size || root !== tree.root().toString('hex'))
    throw new ImportRefusedError('The events are not those that the end of the export vouches for.');
}

/** Checks the tags of an export, which begin where its own events say. */
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
    if (event.stream === TAGS_STREAM) this.begin(event);
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
    // With a key that was replaced later, earlier tags cannot be checked; the seals, tagged under the known key, vouch
    // for those events.
    const key = this.keys?.find(({ id }) => id === data.key);
    if (key === undefined) return;
    this.isKnown = true;
    this.tags?.begin({ from: event.position, key });
  }

  /** @throws ImportRefusedError when there are tags, but none of the given keys is theirs */
  end(): void {
    if (this.keys === null || this.ids.length === 0 || this.isKnown) return;
    throw new ImportRefusedError(
      'The events of the export carry tags of the server that it comes from, and its key is not here: copy its server.key here first, or name it with --source-key. Where it is not to be had, --without-checking-tags (or --erase-without-keys, where keys are not to be had either) says that you vouch for the export.',
      'server-key',
    );
  }
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
