import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { beginTagging } from '../../src/audit/tagging/begin-tagging.js';
import { EraseSecurityRecords } from '../../src/erasure/erase-security-records.js';
import { LoggedIn, securityStream } from '../../src/events/security.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { keyIdOf } from '../../src/stores/event-store/event-reading.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { decisionsOver } from '../support/decisions-over.js';
import { standIn } from '../support/stand-in.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const DAY = 86_400_000;
const begun = Date.UTC(2026, 0, 1);

let stores: TemporaryStores;
let now: number;
let job: EraseSecurityRecords;
/** The days of the log-ins that were erased. */
let erased: number[];

beforeEach(async () => {
  stores = await openTemporaryStores();
  now = begun;
  erased = [];
  const clock = { now: () => now };
  await stores.vault.checkServerKey({ requireExisting: false });
  await beginTagging({ stores, clock });
  job = retention();
});

afterEach(() => stores.dispose());

/** The job of a process that keeps security records for 30 days. */
function retention(): EraseSecurityRecords {
  const current = () => ({ organization: { settings: { security_retention_days: 30 } } });
  return new EraseSecurityRecords({
    log: stores.log,
    vault: { destroy: noteErased },
    follower: standIn({ current }),
    decisions: decisionsOver(new FoldedStreams(stores.log)),
    clock: { now: () => now },
    legalHolds: { casesOfRecord: () => Promise.resolve([]) },
  });
}

async function noteErased(keys: readonly string[]): Promise<void> {
  const events = await stores.eventStore.readStream(securityStream(3), { limit: 100 });
  const found = events.filter((event) => keys.includes(keyIdOf(event)!));
  erased.push(...found.map(({ metadata }) => (Number(metadata['at']) - begun) / DAY));
}

/** Records log-ins, each on a day after the beginning, in this order. */
async function logIn(...days: readonly number[]): Promise<void> {
  for (const day of days) {
    const stream = securityStream(3);
    const revision = (await stores.eventStore.readStream(stream, { limit: 100 })).length;
    const metadata = {
      actorId: 3,
      commandId: randomCommandId(),
      causationId: null,
      client: 'test',
      at: begun + day * DAY,
    };
    const expected = revision === 0 ? 'no-stream' : revision - 1;
    await stores.log.append(
      { stream, expected },
      [{ type: LoggedIn.type, data: LoggedIn.example }],
      metadata,
    );
  }
}

it('log-ins are erased in their order when they have expired', async () => {
  await logIn(0, 1, 5);
  now = begun + 32 * DAY;
  await job.perform();
  expect(erased).toEqual([0, 1]);
  now = begun + 36 * DAY;
  await job.perform();
  expect(erased).toEqual([0, 1, 5]);
});

it('a log-in from the future does not keep the later ones, and goes with the next that expires', async () => {
  await logIn(0, 4000, 4001, 1, 4002, 20, 4003);
  now = begun + 32 * DAY;
  await job.perform();
  expect(erased).toEqual([0, 4000, 4001, 1]);
  now = begun + 51 * DAY;
  // The server was started again.
  job = retention();
  await job.perform();
  expect(erased).toEqual([0, 4000, 4001, 1, 4002, 20]);
  await logIn(52);
  now = begun + 83 * DAY;
  await job.perform();
  expect(erased).toEqual([0, 4000, 4001, 1, 4002, 20, 4003, 52]);
});
