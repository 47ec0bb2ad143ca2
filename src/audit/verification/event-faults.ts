import { z } from 'zod';
import type { EventCatalog } from '../../stores/event-store/catalog.js';
import type { EventCodec } from '../../stores/event-store/codec.js';
import { verifyEventHash } from '../../stores/event-store/event-hash.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import type { EventTags } from '../../stores/event-store/tags/event-tags.js';
import { KeyStoreUnavailableError } from '../../stores/key-store/port.js';
import type { Finding } from './report.js';
import { fault } from './stream-order.js';

const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The metadata of every event. */
const metadataSchema = z.strictObject({
  actorId: z.number().int().nullable(),
  commandId: z.string(),
  causationId: z.string().nullable(),
  client: z.string(),
  at: z.number(),
  schemaVersion: z.number().int().positive(),
  key: z.string().optional(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  tag: z.string().optional(),
});

/** What is needed to check single events. */
export interface EventChecking {
  readonly catalog: EventCatalog;
  /** Decrypts erasable content; null: it is not checked. */
  readonly codec: EventCodec | null;
  /** Which tags events carry; absent or null: tags are not checked. */
  readonly tags?: EventTags | null;
}

/** What is wrong with single events: their hashes, metadata and data. */
export async function eventFaults(
  events: readonly PersistedEvent[],
  checking: EventChecking,
): Promise<readonly Finding[]> {
  const faults = events.flatMap((event) => shapeFaults(event, checking.tags ?? null));
  return [...faults, ...(await contentFaults(events, checking))].sort(
    (one, other) => (one.position ?? 0) - (other.position ?? 0),
  );
}

function shapeFaults(event: PersistedEvent, tags: EventTags | null): readonly Finding[] {
  if (!verifyEventHash(event))
    return [fault('hash', event, 'it is not as it was written: its hash is another')];
  if (tags?.isGenuine(event) === false)
    return [
      fault(
        'tag',
        event,
        `it does not carry this server’s tag: somebody else wrote this ${event.type}, or moved it here, and it is not acted on`,
      ),
    ];
  const isSound = id.safeParse(event.id).success && metadataSchema.safeParse(event.metadata).success;
  return isSound
    ? []
    : [fault('schema', event, 'its id or metadata are not of the shape that every event has')];
}

async function contentFaults(
  events: readonly PersistedEvent[],
  { catalog, codec }: EventChecking,
): Promise<readonly Finding[]> {
  const openable = codec === null ? events.filter(({ metadata }) => metadata['key'] === undefined) : events;
  if (codec === null) return openable.flatMap((event) => schemaFault(event, event.data, catalog));
  try {
    const decoded = await codec.decode(openable);
    return decoded.flatMap((event) => (event.erased ? [] : schemaFault(event, event.data, catalog)));
  } catch (error) {
    if (error instanceof KeyStoreUnavailableError) throw error;
    return openOneByOne(openable, codec, catalog);
  }
}

async function openOneByOne(
  events: readonly PersistedEvent[],
  codec: EventCodec,
  catalog: EventCatalog,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const event of events) {
    try {
      const [decoded] = await codec.decode([event]);
      if (decoded?.erased === false) findings.push(...schemaFault(event, decoded.data, catalog));
    } catch (error) {
      if (error instanceof KeyStoreUnavailableError) throw error;
      findings.push(fault('unreadable', event, error instanceof Error ? error.message : String(error)));
    }
  }
  return findings;
}

type Placed = Pick<PersistedEvent, 'position' | 'stream' | 'revision' | 'type'>;

function schemaFault(event: Placed, data: unknown, catalog: EventCatalog): readonly Finding[] {
  const definition = catalog.find(event.type);
  if (definition === undefined)
    return [fault('schema', event, `the type ${event.type} is unknown to this version`)];
  if (definition.schema.safeParse(data).success) return [];
  return [fault('schema', event, `its data is not what a ${event.type} says`)];
}
