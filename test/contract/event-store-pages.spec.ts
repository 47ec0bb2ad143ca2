import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readLogPage } from '../../src/audit/queries/read-log-page.js';
import { EventLog } from '../../src/stores/event-store/event-log.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { event, testCodec } from '../projection/support/test-log.js';
import { follow, someEvent } from './support/event-store-events.js';
import { startStandIn, type StandInFixture } from './support/event-store-fixtures.js';

describe('pages of EventStoreDB', () => {
  let fixture: StandInFixture;

  beforeEach(async () => {
    fixture = await startStandIn();
  });

  afterEach(async () => {
    await fixture.close();
  });

  it('are as long as an audit asks for them', async () => {
    const log = new EventLog(fixture.open(), testCodec);
    const metadata = { actorId: null, causationId: null, client: 'test', at: 1 };
    for (let count = 0; count < 6; count += 1) {
      const events = Array.from({ length: 1_000 }, () => event('Paid', 1, { amount: 1 }));
      const commandId = randomCommandId();
      await log.append({ stream: 'messages', expected: 'any' }, events, { ...metadata, commandId });
    }
    const page = await readLogPage(log, {}, 5_000);
    expect(page.events).toHaveLength(5_000);
    const rest = await readLogPage(log, { from: page.position! + 1 }, 5_000);
    expect(rest.events).toHaveLength(1_000);
    expect(rest.found_newest).toBe(true);
  });

  it('hold a few megabytes at most, however few events those are', async () => {
    const store = fixture.open();
    for (let count = 0; count < 16; count += 1)
      await store.append('messages', 'any', [someEvent('Large', { text: 'x'.repeat(1_000_000) })]);
    const follower = follow(fixture.open(), { after: null, pageSize: 1_000 });
    await follower.until(({ events }) => events.length === 16);
    expect(Math.max(...follower.pages.map(({ events }) => events.length))).toBeLessThanOrEqual(5);
    await follower.stop();
  });
});
