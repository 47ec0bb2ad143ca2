import type { KeyObject } from 'node:crypto';
import type { EventStore, PersistedEvent } from '../../event-store/port.js';
import type { KeyStore, WrappedKey } from '../../key-store/port.js';
import { MerkleFrontier } from '../merkle/frontier.js';
import { leafOf } from '../sealing/leaf.js';
import { state } from '../sealing/statement.js';
import type { ExportHeader, ExportLine } from './format.js';

/** The key that the key store is recognised by: see the vault. */
const SERVER_KEY_CHECK = 'server-key-check';

/** What an export is made of. */
export interface ExportOptions {
  readonly eventStore: EventStore;
  /** Null: keys are left out. */
  readonly keyStore: KeyStore | null;
  readonly header: ExportHeader;
  /** Signs what all events come to. */
  readonly signingKey: KeyObject;
  readonly onProgress?: (position: number) => void;
  /** Told of an event that was damaged: it is exported with what is left of it, which no import takes for what was written. */
  readonly onDamage?: (event: PersistedEvent) => void;
}

/** The log as lines, a page at a time: its header, its events with their keys, and the signed root of all. */
export async function* exportLog(options: ExportOptions): AsyncGenerator<ExportHeader | ExportLine> {
  const { eventStore, keyStore, header, signingKey, onProgress, onDamage } = options;
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
      if (event.unreadable !== undefined) onDamage?.(event);
      yield { event: { stream, revision, id, type, data, metadata } };
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
  yield { end: { statement: state(claim, { consistency: null, inclusions: [] }, signingKey) } };
}

type KeyLine = Extract<ExportLine, { key: unknown }>['key'];

/** The keys of events, each once: records' and those that wrap them. */
class ExportedKeys {
  private readonly wrapping = new Set<string>();
  private begun = false;

  constructor(private readonly keyStore: KeyStore) {}

  async of(events: readonly PersistedEvent[]): Promise<readonly KeyLine[]> {
    const ids = new Set(events.flatMap(({ metadata: { key } }) => (typeof key === 'string' ? key : [])));
    if (!this.begun) ids.add(SERVER_KEY_CHECK);
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
