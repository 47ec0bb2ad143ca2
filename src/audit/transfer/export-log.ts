import type { KeyObject } from 'node:crypto';
import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';
import type { KeyStore, WrappedKey } from '../../stores/key-store/port.js';
import { serverKeyChecks } from '../../stores/key-store/server-key-check.js';
import type { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { verifyEventHash } from '../../stores/event-store/event-hash.js';
import { MerkleFrontier } from '../../stores/event-store/merkle/frontier.js';
import { leafOf } from '../../stores/event-store/merkle/hashing.js';
import { signTreeHead } from '../sealing/signed-tree-head.js';
import { exportedFile, fileOf } from './exported-files.js';
import type { ExportHeader, ExportLine } from './format.js';

/** What an export is made from. */
interface ExportOptions {
  readonly eventStore: EventStore;
  /** Null: keys are left out. */
  readonly keyStore: KeyStore | null;
  /** Null: uploaded files are left out. */
  readonly files: EncryptedFiles | null;
  readonly header: ExportHeader;
  /** Signs the root of all events. */
  readonly signingKey: KeyObject;
  readonly onProgress?: (position: number) => void;
  /** Called for a damaged event: what is left of it is exported, and an import does not accept it. */
  readonly onDamage?: (event: PersistedEvent) => void;
}

/**
 * Yields the log as lines, a page at a time: the header, the events with their keys and files, and the signed root of
 * all events.
 */
export async function* exportLog(options: ExportOptions): AsyncGenerator<ExportHeader | ExportLine> {
  const { eventStore, keyStore, files, header, signingKey, onProgress, onDamage } = options;
  yield header;
  const tree = MerkleFrontier.empty();
  const keys = keyStore && new ExportedKeys(keyStore);
  let last: PersistedEvent | null = null;
  for await (const { events, position } of eventStore.readAll({ after: null })) {
    if (keys) for (const key of await keys.of(events)) yield { key };
    for (const event of events) {
      const { stream, revision, id, type, data, metadata } = event;
      tree.append(leafOf(event));
      last = event;
      if (event.unreadable !== undefined || !verifyEventHash(event)) onDamage?.(event);
      yield { event: { stream, revision, id, type, data, metadata } };
      const file = files && fileOf(event);
      if (file !== null) for await (const part of exportedFile(files!, file)) yield { file: part };
    }
    onProgress?.(position);
  }
  const claim = {
    organization: header.organization,
    size: tree.size,
    root: tree.root().toString('hex'),
    last: last && { stream: last.stream, revision: last.revision, id: last.id },
    statedAt: header.exportedAt,
  };
  yield { end: { statement: signTreeHead(claim, signingKey) } };
}

type KeyLine = Extract<ExportLine, { key: unknown }>['key'];

/** The keys of events, each once: those of records, and those that wrap them. */
class ExportedKeys {
  private readonly wrapping = new Set<string>();
  private begun = false;

  constructor(private readonly keyStore: KeyStore) {}

  async of(events: readonly PersistedEvent[]): Promise<readonly KeyLine[]> {
    const ids = new Set(events.flatMap(({ metadata: { key } }) => (typeof key === 'string' ? key : [])));
    for (const event of events) ids.add(fileOf(event)?.contentKey ?? '');
    ids.delete('');
    if (!this.begun) for (const id of serverKeyChecks) ids.add(id);
    this.begun = true;
    const records = await this.keyStore.get([...ids]);
    const owners = [...records.values()].flatMap((key) => key?.wrappedBy ?? []);
    const fresh = [...new Set(owners)].filter((id) => !this.wrapping.has(id));
    fresh.forEach((id) => this.wrapping.add(id));
    const wrapping =
      fresh.length === 0 ? new Map<string, WrappedKey | null>() : await this.keyStore.get(fresh);
    return [...wrapping, ...records].map(([id, key]) => lineOf(id, key));
  }
}

function lineOf(id: string, key: WrappedKey | null): KeyLine {
  if (key === null) return { id, wrappedBy: null, wrapped: null };
  return { id, wrappedBy: key.wrappedBy, wrapped: Buffer.from(key.wrapped).toString('base64') };
}
