import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { EventCatalog } from '../../../src/stores/event-store/catalog.js';
import { EventCodec } from '../../../src/stores/event-store/codec.js';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import { randomCommandId } from '../../../src/stores/event-store/event-id.js';
import { EventLog } from '../../../src/stores/event-store/event-log.js';
import type { EventStore } from '../../../src/stores/event-store/port.js';
import { defineEvent, type DomainEvent } from '../../../src/kernel/event.js';
import type { Vault } from '../../../src/stores/key-store/vault.js';
import { standIn } from '../../support/stand-in.js';

const account = z.strictObject({
  account: z.number(),
  name: z.string().optional(),
  amount: z.number().optional(),
});

function definition(type: string) {
  return defineEvent({ type, description: `${type}.`, schema: account, example: { account: 1 } });
}

/** Events of a toy domain: accounts that are opened, paid into, renamed and closed. */
export const testCatalog = new EventCatalog(
  ['Opened', 'Paid', 'Renamed', 'Closed', 'Audited'].map(definition),
);

/** None of the test events holds erasable content. */
const noVault = standIn<Vault>(undefined);

/** The codec of the toy domain. */
export const testCodec = new EventCodec(testCatalog, noVault);

/** A log on an embedded store in a folder of its own. */
export interface TestLog extends EventLog {
  readonly file: string;
  dispose(): Promise<void>;
}

/** Opens an empty log. `wrap` may disturb its store. */
export async function openTestLog(
  wrap: (store: EventStore) => EventStore = (store) => store,
): Promise<TestLog> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-engine-'));
  const file = join(folder, 'log.sqlite');
  const store = openEmbeddedEventStore({ file });
  const dispose = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return Object.assign(new EventLog(wrap(store), testCodec), { file, dispose });
}

/** One event of the toy domain. */
export function event(
  type: string,
  account: number,
  more: { name?: string; amount?: number } = {},
): DomainEvent {
  return { type, data: { account, ...more } };
}

/** Appends events in one go; answers the position of the last. */
export async function append(log: EventLog, ...events: readonly DomainEvent[]): Promise<number> {
  const metadata = { actorId: 1, commandId: randomCommandId(), causationId: null, client: 'test', at: 0 };
  const { position } = await log.append({ stream: 'messages', expected: 'any' }, events, metadata);
  return position;
}
